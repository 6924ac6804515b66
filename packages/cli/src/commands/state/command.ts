import { SHOW_HELP, type Command } from '../../command.ts';

/** `terrane state` */
export const command: Command = {
  name: 'state',
  summary: 'Advanced state management',
  help: `
Usage: terrane [global options] state <subcommand> [options] [args]

  The subcommands of this command look at the state and change it by hand,
  which is sometimes needed in advanced cases. Those that change it keep a
  backup under a name with the time in it.

  What they print suits tools such as grep and awk.
`,
  run: () => Promise.resolve(SHOW_HELP),
};
