import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
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

  -json               Print one JSON object a line, for programs.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.

  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceList(parsed, context);
  },
};
