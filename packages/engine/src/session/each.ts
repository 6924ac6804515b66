import type { Pool } from '@terrane/host';

/** Processes each item, with the concurrency limit of the pool. */
export async function eachIn<T>(
  pool: Pool,
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const { value } = next;
      await pool.run(() => work(value));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
