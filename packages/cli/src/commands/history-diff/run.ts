import { errorDiagnostic } from '@terrane/hcl';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import { viewFor } from '../../run/views-for.ts';
import { FORMAT_VERSION } from '../history/history-json.ts';
import { changesText } from '../history/history-text.ts';
import { withHistory } from '../history/open-history.ts';
import type { HistoryDiffFlags } from './flags.ts';

/** Compares the states after two runs. */
export async function runHistoryDiff(
  parsed: HistoryDiffFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { values, rest } = parsed;
  const [first, second, ...more] = rest;
  if (first === undefined || second === undefined || more.length > 0) {
    view.complain('The history diff command expects exactly two arguments, the IDs of two runs.\n');
    return SHOW_HELP;
  }
  return await withHistory(view, context, values, async ({ history }) => {
    const from = history.find(first);
    const to = history.find(second);
    for (const run of [from, to]) {
      if (!('severity' in run)) continue;
      view.diagnostics([run]);
      return 1;
    }
    if ('severity' in from || 'severity' in to) return 1;
    const difference = await history.difference(from, to);
    if (difference === undefined) {
      view.diagnostics([
        errorDiagnostic(
          'Unknown state',
          'The state after one of the runs cannot be reconstructed from the history: it could not be stored at that time, or records before it are missing.',
        ),
      ]);
      return 1;
    }
    const { changes } = difference;
    if (values.json) {
      const runs = { from: from.id, to: to.id };
      view.line(JSON.stringify({ format_version: FORMAT_VERSION, ...runs, changes }));
    } else {
      view.print(changesText(changes));
    }
    return 0;
  });
}
