import type { Command } from '../../command.ts';
import { LOCK_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_RECOVER_FLAGS } from './flags.ts';

/** `terrane state recover` */
export const command: Command = {
  name: 'state recover',
  summary: 'Show and settle what an interrupted run left',
  flags: STATE_RECOVER_FLAGS,
  help: `
Usage: terrane [global options] state recover [options]

  Shows what the journal holds of a run that ended before it had stored the
  state: the changes that it adds to the state, and the operations that were
  in progress, with what is known of each.

  Without options nothing is changed, and nothing needs to be done: the next
  command that writes the state stores those changes, and the next plan looks
  for what was being created. What can't be looked for stays open until it is
  imported or forgotten.

Options:

  -write              Store the state with what the journal adds to it, now.

  -forget=ADDRESS     Don't tell of the interrupted operation on this instance
                      any more: it left nothing, or what it left is not to be
                      managed. Also stores the state. May be repeated.

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
