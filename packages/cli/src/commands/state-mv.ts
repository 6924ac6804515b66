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

/** What the command line of `state mv` says. */
export interface StateMvValues extends RemoteVersionValues, JsonValues, VariableValues {
  readonly 'dry-run': boolean;
  readonly backup: string;
  readonly 'backup-out': string;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
  readonly state: string;
  readonly 'state-out': string;
}

const FLAGS: FlagTable<StateMvValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  'dry-run': bool(false),
  backup: text('-'),
  'backup-out': text('-'),
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
  'state-out': text(),
};

/** The command line of it, read. */
export type StateMvFlags = ParsedFlags<StateMvValues>;

/** `terrane state mv` */
export const command: Command = {
  name: 'state mv',
  summary: 'Move an item in the state',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state mv [options] SOURCE DESTINATION

  Records what is known under one address under another one: a resource that
  was renamed, moved into or out of a module, a whole module, or something
  that belongs to another state from now on.

  The state as it was before is always kept, under a name with the time in
  it; where two states change, both are.

Options:

  -dry-run            Only tell what would be moved.

${LOCK_HELP}
  -state, -state-out, -backup and -backup-out name the files of the local
  backend.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStateMv(parsed, context);
  },
};
