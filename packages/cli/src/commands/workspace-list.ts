import type { Command } from '../command.ts';
import { parseFlags } from '../flags/parse-flags.ts';

/** `terrane workspace list` */
export const command: Command = {
  name: 'workspace list',
  summary: 'List Workspaces',
  help: `
Usage: terrane [global options] workspace list

  Lists the workspaces; the selected one has a mark.
`,
  async run(args, context) {
    const parsed = parseFlags<object>({}, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceList(parsed, context);
  },
};
