import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { text } from '../flags/flag.ts';
import { SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `providers` says. */
export interface ProvidersValues extends VariableValues {
  readonly 'test-directory': string;
}

const FLAGS: FlagTable<ProvidersValues> = { ...VARIABLE_FLAGS, 'test-directory': text('tests') };

/** The command line of it, read. */
export type ProvidersFlags = ParsedFlags<ProvidersValues>;

/** `terrane providers` */
export const command: Command = {
  name: 'providers',
  summary: 'Show the providers required for this configuration',
  flags: FLAGS,
  help: `
Usage: terrane [global options] providers [options]

  Prints the modules of the configuration as a tree, each with the providers
  that it needs and the versions that it accepts, and the providers that
  objects in the state belong to.

Options:

  -test-directory=path  Where the test files are; "tests" by default.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-providers.ts')).runProviders(parsed, context);
  },
};
