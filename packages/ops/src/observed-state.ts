import {
  isOpenCreate,
  type Interrupted,
  type StateFile,
  type StoreOptions,
  type WritableState,
} from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { OpenedState } from './opened-state.ts';
import type { Project } from './project.ts';
import type { BaseState, ObservedRun, RunObservation } from './run-observer.ts';
import { sideStorageOf } from './side-storage.ts';

/** An operation that changes a state, as its code knows it. */
export interface RunSubject extends Pick<ObservedRun, 'operation' | 'plan' | 'providers'> {
  readonly project: Project;
  readonly opened: Pick<OpenedState, 'backend' | 'workspace' | 'project' | 'manager'>;
}

/** Announces an operation to the project's observer, if it has one. */
export async function observeRun(
  { project, opened, ...run }: RunSubject,
  base: BaseState,
): Promise<RunObservation | undefined> {
  return await project.observer?.begin({
    ...run,
    host: project.host,
    workspace: opened.workspace,
    sideStorage: () => sideStorageOf(opened),
    codec: opened.project.stateCodec,
    base,
  });
}

/**
 * Returns a state whose replacements are reported to the project's observer: those of commands that edit a state
 * instead of recording events.
 */
export function observedState(state: WritableState, run: RunSubject): WritableState {
  if (run.project.observer === undefined) return state;
  const observe = async (
    change: () => Promise<readonly Diagnostic[]>,
    file: StateFile | undefined,
    interrupted: readonly Interrupted[],
  ): Promise<readonly Diagnostic[]> => {
    const observation = await observeRun(run, state);
    const diagnostics = await change();
    const warnings = await observation?.end({ file, interrupted, diagnostics, stopped: false });
    return hasErrors(diagnostics) ? diagnostics : [...diagnostics, ...(warnings ?? [])];
  };
  return {
    file: state.file,
    name: state.name,
    deadJournal: state.deadJournal,
    interrupted: state.interrupted,
    guard: state.guard,
    begin: () => state.begin(),
    write: (file: StateFile, options?: StoreOptions) =>
      observe(() => state.write(file, options), file, state.interrupted.filter(isOpenCreate)),
    storeRecovered: (staysOpen) =>
      observe(
        () => state.storeRecovered(staysOpen),
        state.file,
        state.interrupted.filter(staysOpen),
      ),
  };
}
