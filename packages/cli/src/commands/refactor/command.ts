import { SHOW_HELP, type Command } from '../../command.ts';

/** `terrane refactor` */
export const command: Command = {
  name: 'refactor',
  summary: 'Move, extract and split without changing objects',
  help: `
Usage: terrane [global options] refactor <subcommand> [options] [args]

  The subcommands of this command change the configuration, and the state
  where necessary, so that no object is changed. A plan proves it before
  anything is written. Without -write they only show what they would write.
`,
  run: () => Promise.resolve(SHOW_HELP),
};
