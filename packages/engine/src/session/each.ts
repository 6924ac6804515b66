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
      if (signal?.aborted === true) return;
      const next = take();
      if (next.done === true) return;
      value = next.value;
    }
  };
  // No more workers than items.
  const workers = [worker(first.value)];
  while (workers.length < concurrency && signal?.aborted !== true) {
    const next = take();
    if (next.done === true) break;
    workers.push(worker(next.value));
  }
  return Promise.all(workers).then(() => undefined);
}
