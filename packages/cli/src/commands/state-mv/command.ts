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

  Records what is known under one address under another one: a resource that
  was renamed, moved into or out of a module, a whole module, or something
  that belongs to another state from now on.

  The state as it was before is always kept, under a name with the time in
  it; where two states change, both are.

Options:

  -dry-run            Only tell what would be moved.

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
