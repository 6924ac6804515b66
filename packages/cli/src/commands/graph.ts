import { VARIABLE_FLAGS, type VariableValues } from '../arguments.ts';
import type { Command } from '../command.ts';
import { bool, integer, text } from '../flags/flag.ts';
import { SETTINGS_VARIABLES_HELP } from '../flags/option-help.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `graph` says. */
export interface GraphValues extends VariableValues {
  readonly type: string;
  readonly plan: string;
  readonly format: string;
  readonly html: boolean;
  readonly svg: boolean;
  readonly 'draw-cycles': boolean;
  readonly verbose: boolean;
  readonly 'module-depth': number;
}

const FLAGS: FlagTable<GraphValues> = {
  ...VARIABLE_FLAGS,
  type: text(''),
  plan: text(''),
  format: text('dot'),
  html: bool(false),
  svg: bool(false),
  'draw-cycles': bool(false),
  verbose: bool(false),
  'module-depth': integer(-1),
};

/** The command line of it, read. */
export type GraphFlags = ParsedFlags<GraphValues>;

/** `terrane graph` */
export const command: Command = {
  name: 'graph',
  summary: 'Generate a Graphviz graph of the steps in an operation',
  flags: FLAGS,
  help: `
Usage: terrane [global options] graph [options]

  Prints what depends on what, in the DOT language, which Graphviz and many
  other programs read, or as a Mermaid flowchart. By default these are the
  resources alone, with those that only the state knows.

Options:

  -format=mermaid
                 Print a flowchart for Mermaid instead of DOT.

  -plan=tfplan   Show what applying a saved plan will do, and in which order.

  -type=TYPE     Show everything that an operation works out: "plan",
                 "plan-refresh-only", "plan-destroy" or "apply".

  -html          Print a page for browsers instead, to search, move and zoom;
                 "terrane show -html" has what a plan does to each resource.

  -svg           Print a picture instead.

  -draw-cycles   Accepted for scripts; a cycle is an error that names its
                 members. So are -verbose and -module-depth=n.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-graph.ts')).runGraph(parsed, context);
  },
};
