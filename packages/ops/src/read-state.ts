import type { StateFile } from '@terrane/engine';
import { readStateFile } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { openEncryptionOf } from './encryption.ts';
import { loadRootModule } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { openState, type OpenedState } from './opened-state.ts';
import type { Project } from './project.ts';
import { joinedError, plainError } from './run-ports.ts';
import { DEFAULT_STATE_OPTIONS, type StateOptions } from './state-options.ts';

/** A stored state; `file` is undefined if there is none yet. */
export interface ReadState {
  readonly file?: StateFile | undefined;
  /** true if a backend stores it, instead of a local file */
  readonly isElsewhere?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the state of the selected workspace without a lock. Failures are combined into one error that starts with
 * `subject`; if `subject` is empty, they are reported individually.
 */
export async function readState(
  project: Project,
  options: StateOptions = DEFAULT_STATE_OPTIONS,
  subject = 'Failed to load state',
): Promise<ReadState> {
  const opened = await openProjectState(project, options);
  if (opened.result === undefined) return { diagnostics: opened.diagnostics };
  const { file, diagnostics } = await opened.result.manager.read();
  if (hasErrors(diagnostics) && subject !== '')
    return { diagnostics: [joinedError(subject, diagnostics)] };
  const isElsewhere = opened.result.backend.kind === 'opened';
  return { file, isElsewhere, diagnostics };
}

/** Opens the state of the selected workspace in the backend that the root module configures. */
export async function openProjectState(
  project: Project,
  options: StateOptions = DEFAULT_STATE_OPTIONS,
): Promise<Outcome<OpenedState>> {
  // Errors in child modules do not affect the backend.
  const { configuration, diagnostics } = await loadRootModule(project);
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  return await openState(project, configuration, options);
}

/** Reads a file as a state, which may be encrypted as those of the project are. */
export async function readStateAt(project: Project, path: string): Promise<ReadState> {
  const stored = await project.host.files.readFile(path);
  const read = await decodedState(project, stored);
  if (project.stateCodec !== undefined || !hasErrors(read.diagnostics)) return read;
  const { configuration } = await loadRootModule(project);
  const { encryption } = await openEncryptionOf(project, configuration);
  return encryption?.state === undefined
    ? read
    : await decodedState({ stateCodec: encryption.state }, stored);
}

/** Reads stored bytes as a state, which is encrypted as those of the project are. */
export async function decodedState(
  { stateCodec: codec }: Pick<Project, 'stateCodec'>,
  stored: Uint8Array,
): Promise<ReadState> {
  if (codec === undefined || stored.length === 0) return readStateFile(stored);
  try {
    return readStateFile((await codec.decode(stored)).bytes);
  } catch (error) {
    return { diagnostics: [plainError(userErrorText(error))] };
  }
}
