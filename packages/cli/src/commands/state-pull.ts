import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
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

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(VARIABLE_FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStatePull(parsed, context);
  },
};
