import {
  JSON_FLAGS,
  type JsonValues,
  VARIABLE_FLAGS,
  type VariableValues,
  REMOTE_VERSION_FLAGS,
  type RemoteVersionValues,
  STATE_FLAGS,
  type StateValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `taint` or `untaint` says. */
export interface TaintValues extends RemoteVersionValues, StateValues, JsonValues, VariableValues {
  readonly 'allow-missing': boolean;
  readonly 'dry-run': boolean;
}

/** The options of `taint` and `untaint`. */
export const TAINT_FLAGS: FlagTable<TaintValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  ...STATE_FLAGS,
  'allow-missing': bool(false),
  'dry-run': bool(false),
};

/** The command line of it, read. */
export type TaintFlags = ParsedFlags<TaintValues>;

/** `terrane taint` */
export const command: Command = {
  name: 'taint',
  summary: 'Mark a resource instance as not fully functional',
  flags: TAINT_FLAGS,
  help: `
Usage: terrane [global options] taint [options] <address>

  Marks a resource instance as damaged, so that the next plan replaces it.
  Nothing but the state is changed. "terrane untaint" takes the mark away.

  To replace an instance once, "terrane apply -replace" is the better way: it
  shows what will happen first.

Options:

  -allow-missing      Succeed also where there is no such instance.

  -dry-run            Only tell whether it would be done.

${LOCK_HELP}
  -state, -state-out and -backup name the files of the local backend.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(TAINT_FLAGS, args);
    return await (await import('../runs/run-state.ts')).runTaint('taint', parsed, context);
  },
};
