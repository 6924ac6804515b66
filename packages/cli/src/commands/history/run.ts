import { parseTarget } from '@terrane/addresses';
import { programCommand } from '@terrane/host';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import { viewFor } from '../../run/views-for.ts';
import type { HistoryFlags } from './flags.ts';
import { blameJson, FORMAT_VERSION, pendingJson, summaryJson } from './history-json.ts';
import { blameText, pendingText, runsText } from './history-text.ts';
import { withHistory } from './open-history.ts';

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
  const problems = address === undefined ? [] : parseTarget(address).diagnostics;
  if (problems.length > 0) {
    view.diagnostics(problems);
    return 1;
  }
  return await withHistory(view, context, values, async ({ history }) => {
    const { pending } = history;
    if (address !== undefined) {
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
    }
    const newest = history.runs.toReversed();
    const runs = values.n > 0 ? newest.slice(0, values.n) : newest;
    if (values.json) {
      view.line(
        JSON.stringify({
          format_version: FORMAT_VERSION,
          runs: runs.map(summaryJson),
          pending: pending === undefined ? null : pendingJson(pending),
        }),
      );
      return 0;
    }
    if (pending !== undefined) view.print(`${pendingText(pending)}\n`);
    if (runs.length === 0) {
      view.line(
        `The history has no runs yet. Commands that change the state, such as "${programCommand('apply')}", are recorded.`,
      );
      return 0;
    }
    view.print(runsText(runs));
    if (runs.length < newest.length) {
      view.line(`\n${newest.length - runs.length} earlier runs are not shown. To list them all:`);
      view.line(`    ${programCommand('history -n=0')}`);
    }
    return 0;
  });
}
