import type { Command } from '../../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { WORKSPACE_SELECT_FLAGS } from './flags.ts';

/** `terrane workspace select` */
export const command: Command = {
  name: 'workspace select',
  summary: 'Select a workspace',
  flags: WORKSPACE_SELECT_FLAGS,
  help: `
Usage: terrane [global options] workspace select NAME

  Selects another workspace.

Options:

  -or-create=false    Make the workspace if there is none of that name.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(WORKSPACE_SELECT_FLAGS, args);
    return await (await import('./run.ts')).runWorkspaceSelect(parsed, context);
  },
};
