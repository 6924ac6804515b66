import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { WORKSPACE_DELETE_FLAGS } from './flags.ts';

/** `terrane workspace delete` */
export const command: Command = {
  name: 'workspace delete',
  summary: 'Delete a workspace',
  flags: WORKSPACE_DELETE_FLAGS,
  help: `
Usage: terrane [global options] workspace delete [OPTIONS] NAME

  Deletes a workspace and its state.

Options:

  -force              Delete it even if it manages resources, which nobody
                      manages any more then.

${LOCK_HELP}
${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(WORKSPACE_DELETE_FLAGS, args);
    return await (await import('./run.ts')).runWorkspaceDelete(parsed, context);
  },
};
