import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_MV_FLAGS } from './flags.ts';

/** `terrane state mv` */
export const command: Command = {
  name: 'state mv',
  summary: 'Move an item in the state',
  flags: STATE_MV_FLAGS,
  help: `
Usage: terrane [global options] state mv [options] SOURCE DESTINATION

  Moves objects to another address in the state: for a renamed resource or
  module, a resource that moved into or out of a module, or objects that
  belong to another state from now on.

  A backup of the previous state is always kept, with the time in its name; if
  two states change, of both.

Options:

  -dry-run            Only show the moves.

${LOCK_HELP}
  -state, -state-out, -backup and -backup-out name the files of the local
  backend.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(STATE_MV_FLAGS, args);
    return await (await import('./run.ts')).runStateMv(parsed, context);
  },
};
