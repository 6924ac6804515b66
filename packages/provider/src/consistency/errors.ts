import { errorText } from '@terrane/host';
import { durationText } from './durations.ts';

/** The object does not exist, or does not exist yet. `cause` is the last error that was met, if any was. */
export class NotFoundError extends Error {
  /** number of unsuccessful reads, if more than one */
  readonly retries: number | undefined;

  constructor(
    options: {
      readonly message?: string;
      readonly retries?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    const { message, retries } = options;
    const counted =
      retries === undefined
        ? "couldn't find resource"
        : `couldn't find resource (${retries} retries)`;
    super(message ?? counted, causeOf(options.cause));
    this.name = 'NotFoundError';
    this.retries = retries;
  }
}

/** The remote system returned a successful but empty response. */
export class EmptyResponseError extends Error {
  constructor(options?: ErrorOptions) {
    super('empty response', options);
    this.name = 'EmptyResponseError';
  }
}

/** The error for a state that is neither a target nor pending. `cause` is the last error. */
export class UnexpectedStateError extends Error {
  readonly state: string;
  readonly expected: readonly string[];
  /** the object at the time of the error */
  readonly result: unknown;

  constructor(options: {
    readonly state: string;
    readonly expected: readonly string[];
    readonly result?: unknown;
    readonly cause?: unknown;
  }) {
    const { state, expected, cause } = options;
    const last = cause === undefined ? '' : `. last error: ${errorText(cause)}`;
    super(
      `unexpected state '${state}', wanted target '${expected.join(', ')}'${last}`,
      causeOf(cause),
    );
    this.name = 'UnexpectedStateError';
    this.state = state;
    this.expected = expected;
    this.result = options.result;
  }
}

/** The time to wait is over. `cause` is the last error that was met, if any was. */
export class TimeoutError extends Error {
  readonly timeoutMs: number;
  readonly lastState: string | undefined;
  readonly expected: readonly string[];
  /** the last observed object */
  readonly result: unknown;

  constructor(options: {
    readonly timeoutMs: number;
    readonly lastState?: string | undefined;
    readonly expected: readonly string[];
    readonly result?: unknown;
    readonly cause?: unknown;
  }) {
    super(timeoutText(options), causeOf(options.cause));
    this.name = 'TimeoutError';
    this.timeoutMs = options.timeoutMs;
    this.lastState = options.lastState;
    this.expected = options.expected;
    this.result = options.result;
  }
}

function timeoutText(options: {
  readonly timeoutMs: number;
  readonly lastState?: string | undefined;
  readonly expected: readonly string[];
  readonly cause?: unknown;
}): string {
  const { timeoutMs, lastState, expected, cause } = options;
  const awaited =
    expected.length === 0 ? 'resource to be gone' : `state to become '${expected.join(', ')}'`;
  const more = [
    ...(lastState === undefined || lastState === '' ? [] : [`last state: '${lastState}'`]),
    ...(timeoutMs > 0 ? [`timeout: ${durationText(timeoutMs)}`] : []),
  ];
  const suffix = more.length === 0 ? '' : ` (${more.join(', ')})`;
  const last = cause === undefined ? '' : `: ${errorText(cause)}`;
  return `timeout while waiting for ${awaited}${suffix}${last}`;
}

function causeOf(cause: unknown): ErrorOptions {
  return cause === undefined ? {} : { cause };
}

/** Returns true if an error, its cause or one of its joined errors is a {@link NotFoundError}. */
export function isNotFound(error: unknown): boolean {
  return findError(error, (each) => each instanceof NotFoundError) !== undefined;
}

/**
 * Returns true if a wait timed out without another error: a {@link TimeoutError} without a cause. An error of an
 * attempt is more specific than the time-out.
 */
export function timedOut(error: unknown): error is TimeoutError {
  return error instanceof TimeoutError && error.cause === undefined;
}

/** Returns the first error that satisfies `wanted`, among the error itself, its causes and its joined errors. */
export function findError(error: unknown, wanted: (each: unknown) => boolean): unknown {
  const seen = new Set<unknown>();
  const todo: unknown[] = [error];
  while (todo.length > 0) {
    const each = todo.shift();
    if (each === undefined || each === null || seen.has(each)) continue;
    seen.add(each);
    if (wanted(each)) return each;
    if (each instanceof Error) todo.push(each.cause);
    if (each instanceof AggregateError) todo.push(...each.errors);
  }
  return undefined;
}
