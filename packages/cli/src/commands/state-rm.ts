import {
  JSON_FLAGS,
  type JsonValues,
  VARIABLE_FLAGS,
  type VariableValues,
  REMOTE_VERSION_FLAGS,
  type RemoteVersionValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, duration, text } from '../flags/flag.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `state rm` says. */
export interface StateRmValues extends RemoteVersionValues, JsonValues, VariableValues {
  readonly 'dry-run': boolean;
  readonly backup: string;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
  readonly state: string;
}

const FLAGS: FlagTable<StateRmValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  'dry-run': bool(false),
  backup: text('-'),
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
};

/** The command line of it, read. */
export type StateRmFlags = ParsedFlags<StateRmValues>;

/** `terrane state rm` */
export const command: Command = {
  name: 'state rm',
  summary: 'Remove instances from the state',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state rm [options] ADDRESS...

  Makes the state forget resource instances. What they stand for is not
  destroyed, and no longer managed.

  The address of a module stands for everything in it, the address of a
  resource for all its instances.

Options:

  -dry-run            Only tell what would be removed.

  -backup=PATH        Where to keep the state as it was before.

${LOCK_HELP}
  -state=PATH         The state to change, instead of that of the selected
                      workspace.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStateRm(parsed, context);
  },
};
