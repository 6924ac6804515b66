import { ManualClock, seededRandom } from '@terrane/testkit';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { exponentialBackoff } from './backoff.ts';
import { Deadline } from './deadline.ts';
import { durationText, hours, minutes, operationTimeout, seconds } from './durations.ts';
import {
  isNotFound,
  NotFoundError,
  timedOut,
  TimeoutError,
  UnexpectedStateError,
} from './errors.ts';
import { withNotFoundRetry } from './not-found-retry.ts';
import { retry, retryable } from './retry.ts';
import { waitForState } from './wait-for-state.ts';

/** Advances the clock until the promise settles. Returns its outcome and the time. */
async function outcome<T>(
  clock: ManualClock,
  promise: Promise<T>,
): Promise<{ readonly value?: T; readonly error?: unknown; readonly at: number }> {
  let settled: { readonly value?: T; readonly error?: unknown; readonly at: number } | undefined;
  promise.then(
    (value) => (settled = { value, at: clock.monotonicMs() }),
    (error: unknown) => (settled = { error, at: clock.monotonicMs() }),
  );
  for (let i = 0; settled === undefined && i < 100; i++) await clock.advance(minutes(1));
  if (settled === undefined) throw new Error('it never ends');
  return settled;
}

describe('durations', () => {
  test.each([
    [0, '0s'],
    [0.25, '250µs'],
    [1, '1ms'],
    [1500, '1.5s'],
    [seconds(59), '59s'],
    [minutes(2), '2m0s'],
    [minutes(90), '1h30m0s'],
    [hours(25) + 1, '25h0m0.001s'],
    [-minutes(1), '-1m0s'],
  ])('%d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  test('durations in timeouts blocks', () => {
    expect(operationTimeout('1h15m')).toBe(hours(1.25));
    expect(operationTimeout(undefined)).toBe(minutes(20));
    expect(operationTimeout(undefined, minutes(5))).toBe(minutes(5));
    expect(() => operationTimeout('soon')).toThrow('"soon" is no duration like "30m"');
    expect(() => operationTimeout('-1s')).toThrow('"-1s" is a negative duration');
  });
});

describe('errors', () => {
  test('not found is detected in causes and joined errors', () => {
    const missing = new NotFoundError();
    expect(isNotFound(new Error('reading', { cause: missing }))).toBe(true);
    expect(isNotFound(new AggregateError([new Error('x'), missing]))).toBe(true);
    expect(isNotFound(new Error("couldn't find resource"))).toBe(false);
    expect(isNotFound(undefined)).toBe(false);
    const circle = new Error('round');
    circle.cause = circle;
    expect(isNotFound(circle)).toBe(false);
  });

  test.each([
    [new NotFoundError(), "couldn't find resource"],
    [new NotFoundError({ retries: 21 }), "couldn't find resource (21 retries)"],
    [new NotFoundError({ message: 'empty result' }), 'empty result'],
    [
      new UnexpectedStateError({ state: 'x', expected: ['y', 'z'], cause: new Error('quota') }),
      "unexpected state 'x', wanted target 'y, z'. last error: quota",
    ],
    [
      new TimeoutError({ timeoutMs: 120_000, lastState: 'y', expected: ['x'] }),
      "timeout while waiting for state to become 'x' (last state: 'y', timeout: 2m0s)",
    ],
    [
      new TimeoutError({ timeoutMs: 1000, expected: [], cause: new Error('denied') }),
      'timeout while waiting for resource to be gone (timeout: 1s): denied',
    ],
  ])('%s', (error, text) => {
    expect(error.message).toBe(text);
  });

  test('a time-out with a cause reports its cause', () => {
    expect(timedOut(new TimeoutError({ timeoutMs: 1, expected: [] }))).toBe(true);
    const caused = new TimeoutError({ timeoutMs: 1, expected: [], cause: new Error('x') });
    expect(timedOut(caused)).toBe(false);
    expect(timedOut(new Error('reading', { cause: caused }))).toBe(false);
  });
});

describe('a deadline', () => {
  test('bounds those within it', async () => {
    const clock = new ManualClock();
    const outer = Deadline.after(clock, minutes(3));
    const inner = outer.within(minutes(2));
    expect(inner.remainingMs).toBe(minutes(2));
    await clock.advance(minutes(2));
    expect([inner.isOver, outer.isOver]).toEqual([true, false]);
    expect(outer.within(minutes(2)).remainingMs).toBe(minutes(1));
    await clock.advance(minutes(5));
    expect(outer.remainingMs).toBe(0);
  });
});

describe('exponential back-off', () => {
  const waits = (jitter: 'full' | 'equal' | 'none' | number): number[] => {
    const backoff = exponentialBackoff(seededRandom(7), { jitter, initial: 100, cap: 1000 });
    return [0, 1, 2, 3, 4, 5, 6, 2000].map((attempt) => backoff(attempt));
  };

  test('grows up to its cap', () => {
    expect(waits('none')).toEqual([0, 100, 200, 400, 800, 1000, 1000, 1000]);
  });

  test.each([
    ['full', 0],
    ['equal', 0.5],
    [0.2, 0.8],
  ] as const)('jitter %s leaves the rest unchanged', (jitter, least) => {
    const plain = waits('none');
    const some = waits(jitter);
    for (const [i, wait] of some.entries()) {
      expect(wait).toBeGreaterThanOrEqual(plain[i]! * least);
      expect(wait).toBeLessThanOrEqual(plain[i]!);
    }
    expect(new Set(some.slice(5)).size).toBe(3);
    expect(some).toEqual(waits(jitter));
  });

  test('rejects an invalid share', () => {
    expect(() => exponentialBackoff(seededRandom(1), { jitter: 2 })).toThrow(RangeError);
  });
});

describe('waiting for a state', () => {
  interface Thing {
    readonly status: string;
    readonly statusReason?: string;
  }
  const thing = (status: string, statusReason?: string) => () => ({
    state: status,
    result: { status, ...(statusReason === undefined ? {} : { statusReason }) } as Thing,
  });

  test('has the type of the awaited object', () => {
    const clock = new ManualClock();
    const wait = { clock, timeout: 1, refresh: thing('a') };
    expectTypeOf(waitForState({ ...wait, target: ['a'] })).resolves.toEqualTypeOf<Thing>();
    expectTypeOf(
      waitForState({ clock, timeout: 1, refresh: () => undefined, target: [] }),
    ).resolves.toEqualTypeOf<undefined>();
    const target: string[] = ['a'];
    expectTypeOf(waitForState({ ...wait, target })).resolves.toEqualTypeOf<Thing | undefined>();
  });

  test('reports the reason of an unexpected state, and the object', async () => {
    const clock = new ManualClock();
    const { error } = await outcome(
      clock,
      waitForState({
        clock,
        refresh: thing('FAILED', 'no capacity'),
        pending: ['CREATING'],
        target: ['ACTIVE'],
        timeout: minutes(1),
        reason: ({ statusReason }) => statusReason,
      }),
    );
    expect(error).toMatchObject({
      message: "unexpected state 'FAILED', wanted target 'ACTIVE'. last error: no capacity",
      result: { status: 'FAILED' },
    });
  });

  test('reports the reason for its time-out', async () => {
    const clock = new ManualClock();
    const { error, at } = await outcome(
      clock,
      waitForState({
        clock,
        refresh: thing('CREATING', 'waiting for an address'),
        target: ['ACTIVE'],
        timeout: Deadline.after(clock, minutes(2)),
        reason: ({ statusReason }) => statusReason,
      }),
    );
    expect(at).toBe(minutes(2));
    expect(error).toMatchObject({
      message:
        "timeout while waiting for state to become 'ACTIVE' (last state: 'CREATING', timeout: 2m0s): waiting for an address",
      result: { status: 'CREATING' },
    });
  });

  test('aborts a refresh whose result is not needed', async () => {
    const clock = new ManualClock();
    const aborted: number[] = [];
    const hang = (signal: AbortSignal): Promise<undefined> =>
      new Promise(() => signal.addEventListener('abort', () => aborted.push(clock.monotonicMs())));
    const options = { clock, refresh: hang, target: ['x'], timeout: 1000 } as const;
    const { at } = await outcome(clock, waitForState({ ...options, gracePeriod: 500 }));
    expect([at, aborted]).toEqual([1500, [1500]]);
    expect(clock.sleeping).toBe(0);
  });

  test('waits according to the back-off', async () => {
    const clock = new ManualClock();
    const looks: number[] = [];
    const refresh = (): { state: string; result: number } => {
      looks.push(clock.monotonicMs());
      return { state: looks.length < 4 ? 'pending' : 'done', result: looks.length };
    };
    const backoff = exponentialBackoff(seededRandom(1), { initial: 50, cap: 120, jitter: 'none' });
    const wait = waitForState({ clock, refresh, target: ['done'], timeout: 5000, backoff });
    expect((await outcome(clock, wait)).value).toBe(4);
    expect(looks).toEqual([0, 50, 150, 270]);
  });

  test('waits equally long between reads that must find the object deleted', async () => {
    const clock = new ManualClock();
    const looks: number[] = [];
    const refresh = (): undefined => void looks.push(clock.monotonicMs());
    const how = { minTimeout: 3000, continuousTargetOccurrences: 3 };
    const wait = waitForState({ clock, refresh, target: [], timeout: 60_000, ...how });
    await outcome(clock, wait);
    expect(looks).toEqual([0, 3000, 6000]);
  });

  test('refreshes once without any time', async () => {
    const clock = new ManualClock();
    const done = waitForState({ clock, refresh: thing('a'), target: ['a'], timeout: 0 });
    expect((await outcome(clock, done)).value).toEqual({ status: 'a' });
    const late = waitForState({ clock, refresh: thing('b'), target: ['a'], timeout: 0 });
    expect((await outcome(clock, late)).error).toMatchObject({
      message: "timeout while waiting for state to become 'a' (last state: 'b')",
    });
  });

  test('does not begin if it is already cancelled', async () => {
    const clock = new ManualClock();
    const refresh = (): never => {
      throw new Error('looked');
    };
    const signal = AbortSignal.abort(new Error('interrupted'));
    const wait = waitForState({ clock, refresh, target: ['a'], timeout: 1, signal });
    await expect(wait).rejects.toThrow('interrupted');
  });
});

describe('retrying', () => {
  const busy = new Error('busy');

  test('uses the classification', async () => {
    const clock = new ManualClock();
    const numbers: number[] = [];
    const work = retry(
      { clock, timeout: minutes(1), isRetryable: (error) => error === busy },
      ({ number }) => {
        numbers.push(number);
        if (number < 3) throw busy;
        return 'made';
      },
    );
    expect((await outcome(clock, work)).value).toBe('made');
    expect(numbers).toEqual([1, 2, 3]);
    const other = retry({ clock, timeout: minutes(1), isRetryable: () => false }, () => {
      throw busy;
    });
    expect((await outcome(clock, other)).error).toBe(busy);
  });

  test('a plain error is final without a classification', async () => {
    const clock = new ManualClock();
    const { error, at } = await outcome(
      clock,
      retry({ clock, timeout: minutes(1) }, () => Promise.reject(busy)),
    );
    expect([error, at]).toEqual([busy, 0]);
  });

  test('tries once more when no try was answered in time', async () => {
    const clock = new ManualClock();
    const work = retry({ clock, timeout: seconds(10) }, async ({ number }) => {
      if (number === 1) await clock.sleep(hours(1));
      return number;
    });
    expect(await outcome(clock, work)).toEqual({ value: 2, at: seconds(40) });
  });

  test('reports the error of the last attempt', async () => {
    const clock = new ManualClock();
    const work = retry({ clock, timeout: seconds(10) }, async ({ number }) => {
      if (number === 1) await clock.sleep(hours(1));
      throw retryable(new Error(`try ${number}`));
    });
    expect((await outcome(clock, work)).error).toEqual(new Error('try 2'));
  });

  test.each([
    ['always', 5],
    ['unanswered', 4],
    ['never', 4],
  ] as const)('after failed tries, last try %s makes %d', async (lastTry, tries) => {
    const clock = new ManualClock();
    let made = 0;
    const work = retry({ clock, timeout: seconds(5), lastTry }, ({ number }) => {
      made = number;
      throw retryable(new Error(`try ${number}`));
    });
    const { error, at } = await outcome(clock, work);
    expect([made, (error as Error).message, at]).toEqual([tries, `try ${tries}`, seconds(5)]);
  });

  test('tries again only within the propagation time-out', async () => {
    // Creating takes 50 s a time and fails while a role is on its way; 2 minutes are given to that.
    const clock = new ManualClock();
    const starts: number[] = [];
    const options = {
      clock,
      timeout: minutes(2) + minutes(30),
      propagation: minutes(2),
      minTimeout: 10_000,
      isRetryable: () => true,
    };
    const { error, at } = await outcome(
      clock,
      retry(options, async ({ number }) => {
        starts.push(clock.monotonicMs());
        await clock.sleep(seconds(50));
        throw new Error(`role cannot be assumed, ${number}`);
      }),
    );
    expect(starts).toEqual([0, seconds(60), seconds(120)]);
    expect([error, at]).toEqual([new Error('role cannot be assumed, 3'), seconds(170)]);
  });

  test('the outer deadline bounds the propagation time-out', async () => {
    const clock = new ManualClock();
    const outer = Deadline.after(clock, seconds(5));
    const { error, at } = await outcome(
      clock,
      retry({ clock, timeout: outer, propagation: minutes(2), isRetryable: () => true }, () => {
        throw busy;
      }),
    );
    expect([error, at]).toEqual([busy, seconds(5)]);
  });

  test('is cancelled immediately', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    let aborted = false;
    const work = retry({ clock, timeout: minutes(1), signal: stop.signal }, ({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise<never>(() => undefined);
    });
    const ended = outcome(clock, work);
    stop.abort(new Error('interrupted'));
    expect(await ended).toEqual({ error: new Error('interrupted'), at: 0 });
    expect(aborted).toBe(true);
  });
});

describe('reading an object that may be new', () => {
  const missingFor = (times: number) => {
    let asked = 0;
    return { read: () => (++asked <= times ? undefined : 'thing'), asked: () => asked };
  };

  test('a new object is read until it exists', async () => {
    const clock = new ManualClock();
    const { read } = missingFor(3);
    const result = await outcome(clock, withNotFoundRetry({ clock, isNew: true }, read));
    expect(result).toEqual({ value: 'thing', at: 3500 });
  });

  test('a new object that never appears is an error', async () => {
    const clock = new ManualClock();
    const { read, asked } = missingFor(1000);
    const { error, at } = await outcome(clock, withNotFoundRetry({ clock, isNew: true }, read));
    expect(at).toBe(minutes(2));
    expect(error).toEqual(new NotFoundError({ retries: asked() }));
  });

  test('an existing object that disappears counts as deleted', async () => {
    const clock = new ManualClock();
    const { read, asked } = missingFor(1000);
    const options = { clock, isNew: false };
    expect(await outcome(clock, withNotFoundRetry(options, read))).toEqual({
      value: undefined,
      at: 0,
    });
    expect(asked()).toBe(1);
  });

  test('the classification recognizes not-found errors', async () => {
    const clock = new ManualClock();
    class HttpError extends Error {
      readonly status: number;
      constructor(status: number) {
        super(`status ${status}`);
        this.status = status;
      }
    }
    const missing = (error: unknown): boolean => error instanceof HttpError && error.status === 404;
    const fail = (status: number) => (): never => {
      throw new HttpError(status);
    };
    const options = { clock, isNotFound: missing, timeout: seconds(3) };
    const gone = withNotFoundRetry({ ...options, isNew: false }, fail(404));
    expect((await outcome(clock, gone)).value).toBeUndefined();
    const lost = withNotFoundRetry({ ...options, isNew: true }, fail(404));
    expect((await outcome(clock, lost)).error).toEqual(new HttpError(404));
    const broken = withNotFoundRetry({ ...options, isNew: true }, fail(500));
    expect((await outcome(clock, broken)).error).toEqual(new HttpError(500));
  });

  test('a new one may have to be found several times in a row', async () => {
    const clock = new ManualClock();
    const seen = ['thing', undefined, 'thing', 'thing', 'thing'];
    let asked = 0;
    const work = withNotFoundRetry(
      { clock, isNew: true, continuousOccurrences: 3 },
      () => seen[asked++],
    );
    expect((await outcome(clock, work)).value).toBe('thing');
    expect(asked).toBe(5);
  });
});
