import { SHOW_HELP, type Command } from '../../command.ts';

/** `terrane workspace` */
export const command: Command = {
  name: 'workspace',
  summary: 'Workspace management',
  help: `
Usage: terrane [global options] workspace

  Makes, lists, shows, selects and deletes workspaces. Each workspace has a
  state of its own for the same configuration.
`,
  run: () => Promise.resolve(SHOW_HELP),
};
