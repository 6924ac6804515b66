import { readFileSync } from 'node:fs';
import { ManualClock } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { nonRetryable, retry, retryable } from './retry.ts';
import { waitForState } from './wait-for-state.ts';

/** See scripts/oracle/consistency/record_test.go, which wrote this. */
interface Recorded {
  readonly name: string;
  readonly retry?: boolean;
  readonly pending?: readonly string[];
  readonly target?: readonly string[];
  readonly timeout: number;
  readonly delay?: number;
  readonly minTimeout?: number;
  readonly pollInterval?: number;
  readonly notFoundChecks?: number;
  readonly continuousTargetOccurrences?: number;
  readonly cancelAfter?: number;
  readonly looks: readonly {
    readonly state?: string;
    readonly missing?: boolean;
    readonly error?: string;
    readonly takes?: number;
    readonly retryable?: boolean;
    readonly empty?: boolean;
  }[];
  readonly calls: readonly number[];
  readonly ended: number;
  readonly result?: number;
  readonly failed?: string;
}

const { recorded } = JSON.parse(
  readFileSync(new URL('recorded/helper-retry.json', import.meta.url), 'utf8'),
) as { readonly recorded: readonly Recorded[] };

test.each(recorded)('as the plugin SDK: $name', async (script) => {
  const clock = new ManualClock();
  const cancel = new AbortController();
  const calls: number[] = [];
  const next = async (): Promise<Recorded['looks'][number]> => {
    const look = script.looks[Math.min(calls.length, script.looks.length - 1)]!;
    calls.push(clock.monotonicMs());
    if (look.takes !== undefined) await clock.sleep(look.takes);
    return look;
  };
  const { pending, target = [], timeout, delay, minTimeout, pollInterval } = script;
  const { notFoundChecks, continuousTargetOccurrences } = script;
  const waitOptions = { pending, delay, minTimeout, pollInterval, notFoundChecks };
  const options = Object.fromEntries(
    Object.entries({ ...waitOptions, continuousTargetOccurrences }).filter(
      ([, v]) => v !== undefined,
    ),
  );
  const run = script.retry
    ? retry({ clock, timeout, signal: cancel.signal, lastTry: 'never' }, async () => {
        const { error, retryable: again, empty } = await next();
        if (empty) throw again ? retryable(undefined) : nonRetryable(undefined);
        if (error === undefined) return undefined;
        throw again ? retryable(new Error(error)) : nonRetryable(new Error(error));
      })
    : waitForState({
        ...options,
        clock,
        target,
        timeout,
        signal: cancel.signal,
        refresh: async () => {
          const { state, missing, error } = await next();
          if (error !== undefined) throw new Error(error);
          return missing ? undefined : { state: state ?? '', result: calls.length };
        },
      });
  let ended: Record<string, unknown> = {};
  const watched = run.then(
    (result) =>
      (ended = { ended: clock.monotonicMs(), ...(result === undefined ? {} : { result }) }),
    (error: unknown) => (ended = { ended: clock.monotonicMs(), failed: (error as Error).message }),
  );
  if (script.cancelAfter !== undefined) {
    await clock.advance(script.cancelAfter);
    cancel.abort(new Error('context canceled'));
  }
  await clock.advance(3_600_000);
  await watched;
  const { result, failed } = script;
  expect({ calls, ...ended }).toEqual({
    calls: script.calls,
    ended: script.ended,
    ...(result === undefined ? {} : { result }),
    // The reference implementation prints a missing last error as <nil>; this one omits it.
    ...(failed === undefined ? {} : { failed: failed.replace('. last error: %!s(<nil>)', '') }),
  });
});

test('the recording has the scripts', () => {
  expect(recorded.length).toBeGreaterThan(50);
});
