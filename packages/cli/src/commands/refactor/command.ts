import { SHOW_HELP, type Command } from '../../command.ts';

/** `terrane refactor` */
export const command: Command = {
  name: 'refactor',
  summary: 'Move, extract and split without changing objects',
  help: `
Usage: terrane [global options] refactor <subcommand> [options] [args]

  The subcommands of this command change the configuration and, if necessary,
  the state, without changing any object. A plan verifies this before anything
  is written. Without -write they only show the changes.
`,
  run: () => Promise.resolve(SHOW_HELP),
};
