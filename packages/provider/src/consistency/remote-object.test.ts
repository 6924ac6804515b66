import { ManualClock } from '@terrane/testkit';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { gone } from '../sdk/outcomes.ts';
import { ProviderError } from '../sdk/provider-error.ts';
import { attrStep } from '@terrane/cty';
import { minutes, seconds } from './durations.ts';
import { NotFoundError, TimeoutError } from './errors.ts';
import { OperationError } from './operation-error.ts';
import { RemoteObject } from './remote-object.ts';
import type { RemoteObjectOptions } from './remote-object.ts';

interface World {
  readonly clock: ManualClock;
  readonly queue: RemoteObject;
  /** runs an operation while the clock advances; returns the outcome and the time */
  readonly run: <T>(
    work: Promise<T>,
  ) => Promise<{ readonly value?: T; readonly error?: unknown; readonly at: number }>;
}

function world(more: Partial<RemoteObjectOptions> = {}): World {
  const clock = new ManualClock();
  const queue = new RemoteObject({ clock, type: 'SQS Queue', id: 'jobs', ...more });
  return {
    clock,
    queue,
    run: async <T>(work: Promise<T>) => {
      let settled:
        | { readonly value?: T; readonly error?: unknown; readonly at: number }
        | undefined;
      work.then(
        (value) => (settled = { value, at: clock.monotonicMs() }),
        (error: unknown) => (settled = { error, at: clock.monotonicMs() }),
      );
      for (let i = 0; settled === undefined && i < 1000; i++) await clock.advance(seconds(10));
      if (settled === undefined) throw new Error('it never ends');
      return settled;
    },
  };
}

class RoleUnknown extends Error {
  override message = 'The role cannot be assumed';
}
const isRetryable = (error: unknown): boolean => error instanceof RoleUnknown;

describe('errors of one operation', () => {
  test('are tried again until the change that they wait for has arrived', async () => {
    const { clock, queue, run } = world();
    const create = (): string => {
      if (clock.monotonicMs() < seconds(45)) throw new RoleUnknown();
      return 'arn:jobs';
    };
    const without = await run(queue.operation('creating', create));
    expect(without.error).toMatchObject({
      message: 'creating SQS Queue (jobs): The role cannot be assumed',
    });
    const tried = await run(queue.operation('creating', create, { isRetryable }));
    expect(tried.value).toBe('arn:jobs');
  });

  test('of other kinds end it immediately', async () => {
    const { queue, run } = world();
    let calls = 0;
    const denied = (): never => {
      calls++;
      throw new Error('AccessDenied: no (request 12)');
    };
    const { error, at } = await run(queue.operation('tagging', denied, { isRetryable }));
    expect(error).toMatchObject({
      operation: 'tagging',
      type: 'SQS Queue',
      id: 'jobs',
      diagnostics: [
        { summary: 'tagging SQS Queue (jobs)', detail: 'AccessDenied: no (request 12)' },
      ],
    });
    expect([calls, at <= seconds(10)]).toEqual([1, true]);
  });

  test('are retried for two minutes, and then reported', async () => {
    const { queue, run } = world();
    const create = (): never => {
      throw new RoleUnknown();
    };
    const { error, at } = await run(queue.operation('creating', create, { isRetryable }));
    expect(error).toMatchObject({
      message: 'creating SQS Queue (jobs): The role cannot be assumed',
    });
    expect(at).toBe(minutes(2));
  });

  test('without a completed attempt are followed by one more after the time-out', async () => {
    const { clock, queue, run } = world();
    let calls = 0;
    // Retries inside of the client do not come back for ten minutes; then the system is well.
    const create = async (signal: AbortSignal): Promise<string> => {
      if (++calls === 1) await clock.sleep(minutes(10), signal);
      return 'arn:jobs';
    };
    const { value } = await run(queue.operation('creating', create, { isRetryable }));
    expect([value, calls]).toEqual(['arn:jobs', 2]);
    calls = 0;
    const never = await run(queue.operation('creating', create, { isRetryable, lastTry: 'never' }));
    expect(never.error).toMatchObject({ cause: expect.any(TimeoutError) as unknown });
  });

  test('an aborted attempt is signalled, and the last one continues alone', async () => {
    let current: AbortSignal | undefined;
    const within = <T>(signal: AbortSignal, call: () => T): T => {
      current = signal;
      return call();
    };
    const { clock, queue, run } = world({ within });
    const signals: AbortSignal[] = [];
    const ended: string[] = [];
    // The client knows its signal from around it, and retries for ten minutes by itself.
    const create = async (): Promise<string> => {
      const number = signals.length + 1;
      if (current !== undefined) signals.push(current);
      if (number > 1) return 'arn:jobs';
      await clock.sleep(minutes(10), current).catch(() => ended.push(`try ${number} given up`));
      return 'too late';
    };
    const { value } = await run(queue.operation('creating', create, { isRetryable }));
    expect([value, ended]).toEqual(['arn:jobs', ['try 1 given up']]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });
});

describe('errors that show at the end of a long operation', () => {
  // Each operation needs 90 s to report that the role does not exist yet.
  const slow =
    (clock: ManualClock, known: number, calls: number[]) =>
    async (signal: AbortSignal): Promise<string> => {
      calls.push(clock.monotonicMs());
      const begun = clock.monotonicMs();
      await clock.sleep(seconds(90), signal);
      if (begun < known) throw new RoleUnknown();
      return 'done';
    };

  test('are retried if it began within the propagation time, however long it takes', async () => {
    const { clock, queue, run } = world();
    const calls: number[] = [];
    const long = { isRetryable, timeout: minutes(10) };
    const { value } = await run(queue.operation('creating', slow(clock, minutes(1), calls), long));
    expect([value, calls.length]).toEqual(['done', 2]);
  });

  test('are final after it, though the operation has time left', async () => {
    const { clock, queue, run } = world();
    const calls: number[] = [];
    const long = { isRetryable, timeout: minutes(30) };
    const { error } = await run(queue.operation('creating', slow(clock, minutes(60), calls), long));
    expect(error).toMatchObject({ cause: expect.any(RoleUnknown) as unknown });
    // At 0, 91 and 182 seconds: the last one began too late.
    expect(calls.length).toBe(3);
  });
});

describe('reading', () => {
  const visibleAfter = (clock: ManualClock, ms: number) => (): { readonly url: string } => {
    if (clock.monotonicMs() < ms) throw new NotFoundError({ message: 'NonExistentQueue' });
    return { url: 'https://queue' };
  };

  test('a new object is awaited until it exists', async () => {
    const { clock, queue, run } = world();
    const work = queue.read(visibleAfter(clock, seconds(30)), { isNew: true });
    expectTypeOf(work).toEqualTypeOf<Promise<{ readonly url: string }>>();
    expect((await run(work)).value).toEqual({ url: 'https://queue' });
  });

  test('a new object that never appears is an error, and is not forgotten', async () => {
    const { clock, queue, run } = world();
    const { error, at } = await run(
      queue.read(visibleAfter(clock, Infinity), { isNew: true, timeout: seconds(50) }),
    );
    expect(error).toMatchObject({ message: 'reading SQS Queue (jobs): NonExistentQueue' });
    expect(at).toBe(seconds(50));
  });

  test('an existing object that is missing counts as deleted, immediately, with a warning', async () => {
    const logged: unknown[] = [];
    const warned: string[] = [];
    const { clock, queue, run } = world({
      log: { warn: (message, fields) => logged.push([message, fields]) },
    });
    const { value, at } = await run(
      queue.read(visibleAfter(clock, Infinity), { warn: (summary) => warned.push(summary) }),
    );
    expect([value, at <= seconds(10)]).toEqual([gone, true]);
    expect(logged).toEqual([
      [
        'SQS Queue (jobs) not found, removing from state',
        { type: 'SQS Queue', id: 'jobs', error: 'NonExistentQueue' },
      ],
    ]);
    expect(warned).toEqual(['SQS Queue (jobs) is gone']);
  });

  test.each([null, undefined])('an answer of %s is an error, not an absence', async (answer) => {
    const { queue, run } = world();
    for (const isNew of [true, false]) {
      const { error } = await run(queue.read(() => answer, { isNew }));
      expect(error).toMatchObject({ message: 'reading SQS Queue (jobs): empty response' });
    }
  });

  test('an existing object that is missing temporarily does not count as deleted', async () => {
    const { clock, queue, run } = world();
    const look = (): string => {
      if (clock.monotonicMs() < seconds(15)) throw new NotFoundError();
      return 'it';
    };
    expect((await run(queue.read(look, { missingFor: seconds(20) }))).value).toBe('it');
  });

  test('an existing object that stays missing counts as deleted after the time-out', async () => {
    const { queue, run } = world();
    let looks = 0;
    const look = (): never => {
      looks++;
      throw new NotFoundError();
    };
    const { value, at } = await run(queue.read(look, { missingFor: seconds(20) }));
    expect([value, at]).toEqual([gone, seconds(20)]);
    expect(looks).toBeGreaterThan(3);
  });

  test('an error of another kind while an old object is missing ends the read', async () => {
    const { queue, run } = world();
    let looks = 0;
    const look = (): never => {
      throw ++looks === 1 ? new NotFoundError() : new Error('AccessDenied');
    };
    const { error } = await run(queue.read(look, { missingFor: seconds(20) }));
    expect(error).toMatchObject({ message: 'reading SQS Queue (jobs): AccessDenied' });
  });

  test('recognizes not-found errors by the configured function', async () => {
    const { queue, run } = world({ isNotFound: (e) => String(e).includes('404') });
    const other = (): never => {
      throw new Error('404');
    };
    expect((await run(queue.read(other))).value).toBe(gone);
  });
});

describe('waiting', () => {
  /** states by the second from which they hold */
  const status =
    (clock: ManualClock, states: Readonly<Record<number, string | undefined>>) => () => {
      const now = clock.monotonicMs() / 1000;
      const [, state] = Object.entries(states).findLast(([from]) => Number(from) <= now) ?? [];
      if (state === undefined) throw new NotFoundError();
      return { result: { state }, state };
    };

  test('for a creation passes pending states, and reads without result', async () => {
    const { clock, queue, run } = world();
    const refresh = status(clock, { 0: undefined, 5: 'CREATING', 40: 'ACTIVE' });
    const work = queue.waitFor('creation', { pending: ['CREATING'], target: ['ACTIVE'], refresh });
    expect((await run(work)).value).toEqual({ state: 'ACTIVE' });
  });

  test('reports an unexpected state with its reason', async () => {
    const { clock, queue, run } = world();
    const { error } = await run(
      queue.waitFor('creation', {
        pending: ['CREATING'],
        target: ['ACTIVE'],
        refresh: status(clock, { 0: 'CREATING', 20: 'FAILED' }),
        reason: () => new Error('no capacity'),
      }),
    );
    expect(error).toMatchObject({
      message:
        "waiting for SQS Queue (jobs) creation: unexpected state 'FAILED', wanted target 'ACTIVE'. last error: no capacity",
    });
  });

  test('ends after two minutes, or five for deletions, or the time of the operation', async () => {
    for (const [timeout, creation, deletion] of [
      [undefined, minutes(2), minutes(5)],
      [minutes(20), minutes(2), minutes(5)],
      [minutes(1), minutes(1), minutes(1)],
    ] as const) {
      const firstWorld = world(timeout === undefined ? {} : { timeout });
      const refresh = status(firstWorld.clock, { 0: 'BUSY' });
      const created = await firstWorld.run(
        firstWorld.queue.waitFor('creation', { target: ['ACTIVE'], refresh }),
      );
      expect(created.at).toBe(creation);
      const other = world(timeout === undefined ? {} : { timeout });
      const busy = status(other.clock, { 0: 'BUSY' });
      const deleted = await other.run(other.queue.waitForDeletion({ refresh: busy }));
      expect(deleted.at).toBe(deletion);
      expect(deleted.error).toMatchObject({
        operation: 'waiting for',
        message: expect.stringMatching(
          /^waiting for SQS Queue \(jobs\) deletion: timeout while waiting for resource to be gone \(last state: 'BUSY', timeout: /,
        ) as unknown,
      });
    }
  });

  test('for a deletion ends when the object is not found', async () => {
    const { clock, queue, run } = world();
    const refresh = status(clock, { 0: 'DELETING', 70: undefined });
    const { error, at } = await run(queue.waitForDeletion({ pending: ['DELETING'], refresh }));
    expect(error).toBeUndefined();
    expect(at >= seconds(70) && at < seconds(90)).toBe(true);
  });

  test('for a value ends when the expected value is read', async () => {
    const { clock, queue, run } = world();
    const read = (): { readonly delay: number } | undefined =>
      clock.monotonicMs() < seconds(10)
        ? undefined
        : { delay: clock.monotonicMs() < seconds(30) ? 0 : 5 };
    const value = ({ delay }: { readonly delay: number }): number => delay;
    const seen = await run(queue.waitForValue('delay', { read, value, expected: 5 }));
    expect(seen.value).toEqual({ delay: 5 });
    const never = await run(queue.waitForValue('delay', { read, value, expected: 6 }));
    expect(never.error).toMatchObject({
      message:
        "waiting for SQS Queue (jobs) update of delay: timeout while waiting for state to become '6' (last state: '5', timeout: 2m0s)",
    });
  });

  test('ends with an error other than "not found"', async () => {
    const { queue, run } = world();
    let looks = 0;
    const read = (): string => {
      if (++looks === 1) throw new NotFoundError();
      if (looks === 2) return 'old';
      throw new Error('AccessDenied');
    };
    const value = (current: string): string => current;
    const { error } = await run(queue.waitForValue('policy', { read, value, expected: 'new' }));
    expect(error).toMatchObject({
      message: 'waiting for SQS Queue (jobs) update of policy: AccessDenied',
    });
    expect(looks).toBe(3);
  });

  test('for a value takes an empty answer for "not yet"', async () => {
    const { queue, run } = world();
    const answers = [undefined, null, 'new'];
    const read = (): string | null | undefined => answers.shift();
    const value = (current: string): string => current;
    const wait = queue.waitForValue('policy', { read, value, expected: 'new' });
    expect((await run(wait)).value).toBe('new');
  });

  test('for a value restarts its count when another value is read', async () => {
    const values = ['new', 'new', 'old', 'new', 'new', 'new'];
    let looks = 0;
    const clock = new ManualClock();
    const queue = new RemoteObject({ clock, type: 'SQS Queue', id: 'jobs' });
    const waiting = queue.waitForValue('policy', {
      read: () => values[Math.min(looks++, values.length - 1)],
      value: (current) => current,
      expected: 'new',
      continuousTargetOccurrences: 3,
    });
    await clock.advance(60_000);
    expect(await waiting).toBe('new');
    expect(looks).toBe(6);
  });

  test('for a value may take others for the same, and the same text for another', async () => {
    const { queue, run } = world();
    const policy = (text: string, expected: string, same: (a: string, b: string) => boolean) =>
      run(
        queue.waitForValue('policy', {
          read: () => ({ text }),
          value: (current) => current.text,
          expected,
          same,
        }),
      );
    const result = await policy('{"a": 1}', '{"a":1}', (a, b) => a.replaceAll(' ', '') === b);
    expect(result.value).toEqual({ text: '{"a": 1}' });
    expect((await policy('x', 'x', () => false)).error).toBeInstanceOf(OperationError);
  });

  test('is omitted on request', async () => {
    const { queue, run } = world();
    const refresh = (): never => {
      throw new Error('nobody looks');
    };
    const work = queue.waitFor('creation', { target: ['ACTIVE'], refresh, wait: false });
    expect((await run(work)).value).toBeUndefined();
    expect((await run(queue.waitForDeletion({ refresh, wait: false }))).error).toBeUndefined();
  });

  test('ends with the run', async () => {
    const controller = new AbortController();
    const { clock, queue, run } = world({ signal: controller.signal });
    const refresh = status(clock, { 0: 'CREATING' });
    const work = queue.waitFor('creation', { target: ['ACTIVE'], refresh });
    controller.abort(new Error('the run was interrupted'));
    const { error } = await run(work);
    expect(error).toMatchObject({
      message: 'waiting for SQS Queue (jobs) creation: the run was interrupted',
    });
  });
});

test('the total time-out does not cancel an operation whose client retries for longer', async () => {
  const { clock, queue, run } = world({ timeout: minutes(20) });
  // The client retries for an hour, as configured.
  const throttled = async (): Promise<string> => {
    await clock.sleep(minutes(60), new AbortController().signal);
    return 'after an hour';
  };
  expect((await run(queue.operation('creating', throttled))).value).toBe('after an hour');
});

test('the time is shared by all waits, also under the id that the object got', async () => {
  const { clock, queue, run } = world({ timeout: minutes(3) });
  const refresh = () => ({
    result: undefined,
    state: clock.monotonicMs() < minutes(1) ? 'CREATING' : 'ACTIVE',
  });
  await run(queue.waitFor('creation', { target: ['ACTIVE'], refresh }));
  const named = queue.as('https://queue');
  const { error, at } = await run(named.waitForDeletion({ refresh }));
  expect(at).toBe(minutes(3));
  expect(error).toMatchObject({ id: 'https://queue' });
});

test('an error that is about an argument still is', async () => {
  const { queue, run } = world();
  const { error } = await run(
    queue.operation('creating', () => {
      throw new ProviderError('Bad', 'worse', 'name');
    }),
  );
  expect(error).toMatchObject({
    diagnostics: [{ summary: 'creating SQS Queue (jobs)', attribute: [attrStep('name')] }],
  });
});
