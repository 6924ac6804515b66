import type { Diagnostic } from '@terrane/hcl';
import type { Project } from './project.ts';

/** The name of the default workspace. */
export const DEFAULT_WORKSPACE = 'default';

/** A workspace, and whether `TF_WORKSPACE` takes precedence over the selected one. */
export interface SelectedWorkspace {
  readonly name: string;
  readonly overridden: boolean;
}

/** The workspace that commands work in. */
export async function selectedWorkspace(project: Project): Promise<SelectedWorkspace> {
  const fromEnvironment = project.host.environment.get('TF_WORKSPACE');
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return { name: fromEnvironment, overridden: true };
  }
  const path = selectionPath(project);
  const text =
    (await project.host.files.stat(path)) === undefined
      ? ''
      : await project.host.files.readText(path);
  return { name: text.trim() === '' ? DEFAULT_WORKSPACE : text.trim(), overridden: false };
}

/** Selects a workspace. The name is written atomically, since a part of it could be another workspace. */
export async function selectWorkspace(project: Project, name: string): Promise<void> {
  await project.host.files.makeDirectory(project.dataDirectory);
  await project.host.files.replaceFile(selectionPath(project), name);
}

function selectionPath(project: Project): string {
  return `${project.dataDirectory}/environment`;
}

const URL_SAFE = /^[A-Za-z0-9\-_.~$&+:=@]*$/;

/** Returns true if a workspace name is valid: it must be unchanged by URL path escaping. */
export function isWorkspaceName(name: string): boolean {
  return URL_SAFE.test(name);
}

/** Returns the error for an invalid workspace name in `TF_WORKSPACE`, which commands that need the backend reject. */
export async function workspaceProblem(project: Project): Promise<Diagnostic | undefined> {
  const { name, overridden } = await selectedWorkspace(project);
  if (!overridden || isWorkspaceName(name)) return undefined;
  return {
    severity: 'error',
    summary: 'Invalid workspace name set using TF_WORKSPACE',
    detail: `There can be no workspace named ${JSON.stringify(name)}: the name must contain only URL safe characters, and no path separators. Set TF_WORKSPACE to another name, or unset it.`,
  };
}
