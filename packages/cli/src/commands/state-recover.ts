import { REMOTE_VERSION_FLAGS, type RemoteVersionValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, duration, list, text } from '../flags/flag.ts';
import { LOCK_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `state recover` says. */
export interface StateRecoverValues extends RemoteVersionValues {
  readonly write: boolean;
  readonly forget: readonly string[];
  readonly json: boolean;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
  readonly state: string;
}

const FLAGS: FlagTable<StateRecoverValues> = {
  ...REMOTE_VERSION_FLAGS,
  write: bool(false),
  forget: list(),
  json: bool(false),
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
};

/** The command line of it, read. */
export type StateRecoverFlags = ParsedFlags<StateRecoverValues>;

/** `terrane state recover` */
export const command: Command = {
  name: 'state recover',
  summary: 'Show and settle what an interrupted run left',
  flags: FLAGS,
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
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state-recover.ts')).runStateRecover(parsed, context);
  },
};
