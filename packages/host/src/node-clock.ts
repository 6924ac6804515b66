import type { Clock } from './host.ts';

/** The maximum delay of Node's timers, about 25 days; a longer delay fires immediately. */
export const MAX_TIMER_MS = 2_147_483_647;

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => new Date(),
    // Loading `performance` would take considerable time in Node.
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    async sleep(ms, signal, { background = false } = {}) {
      signal?.throwIfAborted();
      const { setTimeout: delay } = await import('node:timers/promises');
      try {
        let remaining = ms;
        do {
          await delay(Math.min(remaining, MAX_TIMER_MS), undefined, {
            ref: !background,
            ...(signal === undefined ? {} : { signal }),
          });
          remaining -= MAX_TIMER_MS;
        } while (remaining > 0);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
