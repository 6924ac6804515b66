import { JSON_FLAGS, type JsonValues, VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, duration, text } from '../flags/flag.ts';
import { JSON_HELP, LOCK_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `workspace new` says. */
export interface WorkspaceNewValues extends JsonValues, VariableValues {
  readonly lock: boolean;
  readonly 'lock-timeout': number;
  readonly state: string;
}

const FLAGS: FlagTable<WorkspaceNewValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
};

/** The command line of it, read. */
export type WorkspaceNewFlags = ParsedFlags<WorkspaceNewValues>;

/** `terrane workspace new` */
export const command: Command = {
  name: 'workspace new',
  summary: 'Create a new workspace',
  flags: FLAGS,
  help: `
Usage: terrane [global options] workspace new [OPTIONS] NAME

  Makes a workspace and selects it.

Options:

${LOCK_HELP}
  -state=path         Begin with a copy of this state.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-workspace.ts')).runWorkspaceNew(parsed, context);
  },
};
