/** An error that a service of Amazon answered with, or that kept a request from being answered. */
export class AwsError extends Error {
  /** "SQS" */
  readonly service: string;
  /** "CreateQueue" */
  readonly operation: string;
  /** as the service calls it: `NoSuchEntity`; of the network: `ECONNREFUSED` */
  readonly code: string;
  /** of the answer; undefined: there was none */
  readonly status: number | undefined;
  /** what Amazon's support asks for */
  readonly requestId: string;
  /** what the service says, without the rest */
  readonly reason: string;

  constructor(service: string, operation: string, cause: unknown) {
    const facts = factsOf(cause);
    super(textOf(service, operation, facts), { cause });
    this.name = 'AwsError';
    this.service = service;
    this.operation = operation;
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.reason = facts.reason;
  }
}

interface Facts {
  readonly code: string;
  readonly reason: string;
  readonly status: number | undefined;
  readonly requestId: string;
  readonly hostId: string;
}

/** The code of an error, or of what caused it; the empty string for what has none. */
export function errorCode(error: unknown): string {
  const known = awsError(error);
  return known === undefined ? factsOf(error).code : known.code;
}

/** The error of a service that an error is, or was caused by. */
export function awsError(error: unknown): AwsError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof AwsError) return each;
  }
  return undefined;
}

/** Whether an error has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCode(error));
}

/** Whether an error has this code, and this in what the service says. */
export function hasMessage(error: unknown, code: string, part: string): boolean {
  const known = awsError(error);
  const reason = known === undefined ? factsOf(error).reason : known.reason;
  return errorCode(error) === code && reason.includes(part);
}

/** As the SDK for Go says it, which users of Terraform know. */
function textOf(service: string, operation: string, facts: Facts): string {
  const { code, reason, status, requestId, hostId } = facts;
  const what = `operation error ${service}: ${operation}`;
  if (status === undefined) return `${what}, request send failed, ${reason}`;
  const host = hostId === '' ? '' : `, HostID: ${hostId}`;
  return `${what}, https response error StatusCode: ${status}, RequestID: ${requestId}${host}, api error ${code}: ${reason}`;
}

function factsOf(error: unknown): Facts {
  const fields = recordOf(error);
  const metadata = recordOf(fields['$metadata']);
  const status = metadata['httpStatusCode'];
  const answered = typeof status === 'number';
  // Services that know an error by another name in XML give that as its code.
  const own = [fields['Code'], fields['name']].find((each) => typeof each === 'string') ?? '';
  return {
    code: answered ? String(own) : textIn(fields['code'], String(own)),
    reason: reasonOf(error),
    status: answered ? status : undefined,
    requestId: textIn(metadata['requestId'], ''),
    hostId: textIn(metadata['extendedRequestId'], ''),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Members of an object that somebody else has made are looked up by name, and checked.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function textIn(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
