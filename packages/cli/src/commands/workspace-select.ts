import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
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

  -json               Print one JSON object a line, for programs.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.

  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceSelect(parsed, context);
  },
};
