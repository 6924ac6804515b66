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

  -lock=false         Don't lock the state while working. This is dangerous if
                      others might run commands for the same workspace at the
                      same time.

  -lock-timeout=0s    How long to wait for a lock that somebody else holds.

  -json               Print one JSON object a line, for programs.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.

  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStatePush(parsed, context);
  },
};
