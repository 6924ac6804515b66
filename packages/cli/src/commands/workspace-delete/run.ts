import { hasErrors } from '@terrane/hcl';
import { deleteWorkspace, selectedWorkspace } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { WorkspaceDeleteFlags } from './flags.ts';
import { paint } from '../../views/paint.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';
import { workspacesFor, onlyName, doesNotExist, isMissing } from '../workspace/workspace-name.ts';

/** Deletes a workspace that is not selected. */
export async function runWorkspaceDelete(
  parsed: WorkspaceDeleteFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const name = onlyName(parsed, view);
  if (name === undefined) return usageErrorCode(parsed);
  const project = projectFor(parsed, context);
  const workspaces = await workspacesFor(view, project);
  if (workspaces === undefined) return 1;
  if (!workspaces.names.includes(name)) {
    view.complain(doesNotExist(name, workspaces.names), isMissing(name, workspaces.names));
    return 1;
  }
  if (name === (await selectedWorkspace(project)).name) {
    view.complain(
      `Workspace ${JSON.stringify(name)} is your active workspace.\n\nYou cannot delete the currently active workspace. Please switch\nto another workspace and try again.`,
      {
        message: `Workspace ${JSON.stringify(name)} is your active workspace. You cannot delete the currently active workspace. Please switch to another workspace and try again`,
      },
    );
    return 1;
  }
  const { force, lock } = parsed.values;
  const options = {
    ...stateOptions({ lock, 'lock-timeout': parsed.values['lock-timeout'] }),
    force,
  };
  const { result, diagnostics } = await deleteWorkspace(
    project,
    workspaces.backend,
    name,
    options,
    waitingPorts(view),
  );
  printDiagnostics(view, diagnostics);
  if (result === undefined || hasErrors(diagnostics)) return 1;
  const { color } = view.style;
  view.line(paint(color, `Deleted workspace ${JSON.stringify(name)}!`, 'reset', 'green'), {
    message: `Deleted workspace ${JSON.stringify(name)}`,
  });
  if (!result.wasEmpty) {
    view.line(
      paint(
        color,
        `WARNING: ${JSON.stringify(name)} was non-empty.\nThe resources managed by the deleted workspace may still exist,\nbut are no longer manageable by ${view.named('Terrane')} since the state has\nbeen deleted.\n`,
        'reset',
        'yellow',
      ),
      {
        level: 'warn',
        message: `${JSON.stringify(name)} was non-empty. The resources managed by the deleted workspace may still exist, but are no longer manageable by ${view.named('Terrane')} since the state has been deleted`,
      },
    );
  }
  return 0;
}
