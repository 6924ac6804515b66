import { hasErrors, errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { StateFile, StateManager } from '@terrane/engine';
import { loadRootModule } from './load-project.ts';
import { backendOf } from './backend/current-backend.ts';
import type { StateBackend } from './backend/state-backend.ts';
import { openEncryptionOf } from './encryption.ts';
import { withLockedState, type Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { errorOf, plainError, type RunPorts } from './run-ports.ts';
import { hasWorkspaces, stateManagerOf } from './state-manager.ts';
import type { StateOptions } from './state-options.ts';
import { DEFAULT_WORKSPACE, workspaceProblem } from './workspace.ts';

/** The workspaces of a project, the default one first. */
export interface Workspaces {
  readonly names: readonly string[];
  /** false: there can be no others */
  readonly canBeMade: boolean;
  readonly backend: StateBackend;
}

/** Lists the workspaces with states in the backend. */
export async function listWorkspaces(project: Project): Promise<Outcome<Workspaces>> {
  const { configuration, diagnostics } = await loadRootModule(project);
  if (hasErrors(diagnostics)) return { diagnostics };
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return { diagnostics: [problem] };
  const selection = await backendOf(project, configuration);
  if (selection.backend === undefined) return { diagnostics: selection.diagnostics };
  const { backend } = selection;
  try {
    const names = await workspaceNames(project, backend);
    return { result: { names, canBeMade: hasWorkspaces(backend), backend }, diagnostics: [] };
  } catch (error) {
    const { summary, detail } = errorOf(error);
    const text = detail === '' ? summary : `${summary}: ${detail}`;
    return { diagnostics: [{ ...plainError(text), extra: { kind: UNLISTED } }] };
  }
}

/** The kind of the extra of errors that prevented a backend from listing its workspaces. */
export const UNLISTED = 'workspaces not listed';

/** Returns the names of the workspaces with states in a backend, the default one first. */
export async function workspaceNames(
  project: Project,
  backend: StateBackend,
): Promise<readonly string[]> {
  if (backend.kind === 'opened')
    return (await backend.backend.workspaces?.names()) ?? [DEFAULT_WORKSPACE];
  const { files } = project.host;
  const entries =
    (await files.stat(backend.workspaceDirectory)) === undefined
      ? []
      : await files.readDirectory(backend.workspaceDirectory);
  const names = entries.filter((each) => each.kind === 'directory').map((each) => each.name);
  return [DEFAULT_WORKSPACE, ...names];
}

/** Creates the storage of a workspace's state, with an optional initial state. */
export async function createWorkspace(
  project: Project,
  backend: StateBackend,
  name: string,
  options: StateOptions,
  ports: Pick<RunPorts, 'waiting' | 'signal'>,
  initial?: StateFile,
): Promise<readonly Diagnostic[]> {
  if (!hasWorkspaces(backend)) return [unsupported()];
  const opened = await withEncryption(project);
  if (hasErrors(opened.diagnostics)) return opened.diagnostics;
  let manager: StateManager;
  try {
    manager = await stateManagerOf(opened.project, backend, name, options);
  } catch (error) {
    return [errorOf(error)];
  }
  if (initial === undefined) return [];
  const lockPorts = { ...ports, clock: project.host.clock };
  const creation = await withLockedState(
    manager,
    options,
    'workspace-new',
    lockPorts,
    async (state): Promise<Outcome<never>> => {
      // A copy has a new lineage.
      const file = { ...initial, lineage: project.host.random.uuid(), serial: 1 };
      return { diagnostics: await state.write(file) };
    },
  );
  return creation.diagnostics;
}

/** A deleted workspace; `managed` objects may still exist. */
export interface DeletedWorkspace {
  readonly wasEmpty: boolean;
}

/** Deletes a workspace with its state. One that manages objects is only deleted with `force`. */
export async function deleteWorkspace(
  project: Project,
  backend: StateBackend,
  name: string,
  options: StateOptions & { readonly force: boolean },
  ports: Pick<RunPorts, 'waiting' | 'signal'>,
): Promise<Outcome<DeletedWorkspace>> {
  if (!hasWorkspaces(backend)) return { diagnostics: [unsupported()] };
  const opened = await withEncryption(project);
  if (hasErrors(opened.diagnostics)) return { diagnostics: opened.diagnostics };
  let manager: StateManager;
  try {
    manager = await stateManagerOf(opened.project, backend, name, options);
  } catch (error) {
    return { diagnostics: [errorOf(error)] };
  }
  const lockPorts = { ...ports, clock: project.host.clock };
  const deletion: Outcome<DeletedWorkspace> = await withLockedState<Outcome<DeletedWorkspace>>(
    manager,
    options,
    'workspace-delete',
    lockPorts,
    ({ file: base }) => {
      const managed = base === undefined ? [] : managedObjects(base);
      if (managed.length > 0 && !options.force) {
        return Promise.resolve({ diagnostics: [notEmpty(name, managed)] });
      }
      return Promise.resolve({ result: { wasEmpty: managed.length === 0 }, diagnostics: [] });
    },
  );
  if (deletion.result !== undefined && !hasErrors(deletion.diagnostics)) {
    if (name === DEFAULT_WORKSPACE)
      return { diagnostics: [...deletion.diagnostics, plainError('cannot delete default state')] };
    try {
      if (backend.kind === 'opened')
        await backend.backend.workspaces?.delete(name, { force: options.force });
      else await project.host.files.removeTree(`${backend.workspaceDirectory}/${name}`);
    } catch (error) {
      return { diagnostics: [...deletion.diagnostics, errorOf(error)] };
    }
  }
  return deletion;
}

const unsupported = (): Diagnostic => plainError('workspaces not supported');

/** Returns the project with the encryption of its states. */
async function withEncryption(
  project: Project,
): Promise<{ readonly project: Project; readonly diagnostics: readonly Diagnostic[] }> {
  const { configuration } = await loadRootModule(project);
  const { encryption, diagnostics } = await openEncryptionOf(project, configuration);
  return { project: { ...project, stateCodec: encryption?.state }, diagnostics };
}

function managedObjects(file: StateFile): readonly string[] {
  const lines: string[] = [];
  for (const addr of file.state.managedInstances()) {
    const instance = file.state.instance(addr);
    if (instance?.current !== undefined) lines.push(addr.text);
    for (const key of instance?.deposed.keys() ?? []) {
      lines.push(`${addr.text} (deposed object ${key})`);
    }
  }
  return lines;
}

function notEmpty(name: string, managed: readonly string[]): Diagnostic {
  return errorDiagnostic(
    'Workspace is not empty',
    `Workspace ${JSON.stringify(name)} is currently tracking the following resource instances:${managed.map((each) => `\n  - ${each}`).join('')}\n\nDeleting this workspace would cause Terraform to lose track of any associated remote objects, which would then require you to delete them manually outside of Terraform. You should destroy these objects with Terraform before deleting the workspace.\n\nIf you want to delete this workspace anyway, and have Terraform forget about these managed objects, use the -force option to disable this safety check.`,
  );
}
