import type { Clock } from '@terrane/host';
import { expect, it } from 'vitest';
import { pauses } from './pauses.ts';

/** A clock whose time is set by the test; sleeping takes no time. */
function clockAt(time: { ms: number }): Clock {
  return {
    now: () => new Date(time.ms),
    monotonicMs: () => time.ms,
    sleep: async (_ms, signal) => {
      await Promise.resolve();
      signal?.throwIfAborted();
    },
  };
}

it('pauses when requests have waited for a while, and not again at once', async () => {
  const time = { ms: 0 };
  const pause = pauses(clockAt(time), new AbortController().signal);
  expect(pause()).toBeUndefined();
  time.ms = 100;
  const paused = pause();
  expect(paused).toBeInstanceOf(Promise);
  await paused;
  expect(pause()).toBeUndefined();
});

it('abandons work whose signal is aborted', async () => {
  const controller = new AbortController();
  const pause = pauses(clockAt({ ms: 0 }), controller.signal);
  controller.abort();
  await expect(pause()).rejects.toThrow('aborted');
});
