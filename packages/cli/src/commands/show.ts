import {
  JSON_FLAGS,
  type JsonValues,
  SENSITIVE_FLAGS,
  type SensitiveValues,
  VARIABLE_FLAGS,
  type VariableValues,
} from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, text } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `show` says. */
export interface ShowValues extends SensitiveValues, JsonValues, VariableValues {
  readonly config: boolean;
  readonly module: string;
  readonly plan: string;
  readonly state: boolean;
  readonly html: boolean;
  readonly svg: boolean;
  readonly summary: boolean;
}

const FLAGS: FlagTable<ShowValues> = {
  ...JSON_FLAGS,
  ...SENSITIVE_FLAGS,
  ...VARIABLE_FLAGS,
  config: bool(false),
  module: text(),
  plan: text(),
  state: bool(false),
  html: bool(false),
  svg: bool(false),
  summary: bool(false),
};

/** The command line of it, read. */
export type ShowFlags = ParsedFlags<ShowValues>;

/** `terrane show` */
export const command: Command = {
  name: 'show',
  summary: 'Show the current state or a saved plan',
  flags: FLAGS,
  help: `
Usage: terrane [global options] show [options] [path]

  Prints a state or a saved plan for people to read. Without a path this is
  the state of the selected workspace.

Options:

  -config             Print the configuration instead, with all modules. Needs
                      -json.

  -no-color           Print without colors.

  -json               Print as JSON, in the form that Terraform documents.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.

  -html               Print a saved plan as a page for browsers: the graph of
                      its resources, and what is planned for each.

  -module=dir         Print what the module in this directory tells by itself:
                      variables, outputs, what it calls and declares, without
                      expressions. Needs -json; nothing has to be installed.

  -plan=path          Print this saved plan.

  -show-sensitive     Show sensitive values too.

  -state              Print the state of the selected workspace, as without
                      a path.

  -summary            Print a saved plan in short: which objects change, by
                      module and action, without their values.

  -svg                Print the graph of a saved plan as a picture.

  -var 'foo=bar'      Give a value to a variable. Only sources of modules and
                      the like are worked out with it; -var-file=filename
                      likewise.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-show.ts')).runShow(parsed, context);
  },
};
