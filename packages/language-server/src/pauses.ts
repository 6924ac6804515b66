import type { Clock } from '@terrane/host';

/** The time for which background work delays requests. */
const SLICE_MS = 5;

/**
 * Returns a function for long work to call often: it returns a promise when the work has kept requests waiting for a
 * while, and one that rejects when the signal is aborted. Waiting for it lets requests be answered.
 */
export function pauses(clock: Clock, signal: AbortSignal): () => Promise<void> | undefined {
  let began = clock.monotonicMs();
  return () => {
    if (!signal.aborted && clock.monotonicMs() - began < SLICE_MS) return undefined;
    return turns().then(() => {
      began = clock.monotonicMs();
    });
  };
  /** The first turn handles messages; their answers are sent in the second. */
  async function turns(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await clock.sleep(0, signal, { background: true });
  }
}
