import type { Configuration, StateManager } from '@terrane/engine';
import type { Encryption } from '@terrane/encryption';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { backendOf, type FoundBackend } from './backend/current-backend.ts';
import type { SavedBackend } from './backend/saved-backend.ts';
import type { StateBackend } from './backend/state-backend.ts';
import { openEncryptionOf } from './encryption.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { errorOf } from './run-ports.ts';
import { stateManagerOf } from './state-manager.ts';
import type { StateOptions } from './state-options.ts';
import { selectedWorkspace, workspaceProblem } from './workspace.ts';

/** The backend and workspace of a state. The storage has not been accessed yet. */
export interface SelectedState {
  readonly backend: StateBackend;
  /** the recorded backend settings; undefined for the default local backend */
  readonly saved: SavedBackend | undefined;
  readonly workspace: string;
  /** the project, with the codec of its states */
  readonly project: Project;
  readonly encryption: Encryption | undefined;
}

/** A selected state with its manager. It is neither locked nor read. */
export interface OpenedState extends SelectedState {
  readonly manager: StateManager;
}

/** Settings of a state that override those of the configuration. */
export interface StateOverrides {
  readonly encryption?: Encryption | undefined;
  /** backend to use instead of the initialised one */
  readonly backend?: FoundBackend | undefined;
}

/**
 * Opens the state of the selected workspace in the project's backend. Encryption follows the configuration unless it is
 * overridden. Diagnostics with a result are warnings.
 */
export async function openState(
  project: Project,
  configuration: Configuration | undefined,
  options: StateOptions,
  overrides?: StateOverrides,
): Promise<Outcome<OpenedState>> {
  const { result, diagnostics } = await selectState(project, configuration, overrides);
  return result === undefined
    ? { diagnostics }
    : await openSelectedState(result, diagnostics, options);
}

/** Selects the backend and workspace without creating anything in the backend. */
export async function selectState(
  base: Project,
  configuration: Configuration | undefined,
  overrides?: StateOverrides,
): Promise<Outcome<SelectedState>> {
  const encrypted =
    overrides === undefined
      ? await openEncryptionOf(base, configuration)
      : { ...overrides, diagnostics: [] };
  if (hasErrors(encrypted.diagnostics)) return { diagnostics: encrypted.diagnostics };
  const { encryption } = encrypted;
  const project: Project = { ...base, stateCodec: encryption?.state };
  const selected = overrides?.backend ?? (await backendOf(project, configuration));
  const diagnostics = [...encrypted.diagnostics, ...selected.diagnostics];
  const { backend, saved } = selected;
  if (backend === undefined) return { diagnostics };
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return { diagnostics: [problem] };
  const { name: workspace } = await selectedWorkspace(project);
  return { result: { backend, saved, workspace, project, encryption }, diagnostics };
}

/** Opens a selected state. Creates the workspace in the backend if it does not exist. Passes `warnings` on. */
export async function openSelectedState(
  selected: SelectedState,
  warnings: readonly Diagnostic[],
  options: StateOptions,
): Promise<Outcome<OpenedState>> {
  try {
    const { project, backend, workspace } = selected;
    const manager = await stateManagerOf(project, backend, workspace, options);
    return { result: { ...selected, manager }, diagnostics: warnings };
  } catch (error) {
    return { diagnostics: [...warnings, errorOf(error)] };
  }
}
