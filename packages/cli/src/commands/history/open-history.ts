import { openHistory, type OpenedHistory } from '@terrane/history';
import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { programCommand, userErrorText } from '@terrane/host';
import { DEFAULT_STATE_OPTIONS } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import { projectOf } from '../../run/project-of.ts';
import { printDiagnostics } from '../../run/views-for.ts';
import type { View } from '../../views/view.ts';

/**
 * Opens the history and executes `work` on it. Errors are printed. Returns the exit code. With `showsServerRuns`, `work`
 * also shows the runs that a server executes; otherwise only their page is named.
 */
export async function withHistory(
  view: View,
  context: CommandContext,
  values: { readonly state: string },
  work: (opened: OpenedHistory) => Promise<number>,
  showsServerRuns = false,
): Promise<number> {
  const options = { ...DEFAULT_STATE_OPTIONS, path: values.state };
  const { result, diagnostics } = await openHistory(projectOf(context), options);
  printDiagnostics(view, diagnostics);
  if (result === undefined || hasErrors(diagnostics)) return 1;
  const { history, serverRuns } = result;
  const isHidden = serverRuns !== undefined && !showsServerRuns;
  if (isHidden && history.runs.length === 0) {
    view.diagnostics([
      errorDiagnostic(
        'Runs recorded by a server',
        `A server executes the runs of this workspace and keeps their history. To list them, use:\n    ${programCommand('history')}\n\nOr open them in a browser:\n    ${serverRuns.url}\n\nThis command works with runs that are executed on this machine.`,
      ),
    ]);
    return 1;
  }
  if (isHidden) {
    view.notice(`Runs that the server executes are not listed here, but at ${serverRuns.url}`);
  }
  try {
    return await work(result);
  } catch (error) {
    view.diagnostics([errorDiagnostic('Unreadable history', userErrorText(error))]);
    return 1;
  }
}
