import type { Clock } from '@terrane/host';
import type { Awaitable } from '../contract.ts';
import type { Backoff } from './backoff.ts';
import { DEFAULT_PROPAGATION_TIMEOUT } from './durations.ts';
import type { Deadline } from './deadline.ts';
import { isNotFound, NotFoundError } from './errors.ts';
import { retry, retryable, type Attempt } from './retry.ts';

/** Options for reading an object that may have been created just before. Times are in milliseconds. */
export interface NotFoundRetryOptions {
  readonly clock: Clock;
  /** the object was just created, so that the remote system may not show it everywhere yet */
  readonly isNew: boolean;
  /** the maximum time for which a new object may be missing; default 2 minutes */
  readonly timeout?: number | Deadline;
  /**
   * the minimum time for which an existing object must be missing to count as deleted; default: the first read decides
   */
  readonly missingFor?: number | Deadline;
  /** returns true for errors that mean "not found"; default: {@link isNotFound} */
  readonly isNotFound?: (error: unknown) => boolean;
  /** the number of consecutive reads that must find a new object; default 1 */
  readonly continuousOccurrences?: number;
  readonly backoff?: Backoff;
  readonly signal?: AbortSignal;
}

/**
 * Reads an object that may not be visible yet because it is new. `read` returns the object; `undefined` or a "not
 * found" error means that it does not exist. The read of a new object is repeated until it is found or the time-out
 * passes, which is an error because the state of the object is then unknown. An existing object that is not found
 * counts as deleted, immediately or after `missingFor`; the result is `undefined`, and its state must be dropped.
 */
export async function withNotFoundRetry<T>(
  options: NotFoundRetryOptions,
  read: (attempt: Attempt) => Awaitable<T | undefined>,
): Promise<T | undefined> {
  const { isNew, missingFor, continuousOccurrences = 1 } = options;
  const timeout =
    (isNew ? undefined : missingFor) ?? options.timeout ?? DEFAULT_PROPAGATION_TIMEOUT;
  const missing = options.isNotFound ?? isNotFound;
  let misses = 0;
  let hits = 0;
  let lastMiss: unknown;
  const look = async (attempt: Attempt): Promise<T | undefined> => {
    const { object, cause } = await readOnce(read, attempt, missing);
    if (!isNew && (object !== undefined || missingFor === undefined)) return object;
    if (object === undefined) {
      hits = 0;
      lastMiss = cause ?? new NotFoundError({ retries: ++misses });
      throw retryable(lastMiss);
    }
    if (++hits >= continuousOccurrences) return object;
    throw retryable(new NotFoundError({ message: `found only ${hits} times in a row` }));
  };
  const { clock, backoff, signal } = options;
  try {
    return await retry(
      {
        clock,
        timeout,
        ...(backoff === undefined ? {} : { backoff }),
        ...(signal === undefined ? {} : { signal }),
      },
      look,
    );
  } catch (error) {
    if (!isNew && lastMiss !== undefined && error === lastMiss) return undefined;
    throw error;
  }
}

/** Reads once and returns the object or its not-found error. Other errors are thrown. */
async function readOnce<T>(
  read: (attempt: Attempt) => Awaitable<T | undefined>,
  attempt: Attempt,
  missing: (error: unknown) => boolean,
): Promise<{ readonly object?: T | undefined; readonly cause?: unknown }> {
  try {
    return { object: await read(attempt) };
  } catch (error) {
    if (!missing(error)) throw error;
    return { cause: error };
  }
}
