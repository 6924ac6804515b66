import { createStateManager, type StateManager } from '@terrane/engine';
import { localStateFiles, localStorage, timestampedBackupPath } from '@terrane/backends';
import { stateLocation, type LocalBackend, type StateLocation } from './local-backend.ts';
import type { Project } from './project.ts';
import type { StateOptions } from './state-options.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** The manager of a workspace's state. Workspaces but the default one get their directory made. */
export async function stateManagerOf(
  project: Project,
  backend: LocalBackend,
  workspace: string,
  options: StateOptions,
): Promise<StateManager> {
  if (workspace !== DEFAULT_WORKSPACE) {
    await project.host.files.makeDirectory(`${backend.workspaceDirectory}/${workspace}`);
  }
  return managerAt(project, stateLocation(backend, workspace, options));
}

/** The manager of a state at a place. */
export function managerAt(project: Project, location: StateLocation): StateManager {
  const { path, outPath, backupPath } = location;
  return createStateManager({
    host: project.host,
    storage: localStorage(project.host, { path: outPath, readPath: path }),
    journalPath: localStateFiles(outPath).journal,
    backupPath: backupPath === false ? undefined : backupPath,
  });
}

/**
 * The manager for a command that edits a state by hand. It always keeps a backup, under a name that tells
 * the time unless another one is given.
 */
export function editingManager(
  project: Project,
  backend: LocalBackend,
  workspace: string,
  options: StateOptions,
): StateManager {
  const { path, outPath } = stateLocation(backend, workspace, options);
  const { backupPath = '-' } = options;
  return managerAt(project, {
    path,
    outPath,
    backupPath:
      backupPath === '-' || backupPath === ''
        ? timestampedBackupPath(outPath, project.host.clock.now())
        : backupPath,
  });
}
