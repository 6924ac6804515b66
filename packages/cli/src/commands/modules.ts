import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `modules` says. */
export interface ModulesValues {
  readonly json: boolean;
}

const FLAGS: FlagTable<ModulesValues> = { json: bool(false) };

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

  -json  Print a list of them as JSON.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-modules.ts')).runModules(parsed, context);
  },
};
