import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { parseFlags, type ParsedFlags } from '../flags/parse-flags.ts';

/** The command line of it, read. */
export type StatePullFlags = ParsedFlags<VariableValues>;

/** `terrane state pull` */
export const command: Command = {
  name: 'state pull',
  summary: 'Pull current state and output to stdout',
  flags: VARIABLE_FLAGS,
  help: `
Usage: terrane [global options] state pull [options]

  Writes the state of the selected workspace to the output, in the newest
  format, wherever it is kept.

Options:

  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(VARIABLE_FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStatePull(parsed, context);
  },
};
