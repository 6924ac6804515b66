import { setTimeout as delay } from 'node:timers/promises';

import type { Clock } from './host.ts';

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      try {
        await delay(ms, undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
