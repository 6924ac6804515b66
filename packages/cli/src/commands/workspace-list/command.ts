import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { WORKSPACE_LIST_FLAGS } from './flags.ts';

/** `terrane workspace list` */
export const command: Command = {
  name: 'workspace list',
  summary: 'List Workspaces',
  flags: WORKSPACE_LIST_FLAGS,
  help: `
Usage: terrane [global options] workspace list [options]

  Lists the workspaces; the selected one has a mark.

Options:

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(WORKSPACE_LIST_FLAGS, args);
    return await (await import('./run.ts')).runWorkspaceList(parsed, context);
  },
};
