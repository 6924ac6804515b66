import { Readable } from 'node:stream';
import type { HttpRequest as SdkRequest, HttpResponse } from '@smithy/core/transport';
import { type Environment, type Http, type HttpTls, proxyFor } from '@terrane/host';
import type { AwsConnection } from './connection.ts';

/** The time limit for response headers. Synchronous calls take long: a Lambda function may run for 15 minutes. */
const HEAD_TIMEOUT_MS = 60 * 60_000;

/** The request handler interface of the SDK. */
export interface SdkRequestHandler {
  handle(
    request: SdkRequest,
    options?: { readonly abortSignal?: unknown },
  ): Promise<{ response: HttpResponse }>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): Record<string, never>;
}

/** The network settings of requests. */
type NetworkSettings = Pick<AwsConnection, 'httpProxy' | 'httpsProxy' | 'noProxy' | 'insecure'>;

/**
 * Creates a request handler that sends the SDK's requests through the host, with the proxies and certificates of a
 * connection. `abortSignal` of a request, or else `signal`, aborts it.
 */
export function requestHandler(
  host: { readonly http: Pick<Http, 'request'>; readonly environment: Pick<Environment, 'get'> },
  settings: NetworkSettings,
  ca: string | undefined,
  Response: typeof HttpResponse,
  signal?: AbortSignal,
): SdkRequestHandler {
  const tls: HttpTls | undefined =
    ca === undefined && !settings.insecure
      ? undefined
      : { ...(ca === undefined ? {} : { ca }), ...(settings.insecure ? { verify: false } : {}) };
  const environment = proxyEnvironment(host.environment, settings);
  return {
    async handle(request, { abortSignal } = {}) {
      const url = urlOf(request);
      const effectiveSignal = abortSignal instanceof AbortSignal ? abortSignal : signal;
      const response = await host.http.request(url, {
        method: request.method,
        headers: request.headers,
        redirect: 'manual',
        headTimeoutMs: HEAD_TIMEOUT_MS,
        proxy: proxyFor(new URL(url), environment) ?? '',
        ...(tls === undefined ? {} : { tls }),
        ...(effectiveSignal === undefined ? {} : { signal: effectiveSignal }),
        ...bodyOf(request.body),
      });
      return {
        response: new Response({
          statusCode: response.status,
          headers: { ...response.headers },
          body: Readable.from(response.body, { objectMode: false }),
        }),
      };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

function urlOf({ protocol, hostname, port, path, query }: SdkRequest): string {
  const queryText = Object.keys(query)
    .sort()
    .flatMap((name) => {
      const value = query[name];
      const values = Array.isArray(value) ? value : [value];
      return values.map((each) =>
        each === null || each === undefined ? escape(name) : `${escape(name)}=${escape(each)}`,
      );
    })
    .join('&');
  const authority = port === undefined ? hostname : `${hostname}:${port}`;
  return `${protocol}//${authority}${path}${queryText === '' ? '' : `?${queryText}`}`;
}

/** Escapes text as the SDK does for signing. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function bodyOf(body: unknown): { readonly body?: string | Uint8Array } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string' || body instanceof Uint8Array) return { body };
  throw new TypeError('the body of an AWS request must be a string or bytes');
}

/** The proxy variables of the environment, overridden by the settings of the connection. */
function proxyEnvironment(
  environment: Pick<Environment, 'get'>,
  { httpProxy, httpsProxy, noProxy }: NetworkSettings,
): Pick<Environment, 'get'> {
  const variableOf = (name: string): string =>
    environment.get(name) ?? environment.get(name.toLowerCase()) ?? '';
  return {
    get(name) {
      switch (name) {
        case 'HTTP_PROXY':
          return httpProxy ?? variableOf(name);
        case 'HTTPS_PROXY':
          return httpsProxy ?? (variableOf(name) === '' ? (httpProxy ?? '') : variableOf(name));
        case 'NO_PROXY':
          return noProxy ?? variableOf(name);
        default:
          return undefined;
      }
    },
  };
}
