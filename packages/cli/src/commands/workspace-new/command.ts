import type { Command } from '../../command.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { WORKSPACE_NEW_FLAGS } from './flags.ts';

/** `terrane workspace new` */
export const command: Command = {
  name: 'workspace new',
  summary: 'Create a new workspace',
  flags: WORKSPACE_NEW_FLAGS,
  help: `
Usage: terrane [global options] workspace new [OPTIONS] NAME

  Makes a workspace and selects it.

Options:

${LOCK_HELP}
  -state=path         Begin with a copy of this state.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(WORKSPACE_NEW_FLAGS, args);
    return await (await import('./run.ts')).runWorkspaceNew(parsed, context);
  },
};
