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

  Prints the dependency graph in the DOT language of Graphviz, or as a Mermaid
  flowchart. By default the graph has only resources, including those that are
  only in the state.

Options:

  -format=mermaid
                 Print a flowchart for Mermaid instead of DOT.

  -plan=tfplan   Show the actions of a saved plan, in their order.

  -type=TYPE     Show the complete graph of an operation: "plan",
                 "plan-refresh-only", "plan-destroy" or "apply".

  -html          Print a web page instead, to search, move and zoom; "terrane
                 show -html" also has the planned changes of each resource.

  -svg           Print an SVG image instead.

  -draw-cycles   Accepted for scripts; a cycle is an error that names its
                 members. So are -verbose and -module-depth=n.

${SETTINGS_VARIABLES_HELP}`,
  async run(args, context) {
    const parsed = parseFlags(GRAPH_FLAGS, args);
    return await (await import('./run.ts')).runGraph(parsed, context);
  },
};
