import type { RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';
import type { Clock, Random } from '@terrane/host';
import { type FailedRequest, failedRequest, retryReason, type RetryReason } from './retryable.ts';
import type { ServiceRetry } from './service-retries.ts';

/** The maximum number of retries after network errors, regardless of `max_retries`: about half a minute. */
export const MAX_NETWORK_RETRIES = 10;

const MAX_DELAY_MS = 300_000;
const MIN_MS: Readonly<Record<RetryReason, number>> = {
  network: 30,
  transient: 30,
  throttling: 500,
};
const COST = 5;

/** A limit of requests to a service, which adapts to its responses. */
export interface RateLimiter {
  getSendToken(): Promise<void>;
  updateClientSendingRate(response: unknown): void;
}

/** Limits of the retries of a request. */
export interface RetryBounds {
  readonly signal: AbortSignal;
  readonly deadline?: { readonly remainingMs: number } | undefined;
}

/** A retry that is about to wait. */
export interface Retry {
  readonly count: number;
  /** the number of retries at most */
  readonly most: number;
  readonly delayMs: number;
  readonly reason: RetryReason;
  readonly failed: FailedRequest;
}

/** Options of the retry strategy of a client. */
export interface RetrySettings {
  readonly clock: Clock;
  readonly random: Random;
  /** tries after the first one */
  readonly maxRetries: number;
  /** retry tokens of this client; retries consume them, and successful requests return them */
  readonly capacity?: number | undefined;
  readonly limiter?: RateLimiter | undefined;
  readonly alsoRetryable?: ServiceRetry | undefined;
  /** the caller of the pending request: its signal ends a pause, and no pause exceeds its deadline */
  readonly caller: () => RetryBounds | undefined;
  readonly onRetry?: (retry: Retry) => void;
}

class Token implements RetryToken {
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  getRetryCount(): number {
    return this.#count;
  }

  /** The strategy has waited already, by the host's clock. */
  getRetryDelay(): number {
    return 0;
  }
}

/**
 * Retries temporary errors with exponential back-off and jitter. 25 retries take about an hour, the 10 retries of
 * network errors about half a minute.
 */
export class AwsRetryStrategy implements RetryStrategyV2 {
  /** the mode in the user agent header */
  readonly mode: 'standard' | 'adaptive';
  readonly #settings: RetrySettings;
  #remaining: number;

  constructor(settings: RetrySettings) {
    this.#settings = settings;
    this.mode = settings.limiter === undefined ? 'standard' : 'adaptive';
    this.#remaining = settings.capacity ?? Infinity;
  }

  async acquireInitialRetryToken(): Promise<RetryToken> {
    await this.#settings.limiter?.getSendToken();
    return new Token(0);
  }

  async refreshRetryTokenForRetry(token: RetryToken, info: RetryErrorInfo): Promise<RetryToken> {
    const { clock, random, maxRetries, limiter, alsoRetryable, caller, onRetry } = this.#settings;
    limiter?.updateClientSendingRate(info);
    const failed = failedRequest(info.error);
    const also = alsoRetryable?.(failed) === true ? 'throttling' : undefined;
    const reason = retryReason(failed) ?? also;
    const count = token.getRetryCount() + 1;
    const most = reason === 'network' ? Math.min(maxRetries, MAX_NETWORK_RETRIES) : maxRetries;
    // The SDK throws the error of the request where there is no token.
    if (reason === undefined || count > most || this.#remaining < COST)
      throw new Error('no more tries');
    const { signal, deadline } = caller() ?? {};
    const hint = info.retryAfterHint?.getTime() ?? 0;
    const delay = Math.max(backoff(random, count - 1, reason), hint - clock.now().getTime());
    if (deadline !== undefined && deadline.remainingMs <= delay) throw new Error('no more time');
    this.#remaining -= COST;
    onRetry?.({ count, most, delayMs: delay, reason, failed });
    await clock.sleep(Math.min(delay, MAX_DELAY_MS), signal);
    await limiter?.getSendToken();
    return new Token(count);
  }

  recordSuccess(token: RetryToken): void {
    this.#settings.limiter?.updateClientSendingRate({});
    this.#remaining += COST * token.getRetryCount();
  }
}

/** Milliseconds to wait before the next try: doubled with each, and between one and two times as long by chance. */
export function backoff(random: Random, tries: number, reason: RetryReason): number {
  const shortest = MIN_MS[reason];
  const [a = 0, b = 0] = random.bytes(2);
  const jitter = (a * 256 + b) / 65_536;
  return Math.min(shortest * (1 + jitter) * 2 ** tries, MAX_DELAY_MS);
}
