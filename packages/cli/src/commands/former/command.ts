import { programCommand } from '@terrane/host';
import { SHOW_HELP, type Command } from '../../command.ts';

const warning =
  (): string => `Warning: the "${programCommand('env')}" family of commands is deprecated.

"Workspace" is now the preferred term for what earlier Terraform versions
called "environment", to reduce ambiguity caused by the latter term colliding
with other concepts.

The "${programCommand('workspace')}" commands should be used instead. "${programCommand('env')}"
will be removed in a future Terraform version.
`;

/** A command of `workspace` under the name that it had before, which it warns of. */
export function formerly(command: Command): Command {
  return {
    ...command,
    async run(args, context) {
      context.world.stdout.write(`${warning()}\n`);
      return await command.run(args, context);
    },
  };
}

/** `terrane push`, which has been removed. */
export const push: Command = {
  name: 'push',
  summary: 'Obsolete command for Terraform Enterprise legacy (v1)',
  help: `
Usage: terrane [global options] push [options] [DIR]

  This command was for the legacy version of Terraform Enterprise (v1), which
  is no more.
`,
  async run(_args, context) {
    const { printNoPush } = await import('./run.ts');
    return printNoPush(context);
  },
};

/** `terrane env` */
export const env: Command = formerly({
  name: 'env',
  summary: 'Workspace management',
  help: `
Usage: terrane [global options] workspace

  Makes, lists, shows, selects and deletes workspaces. Each workspace has a
  state of its own for the same configuration.
`,
  run: () => Promise.resolve(SHOW_HELP),
});
