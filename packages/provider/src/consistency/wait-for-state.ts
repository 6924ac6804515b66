import { type Clock, forManyListeners } from '@terrane/host';
import type { Awaitable } from '../contract.ts';
import type { Backoff } from './backoff.ts';
import { type Deadline, remaining } from './deadline.ts';
import { NotFoundError, TimeoutError, UnexpectedStateError } from './errors.ts';

/** An observed object and its state. */
export interface Observed<T> {
  readonly result: T;
  /** the current state, as named by the remote system */
  readonly state: string;
}

/** The target of a wait and its options. Times are in milliseconds. */
export interface WaitOptions<T, Target extends readonly string[] = readonly string[]> {
  readonly clock: Clock;
  /**
   * Reads the object; `undefined`: it does not exist. An exception ends the wait. The signal is aborted when the result
   * is no longer needed.
   */
  readonly refresh: (signal: AbortSignal) => Awaitable<Observed<T> | undefined>;
  /** states in which to continue waiting; default: every state except the targets */
  readonly pending?: readonly string[];
  /** the target states; empty: wait for the deletion */
  readonly target: Target;
  /** the total time-out */
  readonly timeout: number | Deadline;
  /** wait before the first look; default none */
  readonly delay?: number;
  /** shortest wait between two looks; waits grow from 200 ms to 10 s otherwise */
  readonly minTimeout?: number;
  /** always this wait between two looks, if it is less than three minutes */
  readonly pollInterval?: number;
  /** custom delays instead of all these; called before each read after the first */
  readonly backoff?: Backoff;
  /** the number of consecutive reads without an object after which that is an error; default 20 */
  readonly notFoundChecks?: number;
  /** the number of reads with a target state, without a pending state in between; default 1 */
  readonly continuousTargetOccurrences?: number;
  /** the additional time for a pending read after the time-out; default 30 seconds */
  readonly gracePeriod?: number;
  /** why the object is in the state it is in, for the errors of a wait that failed */
  readonly reason?: (result: T) => unknown;
  /** ends the wait at once, with its reason as the error */
  readonly signal?: AbortSignal;
}

/** The result of a wait: the observed object, or undefined if the wait was for its absence. */
export type WaitResult<T, Target extends readonly string[]> = Target extends readonly []
  ? undefined
  : Target extends readonly [string, ...string[]]
    ? T
    : T | undefined;

const GRACE_PERIOD = 30_000;
const NOT_FOUND_CHECKS = 20;
const FIRST_WAIT = 100;
const MAX_WAIT_MS = 10_000;
const MAX_POLL_INTERVAL_MS = 180_000;

/**
 * Polls an object until it is in a target state, and returns the last observation. Throws the errors of `refresh`, an
 * {@link UnexpectedStateError}, a {@link NotFoundError} or a {@link TimeoutError}. Behaves as `StateChangeConf` of
 * Terraform's plugin SDK (helper/retry/state.go of version 2.40.1).
 */
export async function waitForState<T, const Target extends readonly string[]>(
  options: WaitOptions<T, Target>,
): Promise<WaitResult<T, Target>> {
  const result = await new Wait<T>(options).run();
  // The type of the target determines whether there is a result; if it is not known, both are possible.
  return result as WaitResult<T, Target>;
}

/** The result of a read: an intermediate result, or the end of the wait. */
type Step<T> =
  | { readonly kind: 'done'; readonly result: T | undefined }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'again' };

/** The result of one observation, or the reason why the wait ended. */
type Look<T> =
  | { readonly kind: 'seen'; readonly seen: Observed<T> | undefined }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'unanswered' };

class Wait<T> {
  readonly #options: WaitOptions<T>;
  readonly #timeoutMs: number;
  readonly #end: number;
  #wait = 0;
  #looks = 0;
  #missing = 0;
  #hits = 0;
  #last: Observed<T> | undefined;

  constructor(options: WaitOptions<T>) {
    this.#options = options;
    this.#timeoutMs = remaining(options.timeout);
    this.#end = options.clock.monotonicMs() + this.#timeoutMs;
  }

  async run(): Promise<T | undefined> {
    const { signal, delay = 0 } = this.#options;
    signal?.throwIfAborted();
    if (!(await this.#pause(delay))) throw this.#timeout();
    for (;;) {
      if (!(await this.#pause(this.#wait))) throw this.#timeout();
      const look = await this.#look();
      const late = this.#options.clock.monotonicMs() >= this.#end && this.#timeoutMs > 0;
      if (look.kind === 'unanswered') throw this.#timeout();
      const step = this.#judge(look);
      if (step.kind === 'done') return step.result;
      // The error of a late refresh is the cause of the time-out.
      if (step.kind === 'failed') throw late ? this.#timeout(step.error) : step.error;
      if (late) throw this.#timeout();
    }
  }

  /** Waits. Returns false if the time limit ends first. */
  async #pause(ms: number): Promise<boolean> {
    if (ms <= 0) return true;
    const { clock, signal } = this.#options;
    const remaining = this.#end - clock.monotonicMs();
    await clock.sleep(Math.min(ms, Math.max(0, remaining)), signal);
    return ms < remaining;
  }

  /** Reads the object, within the time-out and the grace period. */
  async #look(): Promise<Look<T>> {
    const { clock, refresh, signal, gracePeriod = GRACE_PERIOD } = this.#options;
    const controller = new AbortController();
    const stop = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    const timer = new AbortController();
    try {
      // A read may send many requests, each of which listens.
      const answer = settle(() => refresh(forManyListeners(controller.signal)));
      const cancelled = whenAborted(signal, timer.signal);
      const inTime = this.#end - clock.monotonicMs();
      const first = await Promise.race([
        answer,
        cancelled,
        sleepOr(clock, Math.max(0, inTime), timer.signal),
      ]);
      if (first === 'aborted') throw reasonOf(signal);
      if (first !== 'time') return first;
      const second = await Promise.race([
        answer,
        cancelled,
        sleepOr(clock, gracePeriod, timer.signal),
      ]);
      return typeof second === 'string' ? { kind: 'unanswered' } : second;
    } finally {
      timer.abort();
      signal?.removeEventListener('abort', stop);
      controller.abort();
    }
  }

  /** Decides whether an observation ends the wait, and otherwise the delay before the next one. */
  #judge(look: Exclude<Look<T>, { readonly kind: 'unanswered' }>): Step<T> {
    const { pending = [], target, notFoundChecks, continuousTargetOccurrences } = this.#options;
    this.#looks++;
    if (this.#wait === 0) this.#wait = FIRST_WAIT;
    if (look.kind === 'threw') {
      this.#last = undefined;
      return { kind: 'failed', error: look.error };
    }
    const { seen } = look;
    this.#last = seen;
    const requiredHits = continuousTargetOccurrences ?? 1;
    if (seen === undefined && target.length === 0) {
      if (++this.#hits === requiredHits) return { kind: 'done', result: undefined };
      // The delay does not grow while repeated reads must find the object deleted.
      const { backoff, minTimeout = 0 } = this.#options;
      this.#wait = backoff?.(this.#looks) ?? Math.max(this.#wait, minTimeout);
      return { kind: 'again' };
    }
    if (seen === undefined) {
      if (++this.#missing > (notFoundChecks ?? NOT_FOUND_CHECKS)) {
        return { kind: 'failed', error: new NotFoundError({ retries: this.#missing }) };
      }
    } else {
      this.#missing = 0;
      const hit = target.includes(seen.state);
      if (hit && ++this.#hits === requiredHits) return { kind: 'done', result: seen.result };
      const waiting = pending.includes(seen.state);
      if (waiting) this.#hits = 0;
      if (!hit && !waiting && pending.length > 0) {
        return { kind: 'failed', error: this.#unexpected(seen) };
      }
    }
    this.#wait = this.#nextWait();
    return { kind: 'again' };
  }

  #nextWait(): number {
    const { backoff, pollInterval = 0, minTimeout = 0 } = this.#options;
    if (backoff !== undefined) return backoff(this.#looks);
    if (pollInterval > 0 && pollInterval < MAX_POLL_INTERVAL_MS) return pollInterval;
    const wait = this.#hits === 0 ? this.#wait * 2 : this.#wait;
    return wait < minTimeout ? minTimeout : Math.min(wait, MAX_WAIT_MS);
  }

  #unexpected(seen: Observed<T>): UnexpectedStateError {
    return new UnexpectedStateError({
      state: seen.state,
      expected: this.#options.target,
      result: seen.result,
      cause: this.#options.reason?.(seen.result),
    });
  }

  #timeout(cause?: unknown): TimeoutError {
    const last = this.#last;
    const reason = last === undefined ? undefined : this.#options.reason?.(last.result);
    return new TimeoutError({
      timeoutMs: this.#timeoutMs,
      lastState: last?.state,
      expected: this.#options.target,
      result: last?.result,
      cause: cause ?? reason,
    });
  }
}

/** Calls a function and returns its outcome as a value. Never throws. */
async function settle<T>(
  call: () => Awaitable<Observed<T> | undefined>,
): Promise<Exclude<Look<T>, { readonly kind: 'unanswered' }>> {
  try {
    return { kind: 'seen', seen: await call() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

async function sleepOr(clock: Clock, ms: number, signal: AbortSignal): Promise<'time' | 'aborted'> {
  try {
    await clock.sleep(ms, signal);
    return 'time';
  } catch {
    return 'aborted';
  }
}

/** Resolves when the first signal is aborted; never if it is undefined. The second signal ends the listening. */
function whenAborted(signal: AbortSignal | undefined, done: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { once: true, signal: done });
  });
}

/** The reason of an aborted signal, as an error. */
function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(`aborted: ${String(reason)}`);
}
