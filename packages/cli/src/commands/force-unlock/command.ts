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

  Removes a stale lock of the state. Nothing but the lock changes.

  First make sure that no run is in progress: "terrane state lock" shows who
  holds the lock. Locks of local states end with the process that holds them,
  so they never become stale.

Options:

  -force              Don't prompt for confirmation.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FORCE_UNLOCK_FLAGS, args);
    return await (await import('./run.ts')).runForceUnlock(parsed, context);
  },
};
