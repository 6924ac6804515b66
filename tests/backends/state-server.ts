// A server that keeps one state over HTTP as GitLab does: it tells who holds the lock, and takes nothing from anybody
// else while there is one.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Returns a response that replaces the one of the server. */
export type Instead = (
  asked: Asked,
) => { readonly status: number; readonly body?: string } | 'break' | undefined;

/** One state, its lock, and what was asked. */
export class StateServer implements AsyncDisposable {
  state: string | undefined;
  lock: string | undefined;
  readonly asked: Asked[] = [];
  instead: Instead = () => undefined;
  /** headers of what a GET is answered */
  readHeaders: (state: string) => Record<string, string> = () => ({});
  /** what is answered to who finds it locked */
  lockedStatus: 409 | 423 = 423;
  address = '';
  #close: () => Promise<void> = () => Promise.resolve();

  static async start(secure?: ServerOptions): Promise<StateServer> {
    const self = new StateServer();
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      void self.#hear(request, response);
    };
    const server =
      secure === undefined ? createServer(listener) : createSecureServer(secure, listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    self.address = `${secure === undefined ? 'http' : 'https'}://127.0.0.1:${port}/state/x`;
    self.#close = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return self;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const asked = { method, path: url, headers, body };
    this.asked.push(asked);
    const instead = this.instead(asked);
    if (instead === 'break') {
      this.#answer(asked);
      request.socket.destroy();
      return;
    }
    const answer = instead ?? this.#answer(asked);
    response.writeHead(answer.status, {
      ...(method === 'GET' && this.state !== undefined ? this.readHeaders(this.state) : {}),
    });
    response.end(answer.body);
  }

  #answer({ method, path, headers, body }: Asked): {
    readonly status: number;
    readonly body?: string;
  } {
    const url = new URL(path, 'http://x');
    const sum = headers['content-md5'];
    if (body !== '' && sum !== createHash('md5').update(body).digest('base64'))
      return { status: 400 };
    const holder = this.lock === undefined ? undefined : idOf(this.lock);
    switch (method) {
      case 'GET':
        return this.state === undefined ? { status: 404 } : { status: 200, body: this.state };
      case 'POST':
      case 'PUT': {
        if (url.pathname.endsWith('/lock')) return this.#take(body);
        if (holder !== undefined && url.searchParams.get('ID') !== holder)
          return { status: this.lockedStatus, body: this.lock ?? '' };
        const tag = headers['if-match'];
        if (tag !== undefined && tag !== `"${tagOf(this.state)}"`) return { status: 412 };
        this.state = body;
        return { status: 200 };
      }
      case 'LOCK':
        return this.#take(body);
      case 'UNLOCK':
      case 'DELETE':
        // GitLab breaks the lock where no number is told.
        if (body !== '' && holder !== undefined && idOf(body) !== holder)
          return { status: this.lockedStatus, body: this.lock ?? '' };
        this.lock = undefined;
        return { status: 200 };
      default:
        return { status: 405 };
    }
  }

  #take(body: string): { readonly status: number; readonly body?: string } {
    if (this.lock !== undefined) return { status: this.lockedStatus, body: this.lock };
    this.lock = body;
    return { status: 200 };
  }
}

/** Returns the digest of a state's bytes. */
export function tagOf(state: string | undefined): string {
  return createHash('sha1')
    .update(state ?? '')
    .digest('hex');
}

function idOf(lock: string): string {
  const parsed: unknown = JSON.parse(lock);
  return typeof parsed === 'object' && parsed !== null && 'ID' in parsed ? String(parsed.ID) : '';
}
