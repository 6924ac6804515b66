/** What tells whether a request is tried again. */
export interface FailedRequest {
  /** the service's code, or that of the network: `Throttling`, `ECONNRESET` */
  readonly code: string;
  readonly message: string;
  /** of the answer; undefined: there was none */
  readonly status: number | undefined;
  /** what the system was doing when the network failed: "read", "connect" */
  readonly syscall: string;
}

/** Why a request is tried again: the network does not heal, too much was asked at once, or something else that passes. */
export type RetryReason = 'network' | 'throttling' | 'transient';

/** Codes that mean: less often, please. */
const THROTTLING: ReadonlySet<string> = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);

const TRANSIENT: ReadonlySet<string> = new Set([
  'RequestError',
  'RequestTimeout',
  'RequestTimeoutException',
  'TimeoutError',
]);

/** Trouble of the network that hardly ever passes while one waits: wrong names, nobody there. */
const UNHEALING: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

const PASSING: ReadonlySet<string> = new Set(['EPIPE', 'ETIMEDOUT']);

/**
 * Why a failed request is to be tried again; undefined: it is not.
 *
 * A connection that is reset while its answer is awaited is not: the service may have done what was asked. Nor are
 * credentials that have run out.
 */
export function retryReason(failed: FailedRequest): RetryReason | undefined {
  const { code, status, syscall } = failed;
  if (status === undefined) {
    if (UNHEALING.has(code)) return 'network';
    if (PASSING.has(code) || TRANSIENT.has(code)) return 'transient';
    return code === 'ECONNRESET' && syscall === 'write' ? 'transient' : undefined;
  }
  if (status === 429 || THROTTLING.has(code)) return 'throttling';
  const failing = status >= 500 && status !== 501;
  return failing || TRANSIENT.has(code) ? 'transient' : undefined;
}

/** What is known of an error that the SDK met. */
export function failedRequest(error: unknown): FailedRequest {
  const fields = recordOf(error);
  const status = recordOf(fields['$metadata'])['httpStatusCode'];
  const answered = typeof status === 'number';
  const inner = error instanceof AggregateError ? recordOf(error.errors[0]) : {};
  const text = (name: string): string => {
    const value = fields[name] ?? inner[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    code: answered ? text('name') : text('code') || text('name'),
    message: text('message'),
    status: answered ? status : undefined,
    syscall: text('syscall'),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Members of an object that somebody else has made are looked up by name, and checked.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
