import type { Clock } from './host.ts';

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { setTimeout: delay } = await import('node:timers/promises');
      try {
        await delay(ms, undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
