import { errorText, expectUserError } from '@terrane/host';

/** The fields of an error of the AWS SDK. */
export interface SdkFailure {
  /** the error code of the service (`NoSuchEntity`) or of the network (`ECONNREFUSED`) */
  readonly code: string;
  /** the message of the service */
  readonly reason: string;
  /** the response status; undefined: there was no response */
  readonly status: number | undefined;
  /** request id for AWS support */
  readonly requestId: string;
  /** second request id of S3, for AWS support */
  readonly hostId: string;
}

/**
 * Returns the properties of an SDK error. Rethrows internal errors, unless the SDK failed to decode a response of the
 * service.
 */
export function sdkFailure(error: unknown): SdkFailure {
  const fields = recordOf(error);
  if (fields['$metadata'] === undefined && fields['$response'] === undefined)
    expectUserError(error);
  const metadata = recordOf(fields['$metadata']);
  const status = metadata['httpStatusCode'];
  const hasResponse = typeof status === 'number';
  // For XML protocols, the code in the response takes precedence over the error name.
  const errorCode = [fields['Code'], fields['name']].find((each) => typeof each === 'string') ?? '';
  return {
    code: hasResponse ? String(errorCode) : textIn(fields['code'], String(errorCode)),
    reason: reasonOf(error),
    status: hasResponse ? status : undefined,
    requestId: textIn(metadata['requestId'], ''),
    hostId: textIn(metadata['extendedRequestId'], ''),
  };
}

/**
 * Formats an error as the AWS SDK for Go does, for users of Terraform. `modelled` is true if the Go SDK has a type
 * for the error, whose message then omits "api error".
 */
export function failureText(
  service: string,
  operation: string,
  failure: SdkFailure,
  modelled = false,
): string {
  const { code, reason, status, requestId, hostId } = failure;
  const subject = `operation error ${service}: ${operation}`;
  if (status === undefined) return `${subject}, request send failed, ${reason}`;
  const host = service === 'S3' ? `, HostID: ${hostId}` : '';
  const kind = modelled ? code : `api error ${code}`;
  return `${subject}, https response error StatusCode: ${status}, RequestID: ${requestId}${host}, ${kind}: ${reason}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join('; ');
  }
  return errorText(error);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Members of SDK objects are looked up by name and validated.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function textIn(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
