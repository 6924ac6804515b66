import type { Pool } from '@terrane/host';
import { type Awaitable, isPromise } from '@terrane/provider';

/**
 * Processes each item, with the concurrency limit of the pool. The result is immediate if the only item is processed
 * synchronously.
 */
export function eachIn<T>(
  pool: Pool,
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Awaitable<void>,
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
  const worker = async (beginning: T): Promise<void> => {
    const working = pool.start(() => work(beginning));
    if (isPromise(working)) await working;
    for (let next = take(); next.done !== true; next = take()) {
      const { value } = next;
      const continued = pool.start(() => work(value));
      if (isPromise(continued)) await continued;
    }
  };
  // No more workers than items.
  const workers = [worker(first.value)];
  while (workers.length < concurrency) {
    const next = take();
    if (next.done === true) break;
    workers.push(worker(next.value));
  }
  return Promise.all(workers).then(() => undefined);
}
