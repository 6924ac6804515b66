import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `workspace select` says. */
export interface WorkspaceSelectValues extends JsonValues, VariableValues {
  readonly 'or-create': boolean;
}

const FLAGS: FlagTable<WorkspaceSelectValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  'or-create': bool(false),
};

/** The command line of it, read. */
export type WorkspaceSelectFlags = ParsedFlags<WorkspaceSelectValues>;

/** `terrane workspace select` */
export const command: Command = {
  name: 'workspace select',
  summary: 'Select a workspace',
  flags: FLAGS,
  help: `
Usage: terrane [global options] workspace select NAME

  Selects another workspace.

Options:

  -or-create=false    Make the workspace if there is none of that name.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceSelect(parsed, context);
  },
};
