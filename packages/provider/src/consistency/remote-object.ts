import { type Clock, errorText } from '@terrane/host';
import { isPromise } from '../awaitable.ts';
import type { Awaitable } from '../contract.ts';
import type { Log } from '../sdk/log.ts';
import { gone } from '../sdk/outcomes.ts';
import type { Gone } from '../sdk/outcomes.ts';
import type { Backoff } from './backoff.ts';
import { Deadline, remaining } from './deadline.ts';
import { DEFAULT_DELETION_TIMEOUT, DEFAULT_PROPAGATION_TIMEOUT } from './durations.ts';
import { EmptyResponseError, isNotFound } from './errors.ts';
import { withNotFoundRetry } from './not-found-retry.ts';
import { OperationError } from './operation-error.ts';
import { retry } from './retry.ts';
import type { RetryOptions } from './retry.ts';
import { waitForState } from './wait-for-state.ts';
import type { Observed, WaitOptions } from './wait-for-state.ts';

/** Options of the operations on an eventually consistent remote object. */
export interface RemoteObjectOptions {
  readonly clock: Clock;
  /** display name of the type: "SQS Queue" */
  readonly type: string;
  /** its ID, or its name until it has an ID */
  readonly id: string;
  /** total time-out of all operations on the object, from now on; absent: the time-out of each operation */
  readonly timeout?: number | Deadline;
  /** returns true for errors that mean "not found"; default: {@link isNotFound} */
  readonly isNotFound?: (error: unknown) => boolean;
  /** waits between tries and looks instead of those that every wait has */
  readonly backoff?: Backoff;
  readonly signal?: AbortSignal;
  /**
   * Wraps every attempt and read, which is cancelled when `signal` is aborted: for clients that do not accept a signal
   * with each request. `AsyncLocalStorage.run` has this signature.
   */
  readonly within?: <T>(signal: AbortSignal, call: () => T) => T;
  /** receives a warning when an object does not exist any more */
  readonly log?: Pick<Log, 'warn'>;
  /**
   * Receives which error an operation is retried for, once that takes more than half a minute; the empty string when the
   * operation ends: `progress` of the handler.
   */
  readonly progress?: (note: string) => void;
}

/** The time in milliseconds during which errors are retried without a message to the user. */
const SILENT_RETRIES = 30_000;

/** Retry options of an operation. Times are in milliseconds. */
export interface OperationRetry extends Pick<
  RetryOptions,
  'isRetryable' | 'lastTry' | 'gracePeriod'
> {
  /**
   * the time-out for errors of a change that has not propagated yet; default 2 minutes. After that time there is one
   * more attempt if no attempt has ended.
   */
  readonly propagation?: number;
  /** maximum duration of a slow operation: errors at its end are retried if it began within `propagation` */
  readonly timeout?: number;
}

/** Options of a wait for the state of an object. Times are in milliseconds. */
export interface ObjectWait<T, Target extends readonly string[]> extends Omit<
  WaitOptions<T, Target>,
  'clock' | 'signal' | 'timeout' | 'backoff'
> {
  /** default 2 minutes, and 5 for deletions */
  readonly timeout?: number;
  /** false: does not wait, as requested by the user; the result is undefined */
  readonly wait?: boolean;
}

/** Options of a wait for a value. */
export interface ValueWait<T, V> {
  /** reads the object; undefined or a "not found" error: it does not exist yet */
  readonly read: (signal: AbortSignal) => Awaitable<T | null | undefined>;
  readonly value: (object: T) => V;
  readonly expected: V;
  /** returns true if two values are equal; default: compares their JSON */
  readonly same?: (a: V, b: V) => boolean;
  /** default 2 minutes */
  readonly timeout?: number;
  /** the number of consecutive reads that must return the value; default 1 */
  readonly continuousTargetOccurrences?: number;
  /** wait before the first look; default none */
  readonly delay?: number;
  /** shortest wait between two looks */
  readonly minTimeout?: number;
  /** the number of consecutive reads without an object after which that is an error; default 20 */
  readonly notFoundChecks?: number;
  readonly wait?: boolean;
}

/**
 * Operations on one object of an eventually consistent system. Errors name the operation and the object: "creating SQS
 * Queue (jobs): …".
 *
 * ```ts
 * const queue = new RemoteObject({ clock, type: 'SQS Queue', id: plan.name, timeout, signal, log });
 * const { url } = await queue.operation('creating', () => client.create(plan), { isRetryable: isRoleUnknown });
 * const attributes = await queue.read(() => client.get(url), { isNew: true });
 * ```
 */
export class RemoteObject {
  readonly #options: RemoteObjectOptions;
  readonly #deadline: Deadline | undefined;

  constructor(options: RemoteObjectOptions) {
    this.#options = options;
    const { clock, timeout } = options;
    this.#deadline = timeout === undefined ? undefined : Deadline.after(clock, remaining(timeout));
  }

  /** Returns the operations with another ID, such as the assigned one. */
  as(id: string): RemoteObject {
    const { timeout: _, ...rest } = this.#options;
    const deadline = this.#deadline;
    return new RemoteObject({ ...rest, id, ...(deadline && { timeout: deadline }) });
  }

  /**
   * Executes an operation on the object. With `again`, transient errors are retried.
   *
   * @param doing the operation in messages: "creating", "updating the policy of", …
   */
  async operation<T>(
    doing: string,
    call: (signal: AbortSignal) => Awaitable<T>,
    again?: OperationRetry,
  ): Promise<T> {
    return this.#named(doing, async () => {
      if (again === undefined) return await call(this.#signal);
      const { propagation = DEFAULT_PROPAGATION_TIMEOUT, timeout = 0, ...how } = again;
      const total = this.#limit(propagation + timeout);
      const retryReporter = this.#tellRetries(doing);
      try {
        return await retry(
          {
            ...this.#around,
            ...how,
            ...(how.isRetryable && { isRetryable: retryReporter.retrying(how.isRetryable) }),
            timeout: total,
            ...(timeout > 0 && { propagation }),
          },
          (attempt) => this.#within(attempt.signal, call),
        );
      } finally {
        retryReporter.ended();
      }
    });
  }

  /**
   * Reads the object. A new object may be missing for a while. A missing existing object counts as deleted, which is
   * reported to the log and to `warn`. A response without an object is an error.
   */
  read<T>(
    look: (signal: AbortSignal) => Awaitable<T | null | undefined>,
    options: {
      /** the object was just created, or changed in a way that may not be visible yet */
      readonly isNew: true;
      /** the maximum time for which it may be missing; default 2 minutes */
      readonly timeout?: number;
      readonly continuousOccurrences?: number;
    },
  ): Promise<T>;
  read<T>(
    look: (signal: AbortSignal) => Awaitable<T | null | undefined>,
    options?: {
      readonly isNew?: boolean;
      readonly timeout?: number;
      readonly continuousOccurrences?: number;
      /** reports to users that the object does not exist any more: `warn` of the handler */
      readonly warn?: (summary: string, detail: string) => void;
      /**
       * the minimum time for which an existing object must be missing to count as deleted; default: the first read
       * decides
       */
      readonly missingFor?: number;
    },
  ): Promise<T | Gone>;
  async read<T>(
    look: (signal: AbortSignal) => Awaitable<T | null | undefined>,
    options: {
      readonly isNew?: boolean;
      readonly timeout?: number;
      readonly continuousOccurrences?: number;
      readonly warn?: (summary: string, detail: string) => void;
      readonly missingFor?: number;
    } = {},
  ): Promise<T | Gone> {
    const { isNew = false, timeout = DEFAULT_PROPAGATION_TIMEOUT, warn } = options;
    const { continuousOccurrences, missingFor } = options;
    let missing: unknown;
    const result = await this.#named('reading', () =>
      withNotFoundRetry<{ readonly is: T }>(
        {
          ...this.#around,
          isNew,
          timeout: this.#limit(timeout),
          isNotFound: (error) => {
            if (!this.#isNotFound(error)) return false;
            missing = error;
            return true;
          },
          ...(continuousOccurrences !== undefined && { continuousOccurrences }),
          ...(missingFor !== undefined && { missingFor: this.#limit(missingFor) }),
        },
        async (attempt) => {
          const answer = await this.#within(attempt.signal, look);
          if (answer === undefined || answer === null) throw new EmptyResponseError();
          return { is: answer };
        },
      ),
    );
    if (result !== undefined) return result.is;
    const { type, id, log } = this.#options;
    const reason = errorText(missing);
    log?.warn(`${type} (${id}) not found, removing from state`, { type, id, error: reason });
    warn?.(
      `${type} (${id}) is gone`,
      `It was not found when it was read, so that it is removed from the state; where the configuration still has it, it will be created anew. The remote system says: ${reason}`,
    );
    return gone;
  }

  /**
   * Waits until the object has a state: `waitFor('creation', { pending: ['CREATING'], target: ['ACTIVE'], … })`. A
   * missing object counts as pending.
   */
  waitFor<T, const Target extends readonly [string, ...string[]]>(
    subject: string,
    options: ObjectWait<T, Target> & { readonly wait?: true },
  ): Promise<T>;
  waitFor<T, const Target extends readonly [string, ...string[]]>(
    subject: string,
    options: ObjectWait<T, Target>,
  ): Promise<T | undefined>;
  async waitFor<T, const Target extends readonly [string, ...string[]]>(
    subject: string,
    options: ObjectWait<T, Target>,
  ): Promise<T | undefined> {
    const { timeout = DEFAULT_PROPAGATION_TIMEOUT } = options;
    return await this.#wait<T>(subject, timeout, options);
  }

  /** Waits until the object is deleted. The default time-out is 5 minutes. */
  async waitForDeletion<T>(options: Omit<ObjectWait<T, readonly []>, 'target'>): Promise<void> {
    const { timeout = DEFAULT_DELETION_TIMEOUT } = options;
    await this.#wait<T>('deletion', timeout, { ...options, target: [] });
  }

  /** Waits until an argument has its configured value: `waitForValue('policy', { … })`. */
  async waitForValue<T, V>(subject: string, options: ValueWait<T, V>): Promise<T | undefined> {
    const { read, value, expected, same, timeout = DEFAULT_PROPAGATION_TIMEOUT, ...how } = options;
    const text = (v: V): string => (typeof v === 'string' ? v : (JSON.stringify(v) ?? String(v)));
    const target = text(expected);
    // Another value in between restarts the count of occurrences, like a pending state.
    const others: string[] = [];
    return await this.#wait<T>(`update of ${subject}`, timeout, {
      ...how,
      target: [target],
      pending: others,
      refresh: async (signal) => {
        const result = await read(signal);
        if (result === undefined || result === null) return undefined;
        const seen = value(result);
        const isSame = same?.(seen, expected);
        // A value that counts as different must not have the text of the expected one.
        const state = isSame === true ? target : isSame === false ? ` ${text(seen)}` : text(seen);
        if (state !== target && !others.includes(state)) others.push(state);
        return { result, state };
      },
    });
  }

  async #wait<T>(
    subject: string,
    timeout: number,
    options: ObjectWait<T, readonly string[]>,
  ): Promise<T | undefined> {
    const { wait = true, timeout: _, refresh, ...how } = options;
    if (!wait) return undefined;
    return await this.#named(
      'waiting for',
      () =>
        waitForState<T, readonly string[]>({
          ...this.#around,
          ...how,
          timeout: this.#limit(timeout),
          refresh: (signal) => this.#unlessMissing(refresh, signal),
        }),
      subject,
    );
  }

  async #unlessMissing<T>(
    refresh: (signal: AbortSignal) => Awaitable<Observed<T> | undefined>,
    signal: AbortSignal,
  ): Promise<Observed<T> | undefined> {
    try {
      return await this.#within(signal, refresh);
    } catch (error) {
      if (this.#isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #named<T>(doing: string, call: () => Awaitable<T>, subject = ''): Promise<T> {
    try {
      const result = call();
      return isPromise(result) ? await result : result;
    } catch (cause) {
      const { type, id } = this.#options;
      throw cause instanceof OperationError
        ? cause
        : new OperationError({ operation: doing, type, id, what: subject, cause });
    }
  }

  /** Reports long-running retries to the user, with the last error. */
  #tellRetries(doing: string): {
    readonly retrying: (is: (error: unknown) => boolean) => (error: unknown) => boolean;
    readonly ended: () => void;
  } {
    const { clock, type, id, progress } = this.#options;
    const since = clock.monotonicMs();
    let reported = false;
    return {
      retrying: (isRetryable) => (error) => {
        const again = isRetryable(error);
        if (again && clock.monotonicMs() - since >= SILENT_RETRIES) {
          reported = true;
          progress?.(`retrying ${doing} ${type} (${id}): ${errorText(error)}`);
        }
        return again;
      },
      ended: () => {
        if (reported) progress?.('');
      },
    };
  }

  #within<T>(signal: AbortSignal, call: (signal: AbortSignal) => T): T {
    const { within } = this.#options;
    return within === undefined ? call(signal) : within(signal, () => call(signal));
  }

  #isNotFound(error: unknown): boolean {
    return (this.#options.isNotFound ?? isNotFound)(error);
  }

  /** Returns the time limit of an operation with its own time-out in milliseconds. */
  #limit(ms: number): number | Deadline {
    return this.#deadline?.within(ms) ?? ms;
  }

  get #signal(): AbortSignal {
    return this.#options.signal ?? new AbortController().signal;
  }

  get #around(): Pick<RemoteObjectOptions, 'clock' | 'signal' | 'backoff'> {
    const { clock, signal, backoff } = this.#options;
    return { clock, ...(signal && { signal }), ...(backoff && { backoff }) };
  }
}
