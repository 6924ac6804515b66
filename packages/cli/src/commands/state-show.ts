import {
  JSON_FLAGS,
  type JsonValues,
  VARIABLE_FLAGS,
  type VariableValues,
  SENSITIVE_FLAGS,
  type SensitiveValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { text } from '../flags/flag.ts';
import { JSON_HELP, SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `state show` says. */
export interface StateShowValues extends SensitiveValues, JsonValues, VariableValues {
  readonly state: string;
}

const FLAGS: FlagTable<StateShowValues> = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...SENSITIVE_FLAGS,
  state: text(),
};

/** The command line of it, read. */
export type StateShowFlags = ParsedFlags<StateShowValues>;

/** `terrane state show` */
export const command: Command = {
  name: 'state show',
  summary: 'Show a resource in the state',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state show [options] ADDRESS

  Shows the attributes of one resource instance in the state. To see which
  instances there are, use "terrane state list".

Options:

  -state=statefile    The state to read, instead of that of the selected
                      workspace.

  -show-sensitive     Show sensitive values too.

${JSON_HELP}
${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state.ts')).runStateShow(parsed, context);
  },
};
