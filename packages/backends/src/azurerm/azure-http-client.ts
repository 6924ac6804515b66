import { bodyText, type Http, type HttpAnswer, userErrorText } from '@terrane/host';
import { Readable } from 'node:stream';
import { loadBlobLibrary } from './azure-libraries.ts';
import type { HttpClient, IHttpClient } from './libraries/azure-blob.ts';

/** The two interfaces of HTTP clients that Azure's libraries accept. */
export interface AzureHttpClients {
  readonly current: HttpClient;
  readonly blob: IHttpClient;
}

interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeout: number;
  readonly abortSignal: { readonly aborted: boolean } | undefined;
  readonly streams: ReadonlySet<number> | undefined;
}

interface Incoming {
  readonly answer: HttpAnswer;
  readonly bodyAsText?: string;
  readonly readableStreamBody?: Readable;
}

/**
 * Sends the requests of Azure's libraries through the host, with its proxies and certificates. `timeoutMs` is the
 * time-out of a request including its response.
 */
export async function azureHttpClients(http: Http, timeoutMs: number): Promise<AzureHttpClients> {
  const { createHttpHeaders, RestError, toHttpHeadersLike } = await loadBlobLibrary();
  /** The libraries retry only after errors of their own types, and recognise connection errors by their codes. */
  const send: typeof sendAsIs = async (over, request) => {
    try {
      const timeout = request.timeout > 0 ? Math.min(request.timeout, timeoutMs) : timeoutMs;
      return await sendAsIs(over, { ...request, timeout });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (request.abortSignal?.aborted === true || typeof code !== 'string') throw error;
      const message = userErrorText(error);
      throw Object.assign(new RestError(message, { code }), { cause: error });
    }
  };
  return {
    current: {
      async sendRequest(request) {
        const { answer, ...body } = await send(http, {
          url: request.url,
          method: request.method,
          headers: request.headers.toJSON({ preserveCase: true }),
          body: request.body,
          timeout: request.timeout,
          abortSignal: request.abortSignal,
          streams: request.streamResponseStatusCodes,
        });
        return {
          request,
          status: answer.status,
          headers: createHttpHeaders(answer.headers),
          ...body,
        };
      },
    },
    blob: {
      async sendRequest(request) {
        const { answer, ...body } = await send(http, {
          url: request.url,
          method: request.method,
          headers: request.headers.toJson({ preserveCase: true }),
          body: request.body,
          timeout: request.timeout,
          abortSignal: request.abortSignal,
          streams: request.streamResponseStatusCodes,
        });
        const headers = toHttpHeadersLike(createHttpHeaders(answer.headers));
        return { request, status: answer.status, headers, ...body };
      },
    },
  };
}

async function sendAsIs(http: Http, request: Outgoing): Promise<Incoming> {
  const { abortSignal, body, streams, timeout } = request;
  // No compression, which would have to be decoded here; a state is sent as it is stored.
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !IGNORED.has(name.toLowerCase())),
  );
  const answer = await http.request(request.url, {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && body !== null && { body: bytesOf(body) }),
    ...(timeout > 0 && { timeoutMs: timeout }),
    ...(abortSignal instanceof AbortSignal && { signal: abortSignal }),
  });
  if (streams?.has(answer.status) === true || streams?.has(Number.POSITIVE_INFINITY) === true) {
    return { answer, readableStreamBody: Readable.from(answer.body) };
  }
  return { answer, bodyAsText: await bodyText(answer) };
}

const IGNORED: ReadonlySet<string> = new Set(['accept-encoding', 'content-length']);

function bytesOf(body: unknown): string | Uint8Array {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('a request to Azure has a body of a kind that is not sent here');
}
