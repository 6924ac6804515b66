import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_SHOW_FLAGS } from './flags.ts';

/** `terrane state show` */
export const command: Command = {
  name: 'state show',
  summary: 'Show a resource in the state',
  flags: STATE_SHOW_FLAGS,
  help: `
Usage: terrane [global options] state show [options] ADDRESS

  Shows the attributes of one resource instance in the state. To see which
  instances there are, use "terrane state list".

Options:

  -state=statefile    The state to read, instead of that of the selected
                      workspace.

  -show-sensitive     Show sensitive values too.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(STATE_SHOW_FLAGS, args);
    return await (await import('./run.ts')).runStateShow(parsed, context);
  },
};
