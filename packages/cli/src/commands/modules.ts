import type { Command } from '../command.ts';
import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import { bool } from '../flags/flag.ts';
import { SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `modules` says. */
export interface ModulesValues extends VariableValues {
  readonly json: boolean;
}

const FLAGS: FlagTable<ModulesValues> = { ...VARIABLE_FLAGS, json: bool(false) };

/** The command line of it, read. */
export type ModulesFlags = ParsedFlags<ModulesValues>;

/** `terrane modules` */
export const command: Command = {
  name: 'modules',
  summary: 'Show all declared modules in a working directory',
  flags: FLAGS,
  help: `
Usage: terrane [global options] modules [options]

  Prints the modules that the configuration calls, and those that they call,
  with their sources and the versions that are installed.

Options:

  -json               Print a list of them as JSON.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-modules.ts')).runModules(parsed, context);
  },
};
