import { failureText, sdkFailure } from '@terrane/aws-access';

/** An error response of an AWS service, or the failure of a request. */
export class AwsError extends Error {
  /** "SQS" */
  readonly service: string;
  /** "CreateQueue" */
  readonly operation: string;
  /** as the service calls it: `NoSuchEntity`; of the network: `ECONNREFUSED` */
  readonly code: string;
  /** the response status; undefined: there was no response */
  readonly status: number | undefined;
  /** the ID for Amazon's support */
  readonly requestId: string;
  /** the service's message without other text */
  readonly reason: string;

  constructor(service: string, operation: string, cause: unknown) {
    const failure = sdkFailure(cause);
    super(failureText(service, operation, failure), { cause });
    this.name = 'AwsError';
    this.service = service;
    this.operation = operation;
    this.code = failure.code;
    this.status = failure.status;
    this.requestId = failure.requestId;
    this.reason = failure.reason;
  }
}

/** Returns the code of an error or of its cause; the empty text if there is none. */
export function errorCode(error: unknown): string {
  const known = awsError(error);
  return known === undefined ? sdkFailure(error).code : known.code;
}

/** The error of a service that an error is, or was caused by. */
function awsError(error: unknown): AwsError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof AwsError) return each;
  }
  return undefined;
}

/** Tests whether an error has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCode(error));
}

/** Tests whether an error has this code, and a message that contains this part. */
export function hasMessage(error: unknown, code: string, part: string): boolean {
  const known = awsError(error);
  const reason = known === undefined ? sdkFailure(error).reason : known.reason;
  return errorCode(error) === code && reason.includes(part);
}
