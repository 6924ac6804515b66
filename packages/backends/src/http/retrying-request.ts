import {
  bodyBytes,
  type Host,
  type HttpAnswer,
  type HttpRequest,
  discardBody,
  userErrorText,
} from '@terrane/host';

/** Retries of requests without a response or with a temporary error. */
export interface Retries {
  readonly most: number;
  readonly shortestWaitMs: number;
  readonly longestWaitMs: number;
}

/** The most that a state may be. */
const MAX_BYTES = 2 ** 31;

/** A response with its complete body. */
export interface WholeAnswer extends Pick<HttpAnswer, 'status' | 'headers'> {
  readonly body: Uint8Array;
}

/**
 * Sends a request, and retries with increasing delays after connection errors and responses of 429 or 5xx other than
 * 501, as go-retryablehttp does for Terraform. Rejects with an error that contains the address without secrets.
 */
export async function requestRetrying(
  { http, clock }: Pick<Host, 'http' | 'clock'>,
  url: URL,
  request: HttpRequest,
  { most, shortestWaitMs, longestWaitMs }: Retries,
): Promise<WholeAnswer> {
  const { signal } = request;
  for (let attempt = 0; ; attempt++) {
    let problem: string;
    let wait = Math.min(shortestWaitMs * 2 ** attempt, longestWaitMs);
    try {
      const answer = await http.request(url.href, request);
      const { status, headers } = answer;
      if (status !== 429 && (status < 500 || status === 501))
        return { status, headers, body: await bodyBytes(answer, MAX_BYTES) };
      await discardBody(answer);
      problem = status === 429 ? '' : `: unexpected HTTP status ${status}`;
      if (status === 429 || status === 503) wait = retryAfter(headers, clock.now()) ?? wait;
    } catch (error) {
      signal?.throwIfAborted();
      const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
      if (typeof code === 'string' && isAboutCertificates(code))
        throw new Error(`${requestName(url, request)}: ${userErrorText(error)}`, { cause: error });
      problem = `: ${userErrorText(error)}`;
    }
    if (attempt >= most) {
      const attempts = `giving up after ${attempt + 1} attempt(s)`;
      throw new Error(`${requestName(url, request)} ${attempts}${problem}`);
    }
    await clock.sleep(wait, signal);
  }
}

function requestName({ origin, pathname }: URL, { method = 'GET' }: HttpRequest): string {
  return `${method} ${origin}${pathname}`;
}

/** Another attempt would receive the same certificate. */
function isAboutCertificates(code: string): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^UNABLE_TO|SIGNATURE/.test(code);
}

function retryAfter(headers: HttpAnswer['headers'], now: Date): number | undefined {
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return 1000 * Number(header);
  const until = Date.parse(header);
  return isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}
