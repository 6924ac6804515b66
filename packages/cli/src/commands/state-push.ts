import {
  JSON_FLAGS,
  type JsonValues,
  VARIABLE_FLAGS,
  type VariableValues,
  REMOTE_VERSION_FLAGS,
  type RemoteVersionValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, duration } from '../flags/flag.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `state push` says. */
export interface StatePushValues extends RemoteVersionValues, JsonValues, VariableValues {
  readonly force: boolean;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
}

const FLAGS: FlagTable<StatePushValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  force: bool(false),
  lock: bool(true),
  'lock-timeout': duration(),
};

/** The command line of it, read. */
export type StatePushFlags = ParsedFlags<StatePushValues>;

/** `terrane state push` */
export const command: Command = {
  name: 'state push',
  summary: 'Update remote state from a local state file',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state push [options] PATH

  Replaces the state of the selected workspace by that in a file, or in the
  input if PATH is "-". A state that is older than the stored one, or has
  another lineage, is refused.

Options:

  -force              Replace it all the same.

${LOCK_HELP}
${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStatePush(parsed, context);
  },
};
