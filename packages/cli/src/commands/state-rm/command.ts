import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_RM_FLAGS } from './flags.ts';

/** `terrane state rm` */
export const command: Command = {
  name: 'state rm',
  summary: 'Remove instances from the state',
  flags: STATE_RM_FLAGS,
  help: `
Usage: terrane [global options] state rm [options] ADDRESS...

  Removes resource instances from the state. Their objects are not destroyed,
  and no longer managed.

  The address of a module stands for everything in it, the address of a
  resource for all its instances.

Options:

  -dry-run            Only show the instances to remove.

  -backup=PATH        The file for a backup of the previous state.

${LOCK_HELP}
  -state=PATH         The state to change, instead of that of the selected
                      workspace.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(STATE_RM_FLAGS, args);
    return await (await import('./run.ts')).runStateRm(parsed, context);
  },
};
