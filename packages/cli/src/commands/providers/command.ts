import type { Command } from '../../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { PROVIDERS_FLAGS } from './flags.ts';

/** `terrane providers` */
export const command: Command = {
  name: 'providers',
  summary: 'Show the providers required for this configuration',
  flags: PROVIDERS_FLAGS,
  help: `
Usage: terrane [global options] providers [options]

  Prints the modules of the configuration as a tree, each with the providers
  that it needs and the versions that it accepts, and the providers that
  objects in the state belong to.

Options:

  -test-directory=path  The directory of test files; "tests" by default.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(PROVIDERS_FLAGS, args);
    return await (await import('./run.ts')).runProviders(parsed, context);
  },
};
