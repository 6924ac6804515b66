import {
  VARIABLE_FLAGS,
  type VariableValues,
  JSON_FLAGS,
  type JsonValues,
  SENSITIVE_FLAGS,
  type SensitiveValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, text } from '../flags/flag.ts';
import { SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `output` says. */
export interface OutputValues extends SensitiveValues, JsonValues, VariableValues {
  readonly raw: boolean;
  readonly state: string;
}

const FLAGS: FlagTable<OutputValues> = {
  ...VARIABLE_FLAGS,
  ...JSON_FLAGS,
  ...SENSITIVE_FLAGS,
  raw: bool(false),
  state: text(),
};

/** The command line of it, read. */
export type OutputFlags = ParsedFlags<OutputValues>;

/** `terrane output` */
export const command: Command = {
  name: 'output',
  summary: 'Show output values from your root module',
  flags: FLAGS,
  help: `
Usage: terrane [global options] output [options] [NAME]

  Prints the value that the state holds for an output of the root module, or
  all of them if no name is given.

Options:

  -state=path      The state to read; "terraform.tfstate" by default.

  -no-color        Print without colors.

  -json            Print as JSON.

  -json-into=path  Write what -json prints into this file or pipe, besides
                   what people are shown.

  -raw             Print a string, number or boolean by itself, as scripts
                   like it.

  -show-sensitive  Show sensitive values too.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-output.ts')).runOutput(parsed, context);
  },
};
