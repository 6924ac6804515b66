import type { Clock } from './host.ts';

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => new Date(),
    // `performance` would load a good part of Node for it.
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    async sleep(ms, signal, { background = false } = {}) {
      signal?.throwIfAborted();
      const { setTimeout: delay } = await import('node:timers/promises');
      try {
        await delay(ms, undefined, {
          ref: !background,
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
