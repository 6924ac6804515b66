import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `force-unlock` says. */
export interface ForceUnlockValues extends JsonValues, VariableValues {
  readonly force: boolean;
}

const FLAGS: FlagTable<ForceUnlockValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  force: bool(false),
};

/** The command line of it, read. */
export type ForceUnlockFlags = ParsedFlags<ForceUnlockValues>;

/** `terrane force-unlock` */
export const command: Command = {
  name: 'force-unlock',
  summary: 'Release a stuck lock on the current workspace',
  flags: FLAGS,
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
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state-lock.ts')).runForceUnlock(parsed, context);
  },
};
