import { type Clock, errorText } from '@terrane/host';
import type { Awaitable } from '../contract.ts';
import type { Backoff } from './backoff.ts';
import { Deadline, remaining } from './deadline.ts';
import { TimeoutError } from './errors.ts';
import { type Observed, waitForState } from './wait-for-state.ts';

/** An error together with the decision whether to try again. See {@link retryable}, {@link nonRetryable}. */
export class RetryError extends Error {
  readonly error: unknown;
  readonly retryable: boolean;

  constructor(error: unknown, again: boolean) {
    super(errorText(error), { cause: error });
    this.name = 'RetryError';
    this.error = error;
    this.retryable = again;
  }
}

/** Thrown in an attempt, it requests another one. Without an error it is a defect of the provider, and final. */
export function retryable(error: unknown): RetryError {
  return error == null ? empty('retryable') : new RetryError(error, true);
}

/** Creates an error that ends the retries, regardless of its classification. */
export function nonRetryable(error: unknown): RetryError {
  return error == null ? empty('non-retryable') : new RetryError(error, false);
}

function empty(kind: string): RetryError {
  const text = `empty ${kind} error received. This is a bug with the Terraform provider and should be reported as a GitHub issue in the provider repository.`;
  return new RetryError(new Error(text), false);
}

/** The argument of each attempt. */
export interface Attempt {
  /** number of the try; the first is 1 */
  readonly number: number;
  /** aborted when the result is no longer needed */
  readonly signal: AbortSignal;
}

/** Retry options. Times are in milliseconds. */
export interface RetryOptions {
  readonly clock: Clock;
  /** the total time-out */
  readonly timeout: number | Deadline;
  /** returns true for errors to retry; default: only {@link retryable} errors */
  readonly isRetryable?: (error: unknown) => boolean;
  /**
   * Only errors of attempts that began within this time are retried; the time-out of the attempts themselves is
   * `timeout`. For long operations at whose start another change may not have propagated yet. `timeout` bounds this one
   * too.
   */
  readonly propagation?: number | Deadline;
  /** wait before the first try; default none */
  readonly delay?: number;
  /** shortest wait between two tries; default 500 ms, growing to 10 s */
  readonly minTimeout?: number;
  /** always this wait between two tries, if it is less than three minutes */
  readonly pollInterval?: number;
  /** waits of your own instead of all these */
  readonly backoff?: Backoff;
  /** the additional time for a pending attempt after the time-out; default 30 seconds */
  readonly gracePeriod?: number;
  /**
   * Controls a final attempt after the time-out: `unanswered` (default) makes one if no attempt has ended, so that
   * there would be no error to report except the time-out; `always`; or `never`.
   */
  readonly lastTry?: 'unanswered' | 'always' | 'never';
  /** ends the tries at once */
  readonly signal?: AbortSignal;
}

/** The state of failed attempts, as shown in time-out messages. */
const FAILED = 'retryableerror';
const SUCCEEDED = 'success';

/**
 * Retries an operation until it succeeds, and returns its result. Throws the error of the last attempt if it is final,
 * or if the time-out or the caller ended the attempts; a {@link TimeoutError} if no attempt ended in time; and the
 * signal's reason if it was aborted before any attempt ended. Behaves as `RetryContext` of Terraform's plugin SDK
 * (helper/retry/wait.go of version 2.40.1), including the final attempt that its documentation recommends.
 */
export async function retry<T>(
  options: RetryOptions,
  attempt: (attempt: Attempt) => Awaitable<T>,
): Promise<T> {
  const { clock, signal, lastTry = 'unanswered' } = options;
  const timeoutMs = remaining(options.timeout);
  const limit = Deadline.after(clock, timeoutMs);
  const propagation =
    options.propagation === undefined ? undefined : limit.within(remaining(options.propagation));
  /** the error of the last failed attempt */
  let failed: { readonly error: unknown; readonly again: boolean } | undefined;
  let number = 0;

  const refresh = async (attemptSignal: AbortSignal): Promise<Observed<T | undefined>> => {
    const mayRepeat = propagation === undefined || !propagation.isOver;
    try {
      const result = await attempt({ number: ++number, signal: attemptSignal });
      failed = undefined;
      return { result, state: SUCCEEDED };
    } catch (thrown) {
      // The error of an aborted attempt is usually just the abort, so it is not used as the reason.
      if (attemptSignal.aborted) throw thrown;
      const { error, again } = classify(thrown, options.isRetryable);
      failed = { error, again: again && mayRepeat };
      if (failed.again) return { result: undefined, state: FAILED };
      throw error;
    }
  };

  try {
    const { minTimeout = 500 } = options;
    // Only a successful attempt has a result, so it is of that type.
    return (await waitForState({
      clock,
      refresh,
      pending: [FAILED],
      target: [SUCCEEDED],
      timeout: timeoutMs,
      minTimeout,
      ...pollingOptions(options),
    })) as T;
  } catch (error) {
    const over = error instanceof TimeoutError && signal?.aborted !== true;
    const once = failed === undefined ? lastTry !== 'never' : failed.again && lastTry === 'always';
    if (over && once) return await lastAttempt(attempt, ++number, signal);
    // The error of an attempt is more specific than the time-out.
    throw failed === undefined ? error : failed.error;
  }
}

function pollingOptions(
  options: RetryOptions,
): Pick<RetryOptions, 'delay' | 'pollInterval' | 'backoff' | 'gracePeriod' | 'signal'> {
  const { delay, pollInterval, backoff, gracePeriod, signal } = options;
  return {
    ...(delay === undefined ? {} : { delay }),
    ...(pollInterval === undefined ? {} : { pollInterval }),
    ...(backoff === undefined ? {} : { backoff }),
    ...(gracePeriod === undefined ? {} : { gracePeriod }),
    ...(signal === undefined ? {} : { signal }),
  };
}

async function lastAttempt<T>(
  attempt: (attempt: Attempt) => Awaitable<T>,
  number: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await attempt({ number, signal: signal ?? new AbortController().signal });
  } catch (thrown) {
    throw classify(thrown, undefined).error;
  }
}

function classify(
  thrown: unknown,
  isRetryable: ((error: unknown) => boolean) | undefined,
): { readonly error: unknown; readonly again: boolean } {
  if (thrown instanceof RetryError) return { error: thrown.error, again: thrown.retryable };
  return { error: thrown, again: isRetryable?.(thrown) ?? false };
}
