import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { FORCE_UNLOCK_FLAGS } from './flags.ts';

/** `terrane force-unlock` */
export const command: Command = {
  name: 'force-unlock',
  summary: 'Release a stuck lock on the current workspace',
  flags: FORCE_UNLOCK_FLAGS,
  help: `
Usage: terrane [global options] force-unlock LOCK_ID

  Removes a lock that a run has left behind. Nothing but the lock changes.

  Make sure first that no run is going on: "terrane state lock" tells who holds
  the lock. Locks of states on this machine end with the process that holds
  them, so there is never one to remove.

Options:

  -force              Don't ask for confirmation.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FORCE_UNLOCK_FLAGS, args);
    return await (await import('./run.ts')).runForceUnlock(parsed, context);
  },
};
