import type { RetryErrorInfo } from '@smithy/types';
import { ManualClock } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { AwsRetryStrategy, backoff, MOST_NETWORK_RETRIES } from './retry-strategy.ts';

/** Bytes that are all the same, so that waits are as long as is said. */
const random = { bytes: (count: number) => new Uint8Array(count), uuid: () => '' };
const SLOW_DOWN = {
  name: 'ThrottlingException',
  message: 'slow down',
  $metadata: { httpStatusCode: 400 },
};
const THROTTLED: RetryErrorInfo = { error: SLOW_DOWN, errorType: 'THROTTLING' };
const NOBODY_THERE = { name: 'Error', message: 'refused', code: 'ECONNREFUSED' };
const REFUSED: RetryErrorInfo = { error: NOBODY_THERE, errorType: 'TRANSIENT' };
const WRONG: RetryErrorInfo = {
  error: { name: 'ValidationError', message: 'no', $metadata: { httpStatusCode: 400 } },
  errorType: 'CLIENT_ERROR',
};

function strategy(clock: ManualClock, stopped: () => AbortSignal | undefined = () => undefined) {
  return new AwsRetryStrategy({ clock, random, maxRetries: 25, stopped });
}

/** How often an error is tried again before there is no token any more. */
async function tries(error: RetryErrorInfo): Promise<number> {
  const clock = new ManualClock();
  const asked = strategy(clock);
  let token = await asked.acquireInitialRetryToken();
  for (;;) {
    const next = asked.refreshRetryTokenForRetry(token, error).catch(() => undefined);
    await clock.advance(300_000);
    const given = await next;
    if (given === undefined) return token.getRetryCount();
    token = given;
  }
}

describe('requests', () => {
  it('that are throttled are tried again as often as is configured, and refused ones less often', async () => {
    expect(await tries(THROTTLED)).toBe(25);
    expect(await tries(REFUSED)).toBe(MOST_NETWORK_RETRIES);
    expect(await tries(WRONG)).toBe(0);
  });

  it('wait twice as long each time, up to five minutes', () => {
    expect([0, 1, 2, 3].map((count) => backoff(random, count, 'throttling'))).toEqual([
      500, 1000, 2000, 4000,
    ]);
    expect(backoff(random, 24, 'throttling')).toBe(300_000);
  });

  it('end their own waits when they are given up, and no others', async () => {
    const clock = new ManualClock();
    const given = new AbortController();
    let current: AbortSignal | undefined = given.signal;
    const asked = strategy(clock, () => current);
    const token = await asked.acquireInitialRetryToken();
    const first = asked.refreshRetryTokenForRetry(token, THROTTLED);
    current = undefined;
    const second = asked.refreshRetryTokenForRetry(token, THROTTLED);
    given.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    await clock.advance(500);
    expect((await second).getRetryCount()).toBe(1);
  });
});
