import type { Command } from '../../command.ts';
import { LOCK_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_RECOVER_FLAGS } from './flags.ts';

/** `terrane state recover` */
export const command: Command = {
  name: 'state recover',
  summary: 'Show and resolve interrupted operations',
  flags: STATE_RECOVER_FLAGS,
  help: `
Usage: terrane [global options] state recover [options]

  Shows the journal of a run that ended before it had stored the state: the
  changes that it adds to the state, and the operations that were in progress,
  with their known details.

  Without options nothing is changed, and no action is necessary: the next
  command that writes the state stores those changes, and the next plan
  searches for objects that were being created. Operations that it cannot
  resolve remain open until the object is imported or forgotten.

Options:

  -write              Store the state with the changes in the journal now.

  -forget=ADDRESS     Remove the interrupted operation on this instance from
                      the journal: it created no object, or the object is not
                      to be managed. Stores the state. May be repeated.

  -json               Print a JSON document.

${LOCK_HELP}
  -state=PATH         The state to recover, instead of that of the selected
                      workspace.
`,
  async run(args, context) {
    const parsed = parseFlags(STATE_RECOVER_FLAGS, args);
    return await (await import('./run.ts')).runStateRecover(parsed, context);
  },
};
