import {
  type AppendFile,
  errorCode,
  type Host,
  type HttpAnswer,
  discardBody,
  userErrorText,
} from '@terrane/host';
import { requestErrorText } from '../discovery/network-error.ts';
import { requestHeaders } from '../discovery/registry-request.ts';
import { netrcLogin } from '../modules/fetch/netrc.ts';

/** The URL and options of a download. */
export interface Download {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** number of retries; default: TF_PROVIDER_DOWNLOAD_RETRY, or two */
  readonly retries?: number | undefined;
  /** expected bytes; default: the size that the server declares */
  readonly size?: number | undefined;
  /** replaces the request by URL; receives additional headers */
  readonly ask?: ((headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>) | undefined;
  /** the maximum number of bytes; default: {@link MAX_PACKAGE_BYTES} */
  readonly limit?: number;
  readonly progress?: (received: number, total: number | undefined) => void;
  readonly signal?: AbortSignal | undefined;
}

type DownloadHost = Pick<Host, 'http' | 'clock' | 'environment' | 'files'>;

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** The largest package that is fetched, in bytes; the largest published one has less than a quarter of that. */
const MAX_PACKAGE_BYTES = 4 * 1024 ** 3;

function tooLarge(limit: number): Error {
  return new Error(
    `the package is larger than ${limit} bytes, which is more than a package can have`,
  );
}

/** The time-out for response headers. */
const TIMEOUT_MS = 60_000;

/**
 * Downloads into a new file. After a lost connection, the next attempt requests the rest and, if the server supports
 * that, continues there. Rejects with Terraform's text after the last attempt or a permanent error; the caller must
 * then remove the partial file at `path`.
 */
export async function download(host: DownloadHost, request: Download, path: string): Promise<void> {
  const { signal, url } = request;
  const loginHeaders = request.ask === undefined ? await loginFor(host, new URL(url)) : {};
  const headers = { ...loginHeaders, ...request.headers };
  const retries = request.retries ?? downloadRetries(host);
  const state: Received = { bytes: 0, validator: undefined };
  for (let attempt = 0; ; attempt++) {
    try {
      await receive(host, { ...request, headers }, path, state);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt === retries || !(error instanceof Interrupted)) {
        const { host: name } = new URL(url);
        throw new Error(`${name}: ${userErrorText(error)}`, { cause: error });
      }
    }
    await host.clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS), signal);
  }
}

/** Returns the authorization header for the login of the user's netrc file; Terraform uses it for packages, too. */
async function loginFor(host: DownloadHost, url: URL): Promise<Record<string, string>> {
  if (url.username !== '') return {};
  const login = await netrcLogin({ host }, url.host);
  if (login === undefined) return {};
  const pair = Buffer.from(`${login.user}:${login.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

function downloadRetries({ environment }: DownloadHost): number {
  const text = environment.get('TF_PROVIDER_DOWNLOAD_RETRY') ?? '';
  return /^[0-9]+$/.test(text) ? Number(text) : 2;
}

/** An interrupted download that another attempt may complete. */
class Interrupted extends Error {}

interface Received {
  bytes: number;
  /** identifies the version of the file on the server */
  validator: string | undefined;
}

async function receive(
  host: DownloadHost,
  download: Download,
  path: string,
  state: Received,
): Promise<void> {
  const { headers, size, progress, limit = MAX_PACKAGE_BYTES } = download;
  const resuming = state.bytes > 0 && state.validator !== undefined;
  const answer = await request(host, download, {
    // The very bytes of the file: they are summed up.
    'accept-encoding': 'identity',
    ...headers,
    ...(resuming && { range: `bytes=${state.bytes}-`, 'if-range': state.validator ?? '' }),
  });
  const { status } = answer;
  if (!resuming || status !== 206 || rangeStart(answer) !== state.bytes) {
    // Restarts: the file has changed on the server, or it does not support ranges.
    state.bytes = 0;
    await host.files.remove(path);
    if (status === 206) {
      await discardBody(answer);
      throw new Interrupted('server gave another part of the file than was asked for');
    }
  }
  state.validator = answer.headers['etag'] ?? answer.headers['last-modified'];
  const announced = Number(answer.headers['content-length']);
  const rest = Number.isSafeInteger(announced) ? announced : undefined;
  const total = size ?? (rest === undefined ? undefined : state.bytes + rest);
  // The body is not read: a server may announce a size without sending the data.
  if (total !== undefined && total > limit) throw tooLarge(limit);
  const file = await host.files.openAppend(path, { mode: 0o600 });
  try {
    await append(file, answer, state, { total, most: total ?? limit }, progress);
    if (state.bytes > limit) throw tooLarge(limit);
  } finally {
    await file.close();
  }
  if (total !== undefined && state.bytes !== total) {
    if (state.bytes < total) throw new Interrupted('unexpected EOF');
    throw new Error(
      `incorrect response size: expected ${total} bytes, but got ${state.bytes} bytes`,
    );
  }
}

/** Sends the request of a download. @throws Interrupted for failures that may be temporary */
async function request(
  host: DownloadHost,
  { url, ask, signal }: Download,
  headers: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  let answer: HttpAnswer;
  try {
    answer = await (ask?.(headers) ??
      host.http.request(url, {
        headers: { ...requestHeaders(host.environment), ...headers },
        headTimeoutMs: TIMEOUT_MS,
        ...(signal !== undefined && { signal }),
      }));
  } catch (error) {
    const text = ask === undefined ? requestErrorText('GET', url, error) : userErrorText(error);
    throw isHopeless(error) ? new Error(text, { cause: error }) : new Interrupted(text);
  }
  const { status } = answer;
  if (status !== 200 && status !== 206) {
    await discardBody(answer);
    const text = `bad response code: ${status}`;
    throw status === 429 || (status >= 500 && status !== 501)
      ? new Interrupted(text)
      : new Error(text);
  }
  return answer;
}

async function append(
  file: AppendFile,
  answer: HttpAnswer,
  state: Received,
  { total, most }: { readonly total: number | undefined; readonly most: number },
  progress: Download['progress'],
): Promise<void> {
  const body = answer.body[Symbol.asyncIterator]();
  for (;;) {
    let next: IteratorResult<Uint8Array>;
    try {
      next = await body.next();
    } catch (error) {
      const isInterrupted = errorCode(error) === 'ECONNRESET' || userErrorText(error) === 'aborted';
      throw new Interrupted(isInterrupted ? 'unexpected EOF' : userErrorText(error), {
        cause: error,
      });
    }
    if (next.done === true) return;
    await file.write(next.value);
    state.bytes += next.value.length;
    progress?.(state.bytes, total);
    if (state.bytes > most) return;
  }
}

function rangeStart({ headers }: HttpAnswer): number | undefined {
  const start = /^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1];
  return start === undefined ? undefined : Number(start);
}

function isHopeless(error: unknown): boolean {
  return (
    /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(errorCode(error) ?? '') ||
    /stopped after \d+ redirects|unsupported protocol scheme/.test(userErrorText(error))
  );
}
