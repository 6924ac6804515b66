// A server on this machine that stands for those of a cloud: it hears what is asked of which host, and keeps it.
import { readFile, writeFile } from 'node:fs/promises';
import {
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Host, HttpRequest } from '@terrane/host';

/** A request, whoever it is for. */
export interface Asked {
  readonly method: string;
  /** the host that it is meant for */
  readonly host: string;
  /** path and query as they were sent */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

type Answer = (asked: Asked) => Said;

const ASKED_OF = 'x-asked-of';

/** Listens on a free port of this machine, also as a proxy, which opens connections to nobody but itself. */
export class Loopback {
  /** all that was asked, with the status of the answer */
  readonly exchanges: { readonly asked: Asked; readonly status: number }[] = [];
  /** scheme, address and port */
  readonly origin: string;
  /** Ends it, with all connections. */
  readonly close: () => Promise<void>;

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin;
    this.close = close;
  }

  /** With a certificate and its key, connections through the proxy are spoken with by TLS. */
  static async start(
    answer: Answer,
    tls?: { readonly cert: string; readonly key: string },
  ): Promise<Loopback> {
    const hear = (request: IncomingMessage, response: ServerResponse): void => {
      void asked(request).then((heard) => {
        const reply = answer(heard);
        self.exchanges.push({ asked: heard, status: reply.status });
        response.writeHead(reply.status, reply.headers);
        response.end(heard.method === 'HEAD' ? undefined : reply.body);
      });
    };
    const open = createServer(hear);
    const secure = tls === undefined ? undefined : createSecure(tls, hear);
    const servers = [open, ...(secure === undefined ? [] : [secure])];
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    const tunnels = new Set<Duplex>();
    open.on('connect', (_request, socket: Duplex) => {
      const { port } = (secure ?? open).address() as AddressInfo;
      const through = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      for (const end of [socket, through]) {
        tunnels.add(end);
        end.on('error', () => end.destroy());
      }
    });
    const { port } = open.address() as AddressInfo;
    const self: Loopback = new Loopback(`http://127.0.0.1:${port}`, async () => {
      for (const tunnel of tunnels) tunnel.destroy();
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    });
    return self;
  }

  /** Keeps what was asked in a file, to be asked again where the program that asked is not. */
  async record(file: URL, by: string): Promise<void> {
    const requests = this.exchanges.map(
      ({ asked: { method, host, path, headers, body }, status }) => ({
        method,
        host,
        path,
        headers: Object.fromEntries(
          Object.entries(headers).filter(([name]) => !HOPS.has(name) && name !== ASKED_OF),
        ),
        body: body.toString('base64'),
        status,
      }),
    );
    await writeFile(file, `${JSON.stringify({ by, requests }, undefined, 2)}\n`);
  }

  /** Repeats the recorded requests and returns those whose status differs from the recording. */
  async replay(file: URL): Promise<readonly string[]> {
    const { requests } = JSON.parse(await readFile(file, 'utf8')) as {
      readonly requests: readonly {
        readonly method: string;
        readonly host: string;
        readonly path: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
        readonly status: number;
      }[];
    };
    const others: string[] = [];
    for (const { method, host, path, headers, body, status } of requests) {
      const got = await new Promise<number>((resolve, reject) => {
        const made = ask(
          this.origin + path,
          { method, headers: { ...headers, [ASKED_OF]: host } },
          (response) => {
            response.resume();
            response.once('end', () => resolve(response.statusCode ?? 0));
          },
        );
        made.once('error', reject);
        made.end(Buffer.from(body, 'base64'));
      });
      if (got !== status) others.push(`${method} ${host}${path}: ${got} instead of ${status}`);
    }
    return others;
  }
}

const HOPS: ReadonlySet<string> = new Set(['connection', 'host', 'proxy-connection']);

async function asked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = request;
  const [, proxied, path = url] = /^https?:\/\/([^/]*)(\/.*)$/s.exec(url) ?? [];
  const of = headers[ASKED_OF];
  return {
    method,
    host: (typeof of === 'string' ? of : undefined) ?? proxied ?? headers.host ?? '',
    path,
    headers,
    body: Buffer.concat(chunks),
  };
}

/** A host all of whose requests go to a server of this machine, which is told whom they are for. */
export function hostThrough(host: Host, origin: string): Host {
  return {
    ...host,
    http: {
      ...host.http,
      async request(url: string, options: HttpRequest = {}) {
        const { host: of, pathname, search } = new URL(url);
        const { proxy: _, tls: __, ...rest } = options;
        return await host.http.request(`${origin}${pathname}${search}`, {
          ...rest,
          headers: { ...rest.headers, [ASKED_OF]: of },
        });
      },
    },
  };
}

/** CRC-64 as ECMA-182 has it, which clients of Alibaba and Tencent compare with that of what they have sent. */
export function crc64(body: Uint8Array): string {
  const mask = 2n ** 64n - 1n;
  let value = mask;
  for (const byte of body) {
    value ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) {
      value = value & 1n ? (value >> 1n) ^ 0xc96c5795d7870f42n : value >> 1n;
    }
  }
  return String(value ^ mask);
}
