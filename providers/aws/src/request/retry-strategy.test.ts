import type { RetryErrorInfo, RetryToken } from '@smithy/types';
import { Deadline } from '@terrane/provider/sdk';
import { ManualClock } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import {
  AwsRetryStrategy,
  backoff,
  MAX_NETWORK_RETRIES,
  type RetrySettings,
} from './retry-strategy.ts';

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

function strategy(
  clock: ManualClock,
  caller: RetrySettings['caller'] = () => undefined,
  more: Partial<RetrySettings> = {},
) {
  return new AwsRetryStrategy({ clock, random, maxRetries: 25, caller, ...more });
}

/** Returns how many attempts an error permits before the strategy ends the retries. */
async function tries(error: RetryErrorInfo, more: Partial<RetrySettings> = {}): Promise<number> {
  const clock = new ManualClock();
  const asked = strategy(clock, undefined, more);
  let token = await asked.acquireInitialRetryToken();
  for (;;) {
    const next = asked.refreshRetryTokenForRetry(token, error).catch(() => undefined);
    await clock.advance(300_000);
    const refreshed = await next;
    if (refreshed === undefined) return token.getRetryCount();
    token = refreshed;
  }
}

describe('requests', () => {
  it('that are throttled are tried again as often as is configured, and refused ones less often', async () => {
    expect(await tries(THROTTLED)).toBe(25);
    expect(await tries(REFUSED)).toBe(MAX_NETWORK_RETRIES);
    expect(await tries(WRONG)).toBe(0);
  });

  it('wait twice as long each time, up to five minutes', () => {
    expect([0, 1, 2, 3].map((count) => backoff(random, count, 'throttling'))).toEqual([
      500, 1000, 2000, 4000,
    ]);
    expect(backoff(random, 24, 'throttling')).toBe(300_000);
  });

  it('wait up to twice as long at random, to spread retries', () => {
    const most = { bytes: (count: number) => new Uint8Array(count).fill(255), uuid: () => '' };
    expect(backoff(most, 0, 'throttling')).toBeCloseTo(1000, 1);
    expect(backoff(most, 2, 'throttling')).toBeCloseTo(4000, 0);
  });

  it('wait at least as long as the service requires', async () => {
    const clock = new ManualClock();
    const delays: number[] = [];
    const asked = strategy(clock, undefined, {
      onRetry: ({ delayMs }) => delays.push(delayMs),
    });
    const token = await asked.acquireInitialRetryToken();
    const retryAfterHint = new Date(clock.now().getTime() + 90_000);
    const next = asked.refreshRetryTokenForRetry(token, { ...THROTTLED, retryAfterHint });
    await clock.advance(90_000);
    expect((await next).getRetryCount()).toBe(1);
    expect(delays).toEqual([90_000]);
  });

  it('are retried while their client has tokens, which successes return', async () => {
    expect(await tries(THROTTLED, { capacity: 20 })).toBe(4);
    const clock = new ManualClock();
    const asked = strategy(clock, undefined, { capacity: 5 });
    const again = async (): Promise<RetryToken> => {
      const token = await asked.acquireInitialRetryToken();
      const next = asked.refreshRetryTokenForRetry(token, THROTTLED);
      next.catch(() => undefined);
      await clock.advance(300_000);
      return await next;
    };
    const used = await again();
    await expect(again()).rejects.toThrow('no more tries');
    asked.recordSuccess(used);
    expect((await again()).getRetryCount()).toBe(1);
  });

  it('are sent as fast as the service allows, if configured', async () => {
    const clock = new ManualClock();
    const messages: string[] = [];
    const limiter = {
      getSendToken: async () => void messages.push('send'),
      updateClientSendingRate: (answer: unknown) =>
        void messages.push(answer === THROTTLED ? 'throttled' : 'answered'),
    };
    const asked = strategy(clock, undefined, { limiter });
    const token = await asked.acquireInitialRetryToken();
    const next = asked.refreshRetryTokenForRetry(token, THROTTLED);
    await clock.advance(300_000);
    asked.recordSuccess(await next);
    expect(messages).toEqual(['send', 'throttled', 'send', 'answered']);
  });

  it('are not retried when the pause would exceed the deadline of their caller', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const within = async (ms: number): Promise<number> => {
      const asked = strategy(clock, () => ({ signal, deadline: Deadline.after(clock, ms) }));
      const next = asked.refreshRetryTokenForRetry(
        await asked.acquireInitialRetryToken(),
        THROTTLED,
      );
      next.catch(() => undefined);
      await clock.advance(600);
      return (await next).getRetryCount();
    };
    expect(await within(501)).toBe(1);
    await expect(within(500)).rejects.toThrow('no more time');
  });

  it('end only their own waits when they are aborted', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    let current: { readonly signal: AbortSignal } | undefined = { signal: controller.signal };
    const asked = strategy(clock, () => current);
    const token = await asked.acquireInitialRetryToken();
    const first = asked.refreshRetryTokenForRetry(token, THROTTLED);
    current = undefined;
    const second = asked.refreshRetryTokenForRetry(token, THROTTLED);
    controller.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    await clock.advance(500);
    expect((await second).getRetryCount()).toBe(1);
  });
});
