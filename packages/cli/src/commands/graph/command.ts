import type { Command } from '../../command.ts';
import { SETTINGS_VARIABLES_HELP } from '../../flags/option-help.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { GRAPH_FLAGS } from './flags.ts';

/** `terrane graph` */
export const command: Command = {
  name: 'graph',
  summary: 'Generate a Graphviz graph of the steps in an operation',
  flags: GRAPH_FLAGS,
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
    const parsed = parseFlags(GRAPH_FLAGS, args);
    return await (await import('./run.ts')).runGraph(parsed, context);
  },
};
