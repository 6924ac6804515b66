import type { Pool } from '@terrane/host';

/** Processes each item, with the concurrency limit of the pool. */
export async function eachIn<T>(
  pool: Pool,
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (first: T): Promise<void> => {
    await pool.run(() => work(first));
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const { value } = next;
      await pool.run(() => work(value));
    }
  };
  // No more workers than items: most resources have a single instance.
  const workers: Promise<void>[] = [];
  while (workers.length < concurrency) {
    const next = iterator.next();
    if (next.done === true) break;
    workers.push(worker(next.value));
  }
  await (workers.length === 1 ? workers[0] : Promise.all(workers));
}
