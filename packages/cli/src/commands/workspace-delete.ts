import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, duration } from '../flags/flag.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `workspace delete` says. */
export interface WorkspaceDeleteValues extends JsonValues, VariableValues {
  readonly force: boolean;
  readonly lock: boolean;
  readonly 'lock-timeout': number;
}

const FLAGS: FlagTable<WorkspaceDeleteValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  force: bool(false),
  lock: bool(true),
  'lock-timeout': duration(),
};

/** The command line of it, read. */
export type WorkspaceDeleteFlags = ParsedFlags<WorkspaceDeleteValues>;

/** `terrane workspace delete` */
export const command: Command = {
  name: 'workspace delete',
  summary: 'Delete a workspace',
  flags: FLAGS,
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
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceDelete(parsed, context);
  },
};
