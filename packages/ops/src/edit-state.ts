import { type InstanceAddr, parseInstanceAddr } from '@terrane/addresses';
import {
  type Configuration,
  EMPTY_STATE,
  moveInState,
  nextStateFile,
  removeFromState,
  type State,
  type StateFile,
  type StateMove,
  taint as taintObject,
  untaint as untaintObject,
} from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { openEncryptionOf } from './encryption.ts';
import { DEFAULT_LOCAL_BACKEND, stateLocation } from './local-backend.ts';
import { inProductName, pathsOf } from '@terrane/host';
import { loadProject } from './load-project.ts';
import { withLockedState, type Outcome } from './locked-state.ts';
import { openState } from './opened-state.ts';
import type { Project } from './project.ts';
import { observedState } from './observed-state.ts';
import { checkRemoteVersion } from './remote-version.ts';
import { joinedError, plainError, type RunPorts } from './run-ports.ts';
import { editingManager } from './state-manager.ts';
import type { StateOptions } from './state-options.ts';

/** The ports of state edits. */
export type EditPorts = Pick<RunPorts, 'waiting' | 'signal'>;

/** The result of a state edit: the next state, or none if nothing is written. */
export interface Edited<T> {
  readonly next?: State;
  readonly result?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** The input of a state edit and the storage of its result. */
export interface Edit<T> {
  /** the operation in the lock information */
  readonly operation: string;
  /** `timestamped`: a backup with a new name each time; `usual`: the backup of an apply */
  readonly backup: 'timestamped' | 'usual';
  /**
   * true if the state is the file in the options, regardless of the backend; always so for commands that only edit
   * states
   */
  readonly inFile?: boolean;
  /** `path`: the file of the state, if it is on this machine */
  readonly make: (file: StateFile | undefined, path?: string) => Edited<T> | Promise<Edited<T>>;
}

/** Returns the error for a missing state. */
export const noStateText = (): string =>
  inProductName(`No state file was found!

State management commands require a state file. Run this command
in a directory where Terraform has been run or use the -state flag
to point the command to a specific state location.`);

/** Edits a state under its lock. Returns the result of the edit and the diagnostics. */
export async function editState<T>(
  project: Project,
  options: StateOptions,
  ports: EditPorts,
  edit: Edit<T>,
): Promise<Outcome<T>> {
  const loaded = await loadProject(project);
  if (hasErrors(loaded.diagnostics)) return { diagnostics: loaded.diagnostics };
  const inFile = edit.inFile ?? (edit.backup === 'timestamped' && (options.path ?? '') !== '');
  const opened = inFile
    ? await openFile(project, loaded.configuration, options)
    : await openState(project, loaded.configuration, options);
  if (opened.result === undefined) {
    const { diagnostics } = opened;
    return { diagnostics: edit.backup === 'timestamped' ? [notLoaded(diagnostics)] : diagnostics };
  }
  const { workspace, manager: defaultManager, project: openedProject } = opened.result;
  const versions = inFile ? [] : await checkRemoteVersion(opened.result, options);
  if (hasErrors(versions)) return { diagnostics: versions };
  const { backend } = opened.result;
  const manager =
    edit.backup === 'timestamped' && backend.kind === 'local'
      ? await editingManager(openedProject, backend, workspace, options)
      : defaultManager;
  const editedState = { ...opened.result, manager };
  const lockPorts = { ...ports, clock: project.host.clock };
  const editOutcome = await withLockedState(
    manager,
    options,
    edit.operation,
    lockPorts,
    async (lockedState): Promise<Outcome<T>> => {
      const { operation } = edit;
      const state = observedState(lockedState, { project, operation, opened: editedState });
      const path =
        backend.kind === 'local' ? stateLocation(backend, workspace, options).outPath : undefined;
      const edited = await edit.make(state.file, path);
      const outcome = edited.result === undefined ? {} : { result: edited.result };
      if (edited.next === undefined || hasErrors(edited.diagnostics)) {
        return { ...outcome, diagnostics: edited.diagnostics };
      }
      const file = nextStateFile(state.file, edited.next, () => project.host.random.uuid());
      const problems = await state.write(file);
      return { ...outcome, diagnostics: [...edited.diagnostics, ...problems] };
    },
  );
  return { ...editOutcome, diagnostics: [...versions, ...editOutcome.diagnostics] };
}

/** The state in the file that the options name. */
async function openFile(
  project: Project,
  configuration: Configuration | undefined,
  options: StateOptions,
): ReturnType<typeof openState> {
  const { encryption, diagnostics } = await openEncryptionOf(project, configuration);
  if (hasErrors(diagnostics)) return { diagnostics };
  const backend = { backend: DEFAULT_LOCAL_BACKEND, diagnostics };
  return await openState(project, configuration, options, { encryption, backend });
}

/** Returns the error for a state that cannot be loaded, in the form of the state commands. */
function notLoaded(diagnostics: readonly Diagnostic[]): Diagnostic {
  const { summary } = joinedError('Error loading the state', diagnostics);
  return plainError(`${summary}

Please ensure that your Terraform state exists and that you've
configured it properly. You can use the "-state" flag to point
Terraform at another state file.`);
}

/** Removes instances from the state without destroying their objects. Returns them in order. */
export async function forget(
  project: Project,
  addresses: readonly string[],
  options: StateOptions & { readonly dryRun: boolean },
  ports: EditPorts,
): Promise<Outcome<readonly InstanceAddr[]>> {
  return await editState(project, options, ports, {
    operation: 'state-rm',
    backup: 'timestamped',
    make(file) {
      if (file === undefined) return { diagnostics: [plainError(noStateText())] };
      const { state, removed, diagnostics } = removeFromState(file.state, addresses);
      // A dry run without matches is not a failure.
      if (options.dryRun) {
        const problems = removed.length === 0 ? diagnostics.slice(0, -1) : diagnostics;
        return { result: removed, diagnostics: problems };
      }
      return { result: removed, next: state, diagnostics };
    },
  });
}

/** The source and target addresses of a move. */
export interface MoveRequest {
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
  /** the target state file, and the path of its backup */
  readonly outPath?: string;
  readonly outBackupPath?: string;
}

/** Moves objects to another address, in the same state or to another one. Returns the moved objects. */
export async function move(
  project: Project,
  request: MoveRequest,
  options: StateOptions,
  ports: EditPorts,
): Promise<Outcome<StateMove['moved']>> {
  return await editState(project, options, ports, {
    operation: 'state-mv',
    backup: 'timestamped',
    async make(file, path) {
      if (file === undefined) return { diagnostics: [plainError(noStateText())] };
      const { outPath = '' } = request;
      const { normalize } = pathsOf(project.host.environment);
      if (outPath === '' || (path !== undefined && normalize(outPath) === normalize(path)))
        return editOf(moveInState(file.state, request.from, request.to), request);
      return await moveAcross(project, request, { ...options, path: outPath }, ports, file.state);
    },
  });
}

async function moveAcross(
  project: Project,
  request: MoveRequest,
  options: StateOptions,
  ports: EditPorts,
  from: State,
): Promise<Edited<StateMove['moved']>> {
  const { lock, lockTimeoutMs, path = '' } = options;
  // Terraform fails too: a device or a pipe stores nothing, so the objects would be lost from both states.
  if ((await project.host.files.stat(path))?.kind === 'other') {
    const detail = `"${path}" is a device or a pipe, which cannot keep a state. Name a file instead.`;
    return { diagnostics: [errorDiagnostic('Objects cannot be moved there', detail)] };
  }
  const there: StateOptions = {
    lock,
    lockTimeoutMs,
    path,
    backupPath: request.outBackupPath ?? '-',
  };
  let here: Edited<StateMove['moved']> | undefined;
  const outcome = await editState<StateMove['moved']>(project, there, ports, {
    operation: 'state-mv',
    backup: 'timestamped',
    inFile: true,
    make(file) {
      const moved = moveInState(from, request.from, request.to, file?.state ?? EMPTY_STATE);
      here = editOf(moved, request);
      const next = here.next === undefined ? {} : { next: moved.to };
      return { diagnostics: here.diagnostics, ...next };
    },
  });
  const { next, result } = here ?? {};
  return {
    diagnostics: outcome.diagnostics,
    ...(result === undefined ? {} : { result }),
    // Objects that were not stored in the target must not be removed here.
    ...(next === undefined || hasErrors(outcome.diagnostics) ? {} : { next }),
  };
}

function editOf(moved: StateMove, request: MoveRequest): Edited<StateMove['moved']> {
  const problem = moved.problem === undefined ? [] : [plainError(moved.problem)];
  const diagnostics = [...moved.diagnostics, ...problem];
  const keep = request.dryRun || hasErrors(diagnostics) || moved.moved.length === 0;
  return { result: moved.moved, diagnostics, ...(keep ? {} : { next: moved.from }) };
}

/**
 * Taints or untaints an object; with `dryRun` it only determines whether that is possible. Returns the instance's
 * address if it exists.
 */
export async function taint(
  project: Project,
  action: 'taint' | 'untaint',
  address: string,
  options: StateOptions & { readonly allowMissing: boolean; readonly dryRun?: boolean },
  ports: EditPorts,
): Promise<Outcome<InstanceAddr>> {
  const parsed = parseInstanceAddr(address);
  const addr = parsed.address;
  if (addr === undefined) return { diagnostics: parsed.diagnostics };
  if (action === 'taint' && addr.resource.resource.mode !== 'managed') {
    return { diagnostics: [plainError(`Resource instance ${addr.text} cannot be tainted`)] };
  }
  return await editState<InstanceAddr>(project, options, ports, {
    operation: action,
    backup: 'usual',
    make(file) {
      const change = action === 'taint' ? taintObject : untaintObject;
      const { state, diagnostics } = change(file?.state ?? EMPTY_STATE, addr, options);
      if (state === undefined) return { diagnostics };
      const next = options.dryRun === true ? {} : { next: state };
      return { result: addr, ...next, diagnostics };
    },
  });
}
