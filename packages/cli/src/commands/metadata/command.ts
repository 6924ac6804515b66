import { SHOW_HELP, type Command } from '../../command.ts';

/** `terrane metadata` */
export const command: Command = {
  name: 'metadata',
  summary: 'Metadata related commands',
  help: `
Usage: terrane [global options] metadata <subcommand> [options] [args]

  The subcommands of this command print metadata about Terrane for programs.
`,
  run: () => Promise.resolve(SHOW_HELP),
};
