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

/** What the command line of `state replace-provider` says. */
export interface StateReplaceProviderValues
  extends RemoteVersionValues, JsonValues, VariableValues {
  readonly 'auto-approve': boolean;
  readonly 'dry-run': boolean;
  readonly backup: string;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
  readonly state: string;
}

const FLAGS: FlagTable<StateReplaceProviderValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  'auto-approve': bool(false),
  'dry-run': bool(false),
  backup: text('-'),
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
};

/** The command line of it, read. */
export type StateReplaceProviderFlags = ParsedFlags<StateReplaceProviderValues>;

/** `terrane state replace-provider` */
export const command: Command = {
  name: 'state replace-provider',
  summary: 'Replace provider in the state',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state replace-provider [options] FROM TO

  Makes another provider responsible for all resources of one: where a
  provider has a new address, or another one that does the same is to be used
  from now on. FROM and TO are addresses such as hashicorp/random or
  registry.example.com/acme/random.

Options:

  -auto-approve       Don't ask before it is done.

  -dry-run            Only show what would be changed.

  -backup=PATH        Where to keep the state as it was before.

${LOCK_HELP}
  -state=PATH         The state to change, instead of that of the selected
                      workspace.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    const { runReplaceProvider } = await import('../runs/run-replace-provider.ts');
    return await runReplaceProvider(parsed, context);
  },
};
