import type { StateOptions } from './state-options.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** Where the local backend keeps states. */
export interface LocalBackend {
  readonly kind: 'local';
  /** of the default workspace */
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
/** Where the states of the other workspaces are. */
export const WORKSPACES_DIRECTORY = 'terraform.tfstate.d';
/** The backend of configurations that name none. */
export const DEFAULT_LOCAL_BACKEND: LocalBackend = {
  kind: 'local',
  path: STATE_FILE,
  workspaceDirectory: WORKSPACES_DIRECTORY,
};

/** Where the state of a workspace is, and where it and its backup are written. */
export function stateLocation(
  backend: LocalBackend,
  workspace: string,
  options: StateOptions,
): StateLocation {
  const isDefault = workspace === DEFAULT_WORKSPACE || workspace === '';
  const usual = isDefault
    ? backend.path
    : `${backend.workspaceDirectory}/${workspace}/${STATE_FILE}`;
  const path = nonEmpty(options.path) ?? usual;
  const outPath = nonEmpty(options.outPath) ?? path;
  const backup = nonEmpty(options.backupPath);
  return { path, outPath, backupPath: backup === '-' ? false : (backup ?? `${outPath}.backup`) };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
