import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { Command } from '../../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';

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
    return await (await import('./run.ts')).runStatePull(parsed, context);
  },
};
