import type { Command } from '../../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { MODULES_FLAGS } from './flags.ts';

/** `terrane modules` */
export const command: Command = {
  name: 'modules',
  summary: 'Show all declared modules in a working directory',
  flags: MODULES_FLAGS,
  help: `
Usage: terrane [global options] modules [options]

  Prints the modules that the configuration calls, and those that they call,
  with their sources and the versions that are installed.

Options:

  -json               Print a list of them as JSON.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(MODULES_FLAGS, args);
    return await (await import('./run.ts')).runModules(parsed, context);
  },
};
