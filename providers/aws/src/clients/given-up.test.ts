import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { GivenUp } from './given-up.ts';

it('listens to a try once, however many requests it makes', () => {
  const [attempt, run] = [new AbortController(), new AbortController()];
  const tries = new GivenUp();
  const signals = Array.from({ length: 50 }, () => tries.of(attempt.signal, run.signal));
  expect(new Set(signals).size).toBe(1);
  expect(getEventListeners(attempt.signal, 'abort')).toHaveLength(1);
  attempt.abort(new Error('time is over'));
  expect(signals[0]?.reason).toEqual(new Error('time is over'));
});

it('completes requests in flight when the run is stopped gracefully', () => {
  const [attempt, run] = [new AbortController(), new AbortController()];
  const signal = new GivenUp().of(attempt.signal, run.signal);
  run.abort();
  attempt.abort();
  expect(signal.aborted).toBe(false);
});

it('has a signal of its own for every try and every run', () => {
  const [first, second, run, other] = Array.from({ length: 4 }, () => new AbortController().signal);
  if (!first || !second || !run || !other) throw new Error('four were made');
  const tries = new GivenUp();
  const signals = [tries.of(first, run), tries.of(second, run), tries.of(first, other)];
  expect(new Set(signals).size).toBe(3);
});
