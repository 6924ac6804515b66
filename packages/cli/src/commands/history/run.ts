import { parseTarget } from '@terrane/addresses';
import type { OpenedHistory, RunStart, RunSummary } from '@terrane/history';
import { programCommand } from '@terrane/host';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import { viewFor } from '../../run/views-for.ts';
import type { View } from '../../views/view.ts';
import type { HistoryFlags } from './flags.ts';
import { blameJson, FORMAT_VERSION, pendingJson, summaryJson } from './history-json.ts';
import { blameText, pendingText, runsText } from './history-text.ts';
import { withHistory } from './open-history.ts';
import { serverRunJson, serverRunsText } from './server-runs-view.ts';

/** Lists the runs, or shows which of them changed the objects at an address. */
export async function runHistory(parsed: HistoryFlags, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { values, rest } = parsed;
  const [address, ...more] = rest;
  if (more.length > 0) {
    view.complain('The history command expects at most one argument, an address.\n');
    return SHOW_HELP;
  }
  if (address === undefined) {
    const showsServerRuns = true;
    return await withHistory(
      view,
      context,
      values,
      async (opened) => await listRuns(view, values, opened),
      showsServerRuns,
    );
  }
  const problems = parseTarget(address).diagnostics;
  if (problems.length > 0) {
    view.diagnostics(problems);
    return 1;
  }
  return await withHistory(view, context, values, async ({ history }) => {
    const blame = await history.blame(address);
    if (values.json) {
      view.line(
        JSON.stringify({ format_version: FORMAT_VERSION, address, objects: blameJson(blame) }),
      );
    } else if (blame.objects.length === 0) {
      view.line(`The history has no object at ${address}.`);
    } else {
      view.print(blameText(blame));
    }
    return blame.objects.length === 0 ? 1 : 0;
  });
}

/** Lists the runs of the server that executes runs of the workspace, if there is one, and those of this machine. */
async function listRuns(
  view: View,
  values: HistoryFlags['values'],
  { history, serverRuns }: OpenedHistory,
): Promise<number> {
  const { pending } = history;
  const newest = history.runs.toReversed();
  const runs = values.n > 0 ? newest.slice(0, values.n) : newest;
  const recorded = await serverRuns?.list(values.n);
  if (values.json) {
    view.line(
      JSON.stringify({
        format_version: FORMAT_VERSION,
        runs: runs.map(summaryJson),
        pending: pending === undefined ? null : pendingJson(pending),
        ...(recorded !== undefined && {
          server: { url: serverRuns?.url, runs: recorded.runs.map(serverRunJson) },
        }),
      }),
    );
    return 0;
  }
  if (recorded !== undefined) {
    view.line(`Runs at ${serverRuns?.url}\n`);
    if (recorded.runs.length === 0) view.line('The server has no runs of this workspace yet.');
    else view.print(serverRunsText(recorded.runs));
    if (recorded.hasMore) {
      view.line('\nEarlier runs are not shown. To list them all:');
      view.line(`    ${programCommand('history -n=0')}`);
    }
    if (runs.length === 0 && pending === undefined) return 0;
    view.line('\nRuns on this machine\n');
  }
  printRuns(view, runs, newest.length, pending);
  return 0;
}

/** Prints runs that were executed on this machine, the last ones of `count`. */
function printRuns(
  view: View,
  runs: readonly RunSummary[],
  count: number,
  pending: RunStart | undefined,
): void {
  if (pending !== undefined) view.print(`${pendingText(pending)}\n`);
  if (runs.length === 0) {
    view.line(
      `The history has no runs yet. Commands that change the state, such as "${programCommand('apply')}", are recorded.`,
    );
    return;
  }
  view.print(runsText(runs));
  if (runs.length === count) return;
  view.line(`\n${count - runs.length} earlier runs are not shown. To list them all:`);
  view.line(`    ${programCommand('history -n=0')}`);
}
