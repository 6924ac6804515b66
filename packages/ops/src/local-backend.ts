import type { StateOptions } from './state-options.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** The file locations of the local backend. */
export interface LocalBackend {
  readonly kind: 'local';
  /** the state file of the default workspace */
  readonly path: string;
  /** in it, a directory for each other workspace */
  readonly workspaceDirectory: string;
}

/** Paths of one workspace's state. */
export interface StateLocation {
  readonly path: string;
  readonly outPath: string;
  /** false: no backup */
  readonly backupPath: string | false;
}

/** The file of the default workspace's state. */
export const STATE_FILE = 'terraform.tfstate';
/** The default directory for states of other workspaces. */
export const WORKSPACES_DIRECTORY = 'terraform.tfstate.d';
/** The backend of configurations that name none. */
export const DEFAULT_LOCAL_BACKEND: LocalBackend = {
  kind: 'local',
  path: STATE_FILE,
  workspaceDirectory: WORKSPACES_DIRECTORY,
};

/** Returns the paths of a workspace's state: for reading, for writing and for the backup. */
export function stateLocation(
  backend: LocalBackend,
  workspace: string,
  options: StateOptions,
): StateLocation {
  const isDefault = workspace === DEFAULT_WORKSPACE || workspace === '';
  const defaultPath = isDefault
    ? backend.path
    : `${backend.workspaceDirectory}/${workspace}/${STATE_FILE}`;
  const path = nonEmpty(options.path) ?? defaultPath;
  const outPath = nonEmpty(options.outPath) ?? path;
  const backup = nonEmpty(options.backupPath);
  return { path, outPath, backupPath: backup === '-' ? false : (backup ?? `${outPath}.backup`) };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
