import { createStateManager, EMPTY_STATE, nextStateFile, type StateManager } from '@terrane/engine';
import { localStateFiles, localStorage, timestampedBackupPath } from '@terrane/backends';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Storage } from '@terrane/host';
import type { OpenedBackend, StateBackend } from './backend/state-backend.ts';
import { type LocalBackend, stateLocation, type StateLocation } from './local-backend.ts';
import { withLockedState } from './locked-state.ts';
import type { Project } from './project.ts';
import { joinedError } from './run-ports.ts';
import { DEFAULT_STATE_OPTIONS, type StateOptions } from './state-options.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/**
 * Returns the state manager of a workspace; creates the workspace if necessary. Rejects, with a message for users, if
 * the backend is not reachable.
 */
export async function stateManagerOf(
  project: Project,
  backend: StateBackend,
  workspace: string,
  options: StateOptions,
): Promise<StateManager> {
  if (backend.kind === 'opened') {
    if (options.readOnly !== true) await makeWorkspace(project, backend, workspace);
    return await remoteManager(project, backend, workspace, options.readOnly);
  }
  if (workspace !== DEFAULT_WORKSPACE && options.readOnly !== true) {
    await project.host.files.makeDirectory(`${backend.workspaceDirectory}/${workspace}`);
  }
  return managerAt(project, stateLocation(backend, workspace, options));
}

/** Returns the state manager of a local state file. */
export function managerAt(project: Project, location: StateLocation): StateManager {
  const { path, outPath, backupPath } = location;
  return createStateManager({
    host: project.host,
    storage: localStorage(project.host, { path: outPath, readPath: path }),
    journalPath: localStateFiles(outPath, project.host.environment).journal,
    backupPath: backupPath === false ? undefined : backupPath,
    codec: project.stateCodec,
  });
}

/** Returns the storage of a workspace's state in a backend. Rejects if the workspace does not exist. */
export async function storageElsewhere(opened: OpenedBackend, workspace: string): Promise<Storage> {
  const fault = workspaceFault(opened, workspace);
  if (fault !== undefined) throw new Error(fault);
  return await opened.backend.storage(workspace);
}

/** Returns the error for an invalid workspace name of a backend, if any. */
export function workspaceFault(backend: StateBackend, workspace: string): string | undefined {
  if (workspace === DEFAULT_WORKSPACE || hasWorkspaces(backend)) return undefined;
  const type = backend.kind === 'opened' ? backend.type : backend.kind;
  return `the ${JSON.stringify(type)} backend does not support workspaces`;
}

/** Returns true if a backend supports other workspaces than the default one. */
export function hasWorkspaces(backend: StateBackend): boolean {
  return backend.kind === 'local' || backend.backend.workspaces !== undefined;
}

/** Returns the state manager of a remote state. Its journal is local until the state is stored. */
async function remoteManager(
  project: Project,
  backend: OpenedBackend,
  workspace: string,
  readOnly: boolean = false,
): Promise<StateManager> {
  const { files } = project.host;
  const directory = `${project.dataDirectory}/journals`;
  if (!readOnly) await files.makeDirectory(directory);
  return createStateManager({
    host: project.host,
    storage: await storageElsewhere(backend, workspace),
    journalPath: `${directory}/${backend.identity}-${workspace}.journal`,
    codec: project.stateCodec,
  });
}

/** Creates a workspace by writing an empty state, as a backend lists only workspaces with a state. */
async function makeWorkspace(
  project: Project,
  backend: OpenedBackend,
  workspace: string,
): Promise<void> {
  const { workspaces } = backend.backend;
  if (workspace === DEFAULT_WORKSPACE || workspaces === undefined) return;
  if (workspaces.areNamed === true) return;
  if ((await workspaces.names()).includes(workspace)) return;
  const manager = await remoteManager(project, backend, workspace);
  const ports = { clock: project.host.clock };
  const creation = await withLockedState(
    manager,
    DEFAULT_STATE_OPTIONS,
    'init',
    ports,
    async (state): Promise<{ readonly diagnostics: readonly Diagnostic[] }> => {
      if (state.file !== undefined) return { diagnostics: [] };
      const file = nextStateFile(undefined, EMPTY_STATE, () => project.host.random.uuid());
      return { diagnostics: await state.write(file) };
    },
  );
  if (hasErrors(creation.diagnostics))
    throw new Error(joinedError('', creation.diagnostics).summary);
}

/**
 * Returns the manager for a command that edits a local state. It always writes a backup, with a time stamp in its name
 * unless a name is set.
 */
export async function editingManager(
  project: Project,
  backend: LocalBackend,
  workspace: string,
  options: StateOptions,
): Promise<StateManager> {
  const { path, outPath } = stateLocation(backend, workspace, options);
  const { backupPath = '-' } = options;
  return managerAt(project, {
    path,
    outPath,
    backupPath:
      backupPath === '-' || backupPath === '' ? await newBackupPath(project, outPath) : backupPath,
  });
}

/** Edits may follow each other within a second, and none may replace the backup of another. */
async function newBackupPath({ host }: Project, outPath: string): Promise<string> {
  for (let time = host.clock.now().getTime(); ; time += 1000) {
    const path = timestampedBackupPath(outPath, new Date(time));
    if ((await host.files.stat(path)) === undefined) return path;
  }
}
