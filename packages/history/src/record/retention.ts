import type { Clock } from '@terrane/host';
import type { HistoryIndex, HistoryStore } from './history-store.ts';
import type { HistorySettings } from './settings.ts';
import { stateBefore } from './states.ts';

const DAY_MS = 86_400_000;
/** Runs are removed in groups of a tenth of the limit, because each removal stores a complete state. */
const GROUP = 10;

/** The history without the runs that exceed the limits. */
export interface Retained {
  readonly index: HistoryIndex;
  /** Removes the data of the other runs. Must be called after the index is stored. */
  removeRest(): Promise<void>;
}

/**
 * Selects the runs that a history keeps. The last run is always kept. An undo of the first kept run needs the
 * configuration of the run before it, which is kept, and the state before it, which is stored completely.
 */
export async function retainedRuns(
  store: HistoryStore,
  index: HistoryIndex,
  { runs: limit, days }: HistorySettings,
  clock: Pick<Clock, 'now'>,
): Promise<Retained> {
  const { runs } = index;
  const oldest = days === undefined ? undefined : clock.now().getTime() - days * DAY_MS;
  const isOver = runs.length > limit + Math.floor(limit / GROUP);
  const overCount = isOver ? runs.length - limit : 0;
  const overAge =
    oldest === undefined ? 0 : runs.findIndex(({ ended }) => Date.parse(ended) >= oldest);
  const removedCount = Math.min(Math.max(overCount, overAge), runs.length - 1);
  if (removedCount <= 0) return { index, removeRest: () => Promise.resolve() };
  const removed = runs.slice(0, removedCount);
  const [first, ...rest] = runs.slice(removedCount);
  if (first === undefined) return { index, removeRest: () => Promise.resolve() };
  let start = first;
  if (!first.keyframe) {
    const before = await stateBefore(store, index, first.id);
    if (before?.file !== undefined) await store.writeState(first.id, before.file);
    start = { ...first, keyframe: true };
  }
  const kept = { ...index, runs: [start, ...rest] };
  const configurations = new Set(kept.runs.map(({ configuration }) => configuration));
  return {
    index: kept,
    async removeRest() {
      for (const { id, keyframe, configuration } of removed) {
        await store.removeRun(id);
        if (keyframe) await store.removeState(id);
        if (configuration !== undefined && !configurations.has(configuration)) {
          configurations.add(configuration);
          await store.removeConfiguration(configuration);
        }
      }
    },
  };
}
