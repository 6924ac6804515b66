import { TERRAFORM_VERSION, TERRANE_VERSION } from '@terrane/engine';
import {
  type Clock,
  type Environment,
  type Host,
  type HttpAnswer,
  isCertificateError,
  discardBody,
} from '@terrane/host';
import { requestErrorText } from './network-error.ts';
import { statusText } from './status-text.ts';

/** The host interfaces for requests to registries. */
export type RegistryHost = Pick<Host, 'http' | 'clock' | 'environment'>;

/** A request without a usable response; the message has Terraform's text. */
class RequestFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RequestFailed';
  }
}

/** Options of a request. */
export interface RegistryRequestOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** number of retries; default: TF_REGISTRY_DISCOVERY_RETRY, or one */
  readonly retries?: number;
  /** time-out until the end of the body; default: TF_REGISTRY_CLIENT_TIMEOUT, or ten seconds */
  readonly timeoutMs?: number;
  /** true for a package of any size: the time-out applies only to the response headers */
  readonly isDownload?: boolean;
}

/** Returns the headers of every request: the user agent, extended by `TF_APPEND_USER_AGENT`. */
export function requestHeaders(
  environment: Pick<Environment, 'get'>,
): Readonly<Record<string, string>> {
  const program = `Terrane/${TERRANE_VERSION} (compatible with Terraform ${TERRAFORM_VERSION})`;
  return { 'user-agent': withAddition(program, environment) };
}

/** Returns a user agent, extended by `TF_APPEND_USER_AGENT`. */
export function withAddition(userAgent: string, environment: Pick<Environment, 'get'>): string {
  // Control characters are invalid in a header.
  const addition = (environment.get('TF_APPEND_USER_AGENT') ?? '')
    .replaceAll(/[^\t\x20-\x7e]/g, '')
    .trim();
  return addition === '' ? userAgent : `${userAgent} ${addition}`;
}

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** Returns the number of retries of a registry request: TF_REGISTRY_DISCOVERY_RETRY. */
function discoveryRetries(environment: Environment): number {
  return positiveNumber(environment.get('TF_REGISTRY_DISCOVERY_RETRY')) ?? 1;
}

/** Returns the time-out of a registry request in milliseconds: TF_REGISTRY_CLIENT_TIMEOUT, in seconds. */
function clientTimeoutMs(environment: Environment): number {
  return (positiveNumber(environment.get('TF_REGISTRY_CLIENT_TIMEOUT')) ?? 10) * 1000;
}

function positiveNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\+?[0-9]+$/.test(text)) return undefined;
  const number = Number(text);
  return number > 0 ? number : undefined;
}

/**
 * Sends a request to a registry. An attempt without response, with 429 or with a 5xx (except 501) is repeated as
 * hashicorp/go-retryablehttp does; every other response is returned. Throws `RequestFailed` after the last attempt.
 */
export async function registryRequest(
  host: RegistryHost,
  url: string,
  options: RegistryRequestOptions = {},
): Promise<HttpAnswer> {
  const { token, signal } = options;
  const retries = options.retries ?? discoveryRetries(host.environment);
  const timeoutMs = options.timeoutMs ?? clientTimeoutMs(host.environment);
  const headers = {
    ...requestHeaders(host.environment),
    'x-terraform-version': TERRAFORM_VERSION,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...options.headers,
  };
  for (let attempt = 0; ; attempt++) {
    let problem: string;
    let wait = Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS);
    try {
      const answer = await host.http.request(url, {
        headers,
        ...(options.isDownload === true ? { headTimeoutMs: timeoutMs } : { timeoutMs }),
        ...(signal !== undefined && { signal }),
      });
      if (!isTransient(answer.status)) return answer;
      problem = `${statusText(answer.status)} returned from ${new URL(answer.url).host}`;
      wait = retryAfterMs(answer, host.clock) ?? wait;
      await discardBody(answer);
    } catch (error) {
      signal?.throwIfAborted();
      problem = requestErrorText('GET', url, error);
      if (isCertificateError(error) || isHopeless(error)) {
        throw new RequestFailed(`the request failed, please try again later: ${problem}`, error);
      }
    }
    if (attempt === retries) {
      const often = attempt > 0 ? ` after ${attempt + 1} attempts` : '';
      throw new RequestFailed(`the request failed${often}, please try again later: ${problem}`);
    }
    await host.clock.sleep(wait, signal);
  }
}

function isTransient(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

function isHopeless(error: unknown): boolean {
  return (
    error instanceof Error &&
    /stopped after \d+ redirects|unsupported protocol scheme|Invalid URL/.test(error.message)
  );
}

function retryAfterMs({ status, headers }: HttpAnswer, clock: Clock): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined || (status !== 429 && status !== 503)) return undefined;
  if (/^[0-9]+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now().getTime());
}
