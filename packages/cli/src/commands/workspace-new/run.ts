import { hasErrors } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import {
  createWorkspace,
  isWorkspaceName,
  type Project,
  readStateAt,
  selectedWorkspace,
} from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { WorkspaceNewFlags } from './flags.ts';
import type { CommandView } from '../../views/command-view.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';
import {
  workspacesFor,
  select,
  onlyName,
  refuseEmptyName,
  refuseName,
  printCreated,
} from '../workspace/workspace-name.ts';

/** Creates a workspace and selects it. */
export async function runWorkspaceNew(
  parsed: WorkspaceNewFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const name = onlyName(parsed, view);
  if (name === undefined) return usageErrorCode(parsed);
  if (name === '') return refuseEmptyName(view);
  if (!isWorkspaceName(name)) return refuseName(view, name);
  const project = projectFor(parsed, context);
  const current = await selectedWorkspace(project);
  if (current.overridden && current.name !== name) {
    view.complain(
      '\nThe workspace is currently overridden using the TF_WORKSPACE environment\nvariable. You cannot create a new workspace when using this setting.\n\nTo create a new workspace, either unset this environment variable or update it\nto match the workspace name you are trying to create, and then run this command\nagain.\n',
      {
        message:
          'The workspace is currently overridden using the TF_WORKSPACE environment variable. You cannot create a new workspace when using this setting. To create a new workspace, either unset this environment variable or update it to match the workspace name you are trying to create, and then run this command again',
      },
    );
    return 1;
  }
  const failed = 'Failed to get configured named states: ';
  const workspaces = await workspacesFor(view, project, failed);
  if (workspaces === undefined) return 1;
  if (workspaces.names.includes(name)) {
    const message = `Workspace ${JSON.stringify(name)} already exists`;
    view.complain(message, { message });
    return 1;
  }
  const { state } = parsed.values;
  const options = stateOptions({
    lock: parsed.values.lock,
    'lock-timeout': parsed.values['lock-timeout'],
  });
  const initial = await initialState(project, state, view);
  if (initial === 'unreadable') return 1;
  const problems = await createWorkspace(
    project,
    workspaces.backend,
    name,
    options,
    waitingPorts(view),
    initial,
  );
  printDiagnostics(view, problems);
  if (hasErrors(problems)) return 1;
  if (!(await select(project, name, view, 'Error selecting new workspace: '))) return 1;
  printCreated(view, name);
  return 0;
}

type ReadState = Awaited<ReturnType<typeof readStateAt>>;

/** Reads the initial state of the workspace, if one was requested. Reports a state that cannot be read. */
async function initialState(
  project: Project,
  path: string,
  view: CommandView,
): Promise<ReadState['file'] | 'unreadable'> {
  if (path === '') return undefined;
  const read = await readStateAt(project, path).catch((error: unknown) =>
    userErrorText(error, path),
  );
  if (typeof read === 'string') view.complain(read);
  else if (hasErrors(read.diagnostics)) view.separateDiagnostics(read.diagnostics);
  else if (read.file === undefined) view.complain('no state');
  else return read.file;
  return 'unreadable';
}
