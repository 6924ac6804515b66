import { failureText, sdkFailure } from '@terrane/aws-access';

/** Returns the service's error code: `NoSuchKey`, `PreconditionFailed`, … */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Returns the response status of an error; `undefined` if there was no response. */
export function errorStatus(error: unknown): number | undefined {
  return sdkFailure(error).status;
}

/** Returns true if a condition of a request was not met. */
export function isPreconditionFailed(error: unknown): boolean {
  return errorStatus(error) === 412 || errorName(error) === 'ConditionalCheckFailedException';
}

/** Returns true if a server knows no requests with conditions. */
export function isNotImplemented(error: unknown): boolean {
  return errorStatus(error) === 501 || errorName(error) === 'NotImplemented';
}

/** Returns true if the credentials lack the permission. */
export function isAccessDenied(error: unknown): boolean {
  return errorStatus(error) === 403;
}

/** Formats an error as the AWS SDK for Go does, which users of Terraform know. */
export function awsFailure(
  service: 'S3' | 'DynamoDB' | 'STS',
  operation: string,
  error: unknown,
  askedRegion = '',
): string {
  const failure = sdkFailure(error);
  const region = regionOf(error);
  if (failure.status === 301 && region !== undefined) {
    return `operation error ${service}: ${operation}, requested bucket from "${askedRegion}", actual location "${region}"`;
  }
  return failureText(service, operation, failure, MODELLED.has(failure.code));
}

/** Errors with their own types in the SDK for Go, whose messages omit the service there. */
const MODELLED: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'NoSuchBucket',
  'NoSuchKey',
  'ProvisionedThroughputExceededException',
  'ResourceNotFoundException',
]);

/** Returns the region of a bucket from a redirection error. */
function regionOf(error: unknown): string | undefined {
  const headers = recordOf(recordOf(recordOf(error)?.['$response'])?.['headers']);
  const region = headers?.['x-amz-bucket-region'];
  return typeof region === 'string' ? region : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // Members of foreign error objects are read by name and checked.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
