import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { HISTORY_DIFF_FLAGS } from './flags.ts';

/** `terrane history diff` */
export const command: Command = {
  name: 'history diff',
  summary: 'Compare the states after two runs',
  flags: HISTORY_DIFF_FLAGS,
  help: `
Usage: terrane [global options] history diff [options] RUN RUN

  Shows how the state after the second run differs from the state after the
  first one: objects, their attributes and outputs. Sensitive values are never
  shown.

Options:

  -json               Print a JSON document.

  -state=PATH         The state with the history to show, instead of that of
                      the selected workspace.
`,
  async run(args, context) {
    const parsed = parseFlags(HISTORY_DIFF_FLAGS, args);
    return await (await import('./run.ts')).runHistoryDiff(parsed, context);
  },
};
