import { errorDiagnostic } from '@terrane/hcl';
import type { OpenedHistory, ServerRuns } from '@terrane/history';
import { programCommand } from '@terrane/host';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import { viewFor } from '../../run/views-for.ts';
import type { View } from '../../views/view.ts';
import { FORMAT_VERSION, runJson } from '../history/history-json.ts';
import { runText } from '../history/history-text.ts';
import { withHistory } from '../history/open-history.ts';
import { runArgument } from '../history/run-argument.ts';
import { serverRunJson, serverRunText } from '../history/server-runs-view.ts';
import type { HistoryShowFlags } from './flags.ts';

/** The prefix of the IDs of runs of a server. */
const SERVER_RUN = 'run-';

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
  const show = async ({ history, serverRuns }: OpenedHistory): Promise<number> => {
    const isOfServer = id.startsWith(SERVER_RUN) || history.runs.length === 0;
    if (serverRuns !== undefined && isOfServer) {
      return await showServerRun(view, values, serverRuns, id);
    }
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
  };
  const showsServerRuns = true;
  return await withHistory(view, context, values, show, showsServerRuns);
}

async function showServerRun(
  view: View,
  values: HistoryShowFlags['values'],
  serverRuns: ServerRuns,
  id: string,
): Promise<number> {
  const shown = await serverRuns.find(id);
  if (shown === undefined) {
    view.diagnostics([
      errorDiagnostic(
        'Run not found',
        `The server has no run ${JSON.stringify(id)} of this workspace, or the token may not read it. To list the runs, use:\n    ${programCommand('history')}`,
      ),
    ]);
    return 1;
  }
  if (values.json) {
    view.line(
      JSON.stringify({
        format_version: FORMAT_VERSION,
        server: {
          url: serverRuns.url,
          run: { ...serverRunJson(shown.run), planned_changes: shown.objects ?? null },
        },
      }),
    );
  } else {
    view.print(serverRunText(shown, serverRuns.url));
  }
  return 0;
}
