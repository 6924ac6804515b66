import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { HISTORY_SHOW_FLAGS } from './flags.ts';

/** `terrane history show` */
export const command: Command = {
  name: 'history show',
  summary: 'Show the changes of a run',
  flags: HISTORY_SHOW_FLAGS,
  help: `
Usage: terrane [global options] history show [options] RUN

  Shows a run of the history: who made it and when, the digests of its plan
  and configuration, the providers, each changed object with the values of its
  attributes before and after, errors, and operations without a result.
  Sensitive values are never shown.

  RUN is the ID of a run, its beginning or end, or "last". Of a run that a
  server has executed, its user, outcome and the objects of its plan are shown.

Options:

  -json               Print a JSON document.

  -state=PATH         The state with the history to show, instead of that of
                      the selected workspace.
`,
  async run(args, context) {
    const parsed = parseFlags(HISTORY_SHOW_FLAGS, args);
    return await (await import('./run.ts')).runHistoryShow(parsed, context);
  },
};
