import {
  EMPTY_STATE,
  replay,
  type SnapshotName,
  type State,
  type StateEvent,
  type StateFile,
} from '@terrane/engine';
import { HistoryError } from './blobs.ts';
import type { HistoryIndex, HistoryStore } from './history-store.ts';

/** Returns true if two names are of the same snapshot; undefined means that there is no state. */
export function isSameName(a: SnapshotName | undefined, b: SnapshotName | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.lineage !== b.lineage || a.serial !== b.serial) return false;
  return a.digest === undefined || b.digest === undefined || a.digest === b.digest;
}

/**
 * Reconstructs the state after a run. Returns undefined if it is not known: the run does not exist, or its changes do
 * not continue those of the recorded runs before it.
 */
export async function stateAfter(
  store: HistoryStore,
  index: HistoryIndex,
  id: string | undefined,
): Promise<StateFile | undefined> {
  const position = index.runs.findIndex((run) => run.id === id);
  const run = index.runs[position];
  if (run === undefined) return undefined;
  const before = await stateAt(store, index, position);
  if (before === undefined) return undefined;
  return await withRun(store, before.file, run.id);
}

/** Reconstructs the state before a run; `file` is undefined if there was none. Returns undefined if it is not known. */
export async function stateBefore(
  store: HistoryStore,
  index: HistoryIndex,
  id: string,
): Promise<{ readonly file: StateFile | undefined } | undefined> {
  return await stateAt(
    store,
    index,
    index.runs.findIndex((run) => run.id === id),
  );
}

async function stateAt(
  store: HistoryStore,
  index: HistoryIndex,
  position: number,
): Promise<{ readonly file: StateFile | undefined } | undefined> {
  const start = index.runs.slice(0, position + 1).findLastIndex(({ keyframe }) => keyframe);
  const first = index.runs[start];
  if (first === undefined) return undefined;
  let file = await store.readState(first.id);
  // The state of a keyframe is absent only if there was none.
  if (file === undefined && first.base?.digest !== undefined) return undefined;
  for (const run of index.runs.slice(start, position)) {
    file = await withRun(store, file, run.id);
    if (file === undefined) return undefined;
  }
  return { file };
}

function replayed(state: State, events: readonly StateEvent[], id: string): State {
  try {
    return replay(state, events);
  } catch (error) {
    // any-error: events that do not fit the state are a defect anywhere else.
    const message = `The record of run ${id} in the history does not fit the runs before it.`;
    throw new HistoryError(message, { cause: error });
  }
}

/** Applies the changes of a run to the state before it. */
async function withRun(
  store: HistoryStore,
  file: StateFile | undefined,
  id: string,
): Promise<StateFile | undefined> {
  const run = await store.readRun(id);
  if (run === undefined) return undefined;
  const { final } = run.record;
  return {
    state: replayed(file?.state ?? EMPTY_STATE, run.events, id),
    lineage: final?.lineage ?? file?.lineage ?? '',
    serial: final?.serial ?? file?.serial ?? 0,
    terraformVersion: file?.terraformVersion ?? '',
  };
}
