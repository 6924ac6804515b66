import { hasErrors } from '@terrane/hcl';
import { createWorkspace, isWorkspaceName, selectedWorkspace } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { WorkspaceSelectFlags } from './flags.ts';
import { paint } from '../../views/paint.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, waitingPorts } from '../../run/views-for.ts';
import {
  workspacesFor,
  select,
  onlyName,
  refuseEmptyName,
  refuseName,
  doesNotExist,
  isMissing,
  printCreated,
} from '../workspace/workspace-name.ts';

/** Selects a workspace. */
export async function runWorkspaceSelect(
  parsed: WorkspaceSelectFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const name = onlyName(parsed, view);
  if (name === undefined) return usageErrorCode(parsed);
  const project = projectFor(parsed, context);
  const current = await selectedWorkspace(project);
  if (current.overridden) {
    view.complain(
      '\nThe selected workspace is currently overridden using the TF_WORKSPACE\nenvironment variable.\n\nTo select a new workspace, either update this environment variable or unset\nit and then run this command again.\n',
      {
        message:
          'The selected workspace is currently overridden using the TF_WORKSPACE environment variable. To select a new workspace, either update this environment variable or unset it and then run this command again',
      },
    );
    return 1;
  }
  if (!isWorkspaceName(name)) return refuseName(view, name);
  const workspaces = await workspacesFor(view, project);
  if (workspaces === undefined) return 1;
  if (name === current.name) return 0;
  const exists = workspaces.names.includes(name);
  if (!exists && !parsed.values['or-create']) {
    view.complain(`\n${doesNotExist(name, workspaces.names)}`, isMissing(name, workspaces.names));
    return 1;
  }
  if (!exists && name === '') return refuseEmptyName(view);
  if (!exists) {
    const ports = waitingPorts(view);
    const problems = await createWorkspace(
      project,
      workspaces.backend,
      name,
      stateOptions({}),
      ports,
    );
    view.separateDiagnostics(problems);
    if (hasErrors(problems)) return 1;
  }
  if (!(await select(project, name, view, ''))) return 1;
  if (exists)
    view.line(
      paint(view.style.color, `Switched to workspace ${JSON.stringify(name)}.`, 'reset', 'green'),
      { message: `Switched to workspace ${JSON.stringify(name)}` },
    );
  else printCreated(view, name);
  return 0;
}
