import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `workspace list` says. */
export interface WorkspaceListValues extends JsonValues, VariableValues {}

const FLAGS: FlagTable<WorkspaceListValues> = { ...JSON_FLAGS, ...VARIABLE_FLAGS };

/** The command line of it, read. */
export type WorkspaceListFlags = ParsedFlags<WorkspaceListValues>;

/** `terrane workspace list` */
export const command: Command = {
  name: 'workspace list',
  summary: 'List Workspaces',
  flags: FLAGS,
  help: `
Usage: terrane [global options] workspace list [options]

  Lists the workspaces; the selected one has a mark.

Options:

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceList(parsed, context);
  },
};
