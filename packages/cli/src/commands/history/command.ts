import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { HISTORY_FLAGS } from './flags.ts';

/** `terrane history` */
export const command: Command = {
  name: 'history',
  summary: 'List the runs that changed the state',
  flags: HISTORY_FLAGS,
  help: `
Usage: terrane [global options] history [options] [ADDRESS]

  Lists the runs that changed the state of the selected workspace, the last
  one first: when, who, which command, its outcome and how many objects it
  changed.

  With the address of an object, a resource or a module, shows for each of its
  attributes which run changed it last, and its previous value. Sensitive
  values are never shown.

  If a server executes the runs of the workspace, its runs are listed too, with
  their users and outcomes.

  The environment variable TERRANE_HISTORY=off stops recording; values such as
  TERRANE_HISTORY=runs=500,days=90 limit the stored runs.

Options:

  -n=NUMBER           Show at most this many runs; 20 by default, 0 for all.

  -json               Print a JSON document.

  -state=PATH         The state with the history to show, instead of that of
                      the selected workspace.
`,
  async run(args, context) {
    const parsed = parseFlags(HISTORY_FLAGS, args);
    return await (await import('./run.ts')).runHistory(parsed, context);
  },
};
