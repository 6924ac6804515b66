import { ManualClock } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { TimeOut, within } from './within.ts';

const never = (): Promise<never> => new Promise(() => undefined);

it('work that ends in time returns its result, and leaves no timer', async () => {
  const clock = new ManualClock();
  expect(await within(clock, 1000, 'late', undefined, () => Promise.resolve(1))).toBe(1);
  expect(clock.sleeping).toBe(0);
});

it('work that exceeds the limit is aborted, and not awaited', async () => {
  const clock = new ManualClock();
  let abortReason: unknown;
  const result = within(clock, 1000, 'late', undefined, (signal) => {
    signal.addEventListener('abort', () => (abortReason = signal.reason));
    return never();
  });
  const outcome = expect(result).rejects.toThrow(new TimeOut('late'));
  await clock.advance(1000);
  await outcome;
  expect(abortReason).toBeInstanceOf(TimeOut);
});

it.each(['before', 'while'])('an interrupt ends the wait: %s', async (when) => {
  const clock = new ManualClock();
  const stop = new AbortController();
  if (when === 'before') stop.abort();
  const result = within(clock, 1000, 'late', stop.signal, never);
  stop.abort();
  await expect(result).rejects.toThrow('interrupted');
  expect(clock.sleeping).toBe(0);
});
