import type { Pool } from '@terrane/host';
import type { Awaitable } from '@terrane/provider';

/** Processes each item, with the concurrency limit of the pool. */
export async function eachIn<T>(
  pool: Pool,
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Awaitable<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return;
  let following: IteratorResult<T> | undefined = iterator.next();
  // Most resources have a single instance.
  if (following.done === true) return await pool.start(() => work(first.value));
  const take = (): IteratorResult<T> => {
    const next = following ?? iterator.next();
    following = undefined;
    return next;
  };
  const worker = async (beginning: T): Promise<void> => {
    await pool.start(() => work(beginning));
    for (let next = take(); next.done !== true; next = take()) {
      const { value } = next;
      await pool.start(() => work(value));
    }
  };
  // No more workers than items.
  const workers = [worker(first.value)];
  while (workers.length < concurrency) {
    const next = take();
    if (next.done === true) break;
    workers.push(worker(next.value));
  }
  await Promise.all(workers);
}
