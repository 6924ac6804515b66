import type { Command } from '../../command.ts';
import { LOCK_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_RESTORE_FLAGS } from './flags.ts';

/** `terrane state restore` */
export const command: Command = {
  name: 'state restore',
  summary: 'Replace the state by that of an earlier run',
  flags: STATE_RESTORE_FLAGS,
  help: `
Usage: terrane [global options] state restore [options] RUN

  Restores the state after an earlier run, as a new version of the state. This
  changes only the records of Terrane: no object is created, changed or
  destroyed. To plan the undo of changes to objects, use
  "terrane undo".

  First shows the consequences: objects that would no longer be managed,
  objects that would be managed again although they may not exist any more,
  and addresses that have another object now. Nothing is changed before you
  approve it, and a backup is kept.

  RUN is the ID of a run, its beginning or end, or "last", as "terrane
  history" lists them.

Options:

  -before             Use the state before the run instead of that after it.

  -auto-approve       Don't prompt for approval.

  -force              Restore also the state of a run of another lineage, such
                      as after the state was lost and created anew.

  -json               Print a JSON document; needs -auto-approve or -dry-run.

  -dry-run            Only show the consequences.

${LOCK_HELP}
  -state=PATH         The state to replace, instead of that of the selected
                      workspace.
`,
  async run(args, context) {
    const parsed = parseFlags(STATE_RESTORE_FLAGS, args);
    return await (await import('./run.ts')).runStateRestore(parsed, context);
  },
};
