import type { Command } from './command.ts';
import { COMMANDS, MAIN_COMMANDS } from './command-table.ts';

/** Returns the text that the program prints without a command. */
export async function programHelp(): Promise<string> {
  const top = await loadCommands([...COMMANDS.keys()].filter((name) => !name.includes(' ')));
  const width = Math.max(...top.map((each) => each.name.length));
  const lines = (commands: readonly Command[]): string =>
    commands.map((each) => `  ${each.name.padEnd(width)}  ${each.summary}\n`).join('');
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
  -install-autocomplete, -uninstall-autocomplete
                Have bash, zsh and fish complete command lines, or no more.
`;
}

/** A command's help, with the commands below it. */
export async function commandHelpText(command: Command): Promise<string> {
  const text = command.help.trim();
  const prefix = `${command.name} `;
  const below = await loadCommands([...COMMANDS.keys()].filter((name) => name.startsWith(prefix)));
  if (below.length === 0) return `${text}\n`;
  const width = Math.max(...below.map((each) => each.name.length - prefix.length));
  const lines = below.map(
    (each) => `    ${each.name.slice(prefix.length).padEnd(width)}    ${each.summary}`,
  );
  return `${text}\n\nSubcommands:\n${lines.join('\n')}\n`;
}

async function loadCommands(names: readonly string[]): Promise<readonly Command[]> {
  const commands: Command[] = [];
  for (const name of names) {
    const load = COMMANDS.get(name);
    if (load !== undefined) commands.push((await load()).command);
  }
  return commands;
}
