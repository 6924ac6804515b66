/** Runs tasks with limited concurrency, in order of submission. */
export interface Pool {
  /** Runs a task when there is room. Rejects without running it when the signal aborts first. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs a task when there is room. The result is immediate if there is room and the task is synchronous. */
  start<T>(task: () => T | Promise<T>): T | Promise<T>;
}

/** Creates a pool of `limit` slots (at least one). */
export function createPool(limit: number): Pool {
  const waiting: (() => void)[] = [];
  let head = 0;
  let free = Math.max(1, Math.floor(limit));

  const release = (): void => {
    const next = waiting[head];
    if (next === undefined) {
      free++;
      return;
    }
    head++;
    if (head > 1024 && head * 2 > waiting.length) {
      waiting.splice(0, head);
      head = 0;
    }
    next();
  };

  const pool: Pool = {
    async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal?.throwIfAborted();
        return await task();
      } finally {
        release();
      }
    },
    start<T>(task: () => T | Promise<T>): T | Promise<T> {
      if (free === 0) return pool.run(async () => await task());
      free--;
      let result: T | Promise<T>;
      try {
        result = task();
      } catch (error) {
        release();
        throw error;
      }
      if (result instanceof Promise) {
        return result.then(
          (value) => {
            release();
            return value;
          },
          (error: unknown) => {
            release();
            throw error;
          },
        );
      }
      release();
      return result;
    },
  };
  return pool;
}
