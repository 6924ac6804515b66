import {
  EMPTY_STATE,
  MAIN_STATE_KEY,
  nextStateFile,
  type State,
  stateKeyOf,
  type StateSession,
  type TestedFile,
  type TestedRun,
  type WritableState,
} from '@terrane/engine';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { backendOfBlock } from '../backend/configured-backend.ts';
import { openBackend } from '../backend/current-backend.ts';
import type { Project } from '../project.ts';
import { stateManagerOf } from '../state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from '../state-options.ts';
import { DEFAULT_WORKSPACE } from '../workspace.ts';
import type { KeptReason, TestManifest } from './test-manifest.ts';

/** `test` executes tests; `cleanup` only removes remaining objects. */
export type TestMode = 'test' | 'cleanup';

/** A state that runs of a file share. */
export interface FileState {
  readonly key: string;
  state: State;
  /** the run whose configuration is used to remove or restore the objects of the state */
  run: TestedRun | undefined;
  /** restores the objects instead of removing them */
  restore: boolean;
  reason: KeptReason | undefined;
  /** the name of its state file from an earlier execution */
  readonly id: string | undefined;
  /** the backend that stores it */
  readonly backend: KeptElsewhere | undefined;
}

interface KeptElsewhere {
  readonly session: StateSession;
  readonly stored: WritableState;
}

/** The states of a file, ready to work with. */
export interface FileStates {
  /** the states by key */
  readonly shared: Map<string, FileState>;
  /** states of earlier executions whose clean-up failed */
  readonly earlier: readonly FileState[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens the states of a file: locked and read from backends, otherwise from the manifest, or empty. */
export async function openFileStates(
  project: Project,
  manifest: TestManifest,
  file: TestedFile,
  mode: TestMode,
): Promise<FileStates> {
  const shared = new Map<string, FileState>();
  const earlier: FileState[] = [];
  const diagnostics: Diagnostic[] = [];
  const keptStates = manifest.statesOf(file.name);
  if (mode === 'test' && keptStates.some(({ reason }) => reason === 'skip_cleanup')) {
    diagnostics.push(
      errorDiagnostic(
        'State manifest not empty',
        `The state manifest for ${file.name} should be empty before running tests. This could be due to a previous test run not cleaning up after itself. Please ensure that all state files are cleaned up before running tests.`,
      ),
    );
    return { shared, earlier, diagnostics };
  }
  const backends = new Map<string, KeptElsewhere>();
  for (const run of file.runs) {
    const opened = await openRunBackend(project, run, diagnostics);
    if (opened !== undefined) backends.set(stateKeyOf(run.config), opened);
  }
  if (hasErrors(diagnostics)) {
    for (const { session } of backends.values()) diagnostics.push(...(await session.release()));
    return { shared, earlier, diagnostics };
  }
  const keys = new Set(file.runs.map(({ config }) => stateKeyOf(config)));
  for (const key of keys) {
    const backend = backends.get(key);
    const statesOfKey = keptStates.filter((state) => state.key === key);
    if (backend !== undefined) {
      const id = statesOfKey.find((state) => state.id === '')?.id;
      shared.set(key, fileState(key, backend.stored.file?.state ?? EMPTY_STATE, id, backend));
      continue;
    }
    if (mode === 'cleanup') {
      for (const { id } of statesOfKey) {
        const state = await readKept(manifest, id, key, diagnostics);
        if (state === undefined) continue;
        if (shared.has(key)) earlier.push(fileState(key, state, id, undefined));
        else shared.set(key, fileState(key, state, id, undefined));
      }
    }
    if (!shared.has(key)) shared.set(key, fileState(key, EMPTY_STATE, undefined, undefined));
  }
  if (mode === 'cleanup') diagnostics.push(...orphanWarnings(keptStates, keys));
  return { shared, earlier, diagnostics };
}

/** Returns the state of a key, which it creates if necessary. */
export function sharedState({ shared }: FileStates, key: string): FileState {
  let state = shared.get(key);
  if (state === undefined) {
    state = fileState(key, EMPTY_STATE, undefined, undefined);
    shared.set(key, state);
  }
  return state;
}

function fileState(
  key: string,
  state: State,
  id: string | undefined,
  backend: KeptElsewhere | undefined,
): FileState {
  return { key, state, run: undefined, restore: false, reason: undefined, id, backend };
}

/** Stores the states that must be kept, and releases locks of backends. */
export async function closeFileStates(
  project: Project,
  manifest: TestManifest,
  file: TestedFile,
  { shared, earlier }: FileStates,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const all = [...shared.values(), ...earlier];
  for (const { state, backend } of shared.values()) {
    if (backend === undefined) continue;
    const { session, stored } = backend;
    const next = nextStateFile(stored.file, state, () => project.host.random.uuid());
    if (next.serial !== stored.file?.serial) diagnostics.push(...(await stored.write(next)));
    diagnostics.push(...(await session.release()));
  }
  if (all.some(({ reason }) => reason !== undefined)) {
    for (const candidate of shared.values())
      if (candidate.reason === undefined && !candidate.state.isEmpty)
        candidate.reason = 'dependency';
  }
  try {
    const results = all.map(({ key, id, state, reason, backend }) => ({
      key,
      id,
      state,
      reason,
      elsewhere: backend !== undefined,
    }));
    diagnostics.push(...(await manifest.keep(file.name, results)));
  } catch (error) {
    const why = userErrorText(error);
    diagnostics.push(
      errorDiagnostic(
        'Failed to save state manifest',
        `The test state manifest file could not be saved: ${why}.`,
      ),
    );
  }
  return diagnostics;
}

async function readKept(
  manifest: TestManifest,
  id: string,
  key: string,
  diagnostics: Diagnostic[],
): Promise<State | undefined> {
  if (id === '') return EMPTY_STATE;
  try {
    return await manifest.read(id);
  } catch (error) {
    const why = userErrorText(error);
    diagnostics.push(
      errorDiagnostic(
        'Failed to load state',
        `Failed to load state from manifest file for ${keyText(key)}: ${why}`,
      ),
    );
    return undefined;
  }
}

function keyText(key: string): string {
  return key === MAIN_STATE_KEY ? 'for the module under test' : key;
}

function orphanWarnings(
  keptStates: readonly { readonly key: string }[],
  keys: ReadonlySet<string>,
): readonly Diagnostic[] {
  const strange = new Set(keptStates.map(({ key }) => key).filter((key) => !keys.has(key)));
  return Array.from(strange, (key) =>
    warningDiagnostic(
      'Orphaned state',
      `The state key ${keyText(key)} is stored in the state manifest indicating a failed cleanup operation, but the state key is not claimed by any run blocks within the current test file. Either restore a run block that manages the specified state, or manually cleanup this state file.`,
    ),
  );
}

/** Locks and reads the state in the backend of a run; undefined if it has none, or after errors. */
async function openRunBackend(
  project: Project,
  run: TestedRun,
  diagnostics: Diagnostic[],
): Promise<KeptElsewhere | undefined> {
  const { backend: block } = run.config;
  if (block === undefined) return undefined;
  const { configured, diagnostics: backendProblems } = await backendOfBlock(block);
  diagnostics.push(...backendProblems);
  if (configured === undefined) return undefined;
  const problems = configured.kind.check(configured.value, configured.body, project);
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  const { backend, diagnostics: closed } = await openBackend(
    project,
    configured.kind,
    configured.value,
    configured.body,
  );
  diagnostics.push(...closed);
  if (backend === undefined) return undefined;
  try {
    const options = DEFAULT_STATE_OPTIONS;
    const manager = await stateManagerOf(project, backend, DEFAULT_WORKSPACE, options);
    const { session, diagnostics: locking } = await manager.lock(
      { operation: 'OperationTypeApply' },
      options.lockTimeoutMs,
    );
    diagnostics.push(...locking);
    if (session === undefined) return undefined;
    const { state: stored, diagnostics: reading } = await session.read();
    diagnostics.push(...reading);
    if (stored !== undefined) return { session, stored };
    diagnostics.push(...(await session.release()));
  } catch (error) {
    const why = userErrorText(error);
    const detail = `Could not retrieve state for run ${run.name}: ${why}.`;
    diagnostics.push(errorDiagnostic('Failed to load state', detail, block.range));
  }
  return undefined;
}
