/** What an error of the SDK tells, of whatever service. */
interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly status: number | undefined;
  readonly requestId: string;
  readonly hostId: string;
  readonly region: string | undefined;
}

/** The name that the service gives an error: `NoSuchKey`, `PreconditionFailed`, … */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The status of the answer that an error stands for; `undefined`: there was none. */
export function errorStatus(error: unknown): number | undefined {
  return sdkError(error)?.status;
}

/** Whether a condition of a request was not met. */
export function isPreconditionFailed(error: unknown): boolean {
  return errorStatus(error) === 412 || errorName(error) === 'ConditionalCheckFailedException';
}

/** Whether a server knows no requests with conditions. */
export function isNotImplemented(error: unknown): boolean {
  return errorStatus(error) === 501 || errorName(error) === 'NotImplemented';
}

/** Whether whoever asks may not do that. */
export function isAccessDenied(error: unknown): boolean {
  return errorStatus(error) === 403;
}

/** What went wrong, as the SDK for Go says it, which users of Terraform know. */
export function awsFailure(
  service: 'S3' | 'DynamoDB' | 'STS',
  operation: string,
  error: unknown,
  askedRegion = '',
): string {
  const what = `operation error ${service}: ${operation}`;
  const known = sdkError(error);
  if (known === undefined) return `${what}, ${String(error)}`;
  const { name, message, status, requestId, hostId, region } = known;
  if (status === undefined) return `${what}, request send failed, ${causeOf(error)}`;
  if (status === 301 && region !== undefined) {
    return `${what}, requested bucket from "${askedRegion}", actual location "${region}"`;
  }
  const host = service === 'S3' ? `, HostID: ${hostId}` : '';
  // An answer without a body (to HEAD, and of some servers) has no name for what is wrong.
  const kind = MODELLED.has(name) ? name : `api error ${name}`;
  return `${what}, https response error StatusCode: ${status}, RequestID: ${requestId}${host}, ${kind}: ${message}`;
}

/** Errors that are types of their own in the SDK for Go, which leaves out there that it is the service's. */
const MODELLED: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'NoSuchBucket',
  'NoSuchKey',
  'ProvisionedThroughputExceededException',
  'ResourceNotFoundException',
]);

function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(causeOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}

function sdkError(error: unknown): SdkError | undefined {
  if (!(error instanceof Error)) return undefined;
  const metadata = recordOf(recordOf(error)?.['$metadata']);
  const headers = recordOf(recordOf(recordOf(error)?.['$response'])?.['headers']);
  const status = metadata?.['httpStatusCode'];
  return {
    name: error.name,
    message: error.message,
    status: typeof status === 'number' ? status : undefined,
    requestId: textOf(metadata?.['requestId']),
    hostId: textOf(metadata?.['extendedRequestId']),
    region:
      typeof headers?.['x-amz-bucket-region'] === 'string'
        ? headers['x-amz-bucket-region']
        : undefined,
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // Members of an object that somebody else has made are looked up by name, and checked.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
