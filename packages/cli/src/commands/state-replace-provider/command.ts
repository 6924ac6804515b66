import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_REPLACE_PROVIDER_FLAGS } from './flags.ts';

/** `terrane state replace-provider` */
export const command: Command = {
  name: 'state replace-provider',
  summary: 'Replace provider in the state',
  flags: STATE_REPLACE_PROVIDER_FLAGS,
  help: `
Usage: terrane [global options] state replace-provider [options] FROM TO

  Replaces a provider in the state for all its resources: because it has a new
  address, or because a compatible provider is to manage them. FROM and TO are
  addresses such as hashicorp/random or
  registry.example.com/acme/random.

Options:

  -auto-approve       Don't prompt for approval.

  -dry-run            Only show the changes.

  -backup=PATH        The file for a backup of the previous state.

${LOCK_HELP}
  -state=PATH         The state to change, instead of that of the selected
                      workspace.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(STATE_REPLACE_PROVIDER_FLAGS, args);
    const { runReplaceProvider } = await import('./run.ts');
    return await runReplaceProvider(parsed, context);
  },
};
