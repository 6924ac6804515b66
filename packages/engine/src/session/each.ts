import type { Pool } from '@terrane/host';
import { type Awaitable, isPromise } from '@terrane/provider';

/** Items begun before yielding to the event loop. */
const YIELD_INTERVAL = 512;

/**
 * Processes each item, with the concurrency limit of the pool. The result is immediate if the only item is processed
 * synchronously. Long lists yield to timers and I/O in between. After the signal, no item is begun.
 */
export function eachIn<T>(
  pool: Pool,
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Awaitable<void>,
  signal?: AbortSignal,
): Awaitable<void> {
  const iterator = items[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return;
  let following: IteratorResult<T> | undefined = iterator.next();
  // Most resources have a single instance.
  if (following.done === true) return pool.start(() => work(first.value));
  const take = (): IteratorResult<T> => {
    const next = following ?? iterator.next();
    following = undefined;
    return next;
  };
  const ending = signal === undefined ? NEVER : observe(signal);
  let begun = 0;
  let turn: Promise<void> | undefined;
  const nextTurn = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    begun = 0;
    turn = undefined;
  };
  const worker = async (beginning: T): Promise<void> => {
    let value = beginning;
    for (;;) {
      const current = value;
      begun++;
      const working = pool.start(() => work(current));
      if (isPromise(working)) await working;
      if (begun >= YIELD_INTERVAL) await (turn ??= nextTurn());
      if (ending.isOver) return;
      const next = take();
      if (next.done === true) return;
      value = next.value;
    }
  };
  // No more workers than items.
  const workers = [worker(first.value)];
  while (workers.length < concurrency && !ending.isOver) {
    const next = take();
    if (next.done === true) break;
    workers.push(worker(next.value));
  }
  const end = (): void => {
    if (signal !== undefined) endObservation(signal, ending);
  };
  return Promise.all(workers).then(end, (error: unknown) => {
    // The other workers still heed the signal.
    void Promise.allSettled(workers).then(end);
    throw error;
  });
}

/** Whether a run is over: asking a signal that follows others takes longer than the rest of the work for an item. */
interface Ending {
  isOver: boolean;
  /** the number of lists in progress */
  observers: number;
  readonly listener: () => void;
}

const NEVER: Ending = { isOver: false, observers: 0, listener: () => undefined };
const ENDINGS = new WeakMap<AbortSignal, Ending>();

/** Observes a signal with one listener for all lists in progress: adding one takes longer the more there are. */
function observe(signal: AbortSignal): Ending {
  let ending = ENDINGS.get(signal);
  if (ending === undefined) {
    const made: Ending = { isOver: false, observers: 0, listener: () => (made.isOver = true) };
    ENDINGS.set(signal, (ending = made));
  }
  if (ending.observers++ === 0) {
    ending.isOver = signal.aborted;
    signal.addEventListener('abort', ending.listener);
  }
  return ending;
}

function endObservation(signal: AbortSignal, ending: Ending): void {
  if (--ending.observers === 0) signal.removeEventListener('abort', ending.listener);
}
