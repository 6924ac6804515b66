import type { Server } from '@terrane/server';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { isIP, type Server as NodeServer } from 'node:net';
import type { View } from '../../views/view.ts';

/** The listening address of a server, and its URL for clients. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** true if a proxy in front of the server names the client in X-Forwarded-For */
  readonly isBehindProxy?: boolean;
}

/** How long requests in progress may take when the server ends. */
const DRAIN_MS = 10_000;
/** Limits of connections, so that clients that send slowly or too much hold no resources. */
const CONNECTION_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** Runs the parts of a server until the signal. If one fails, the others end as well; rejects with its error. */
export async function runTogether(
  signal: AbortSignal,
  parts: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const failure = new AbortController();
  const combined = AbortSignal.any([signal, failure.signal]);
  const running = parts.map(async (part) => await part(combined));
  try {
    await Promise.all(running);
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}

/** Serves requests until the signal; then ends open connections after a moment. */
export async function serve(
  server: Server,
  { host, port, url, tls, isBehindProxy = false }: Listening,
  view: View,
  signal: AbortSignal,
  started: () => void = () => view.line(`The server listens on ${host}:${port} for ${url}.`),
): Promise<void> {
  const fetch = (request: Request, bindings: unknown): Promise<Response> =>
    server.fetch(request, addressOfClient(request, bindings, isBehindProxy));
  const listener: NodeServer = createAdaptorServer(
    tls === undefined
      ? { fetch, createServer, serverOptions: CONNECTION_LIMITS }
      : {
          fetch,
          createServer: createSecureServer,
          serverOptions: { ...CONNECTION_LIMITS, ...tls, minVersion: 'TLSv1.2' },
        },
  );
  await new Promise<void>((resolveListening, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, resolveListening);
  });
  started();
  await new Promise<void>((resolveClosed) => {
    const close = (): void => {
      server.drain();
      listener.close(() => resolveClosed());
      if (
        'closeIdleConnections' in listener &&
        typeof listener.closeIdleConnections === 'function'
      ) {
        listener.closeIdleConnections();
      }
      setTimeout(() => {
        if (
          'closeAllConnections' in listener &&
          typeof listener.closeAllConnections === 'function'
        ) {
          listener.closeAllConnections();
        }
      }, DRAIN_MS).unref();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
  });
}

/**
 * Returns the address of a client. Behind a proxy it is the last one of X-Forwarded-For, which the proxy has added; those
 * before it come from the client, which may forge them.
 */
function addressOfClient(request: Request, bindings: unknown, isBehindProxy: boolean): string {
  const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  if (isBehindProxy && isIP(forwarded) !== 0) return forwarded;
  const { incoming } = bindings as Partial<HttpBindings>; // The adaptor passes Node's request.
  return incoming?.socket.remoteAddress ?? '';
}
