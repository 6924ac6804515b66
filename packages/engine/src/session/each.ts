import type { Pool } from '@terrane/host';

/** Does the work for each item, no more at once than the pool has places. */
export async function eachIn<T>(
  pool: Pool,
  places: number,
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
  await Promise.all(Array.from({ length: places }, worker));
}
