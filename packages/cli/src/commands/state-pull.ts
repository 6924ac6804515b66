import type { Command } from '../command.ts';
import { parseFlags, type ParsedFlags } from '../flags/parse-flags.ts';

/** The command line of it, read. */
export type StatePullFlags = ParsedFlags<object>;

/** `terrane state pull` */
export const command: Command = {
  name: 'state pull',
  summary: 'Pull current state and output to stdout',
  help: `
Usage: terrane [global options] state pull [options]

  Writes the state of the selected workspace to the output, in the newest
  format, wherever it is kept.
`,
  async run(args, context) {
    const parsed = parseFlags<object>({}, args);
    return await (await import('../runs/run-state.ts')).runStatePull(parsed, context);
  },
};
