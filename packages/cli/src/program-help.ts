import { COMMANDS, MAIN_COMMANDS } from './command-table.ts';

/** What the program prints when it is called without a command. */
export function programHelp(): string {
  const top = [...COMMANDS.values()].filter((each) => !each.name.includes(' '));
  const width = Math.max(...top.map((each) => each.name.length));
  const lines = (entries: typeof top): string =>
    entries.map((each) => `  ${each.name.padEnd(width)}  ${each.summary}\n`).join('');
  const main = top.filter((each) => MAIN_COMMANDS.includes(each.name));
  const others = top.filter((each) => !MAIN_COMMANDS.includes(each.name));
  return `Usage: terrane [global options] <subcommand> [args]

The commands of the main workflow come first, in the order in which they are
used, and all others after them.

Main commands:
${lines(main)}
All other commands:
${lines(others)}
Global options (use these before the subcommand, if any):
  -chdir=DIR    Switch to a different working directory before executing the
                given subcommand.
  -help         Show this help output, or the help for a specified subcommand.
  -version      An alias for the "version" subcommand.
`;
}
