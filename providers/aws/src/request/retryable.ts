/** The properties of a failed request that decide whether it is retried. */
export interface FailedRequest {
  /** the service's code, or that of the network: `Throttling`, `ECONNRESET` */
  readonly code: string;
  readonly message: string;
  /** the response status; undefined: there was no response */
  readonly status: number | undefined;
  /** the system call of a network failure: "read", "connect" */
  readonly syscall: string;
}

/** The reason of a retry: a network error, throttling, or another temporary error. */
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

/** Permanent network errors, such as unknown names and refused connections. */
const UNHEALING: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

const PASSING: ReadonlySet<string> = new Set(['EPIPE', 'ETIMEDOUT']);

/**
 * Returns the reason to retry a failed request; undefined: it is not retried.
 *
 * A connection that is reset before the response is not retried, because the service may have executed the request.
 * Expired credentials are not retried either.
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

/** Returns the properties of an error of the SDK. */
export function failedRequest(error: unknown): FailedRequest {
  const fields = recordOf(error);
  const status = recordOf(fields['$metadata'])['httpStatusCode'];
  const hasResponse = typeof status === 'number';
  const inner = error instanceof AggregateError ? recordOf(error.errors[0]) : {};
  const text = (name: string): string => {
    const value = fields[name] ?? inner[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    code: hasResponse ? text('name') : text('code') || text('name'),
    message: text('message'),
    status: hasResponse ? status : undefined,
    syscall: text('syscall'),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Members of foreign objects are looked up by name, and checked.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
