import { SHOW_HELP, type CommandContext } from '../../command.ts';
import { viewFor } from '../../run/views-for.ts';
import { FORMAT_VERSION, runJson } from '../history/history-json.ts';
import { runText } from '../history/history-text.ts';
import { withHistory } from '../history/open-history.ts';
import { runArgument } from '../history/run-argument.ts';
import type { HistoryShowFlags } from './flags.ts';

/** Shows a run with its changes. */
export async function runHistoryShow(
  parsed: HistoryShowFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { values, rest } = parsed;
  const id = runArgument(view, 'history show', rest);
  if (id === undefined) return SHOW_HELP;
  return await withHistory(view, context, values, async ({ history }) => {
    const run = history.find(id);
    if ('severity' in run) {
      view.diagnostics([run]);
      return 1;
    }
    const { record, changes } = await history.show(run);
    if (values.json) {
      view.line(JSON.stringify({ format_version: FORMAT_VERSION, run: runJson(record, changes) }));
    } else {
      view.print(runText(record, changes));
    }
    return 0;
  });
}
