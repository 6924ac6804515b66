import { createHash } from 'node:crypto';
import type { OutgoingRequest } from './services/services.ts';
import { createFirstUser, openServer, type Server, type ServerOptions } from './server.ts';
import { openApiDocument } from './testing/api-document.ts';
import { openMigrated } from './testing/embedded-database.ts';

export { getBlob, getBlobStream, putBlob, putBlobStream } from './services/blobs.ts';

/** A server on a database in memory, for tests. */
export interface TestServer extends AsyncDisposable {
  readonly server: Server;
  readonly token: string;
  /** the time of the server; tests advance it */
  now: Date;
  /** the requests to other systems, which `answers` answers; the default is 200 with an empty object */
  readonly sent: (OutgoingRequest & { readonly url: string })[];
  answers: (
    url: string,
    request: OutgoingRequest,
  ) => { status: number; body?: string | Uint8Array } | undefined;
  /** Sends a request with a JSON body. Without a token, that of the first user is sent; `null` sends none. */
  call(
    method: string,
    path: string,
    body?: unknown,
    token?: string | null,
  ): Promise<{ readonly status: number; readonly json: TestJson; readonly bytes: Buffer }>;
}

/** The JSON document of a response; tests know its format. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests navigate documents whose format they assert
export type TestJson = any;

/** Starts a server in memory with the organization `acme`, owned by its first user. */
export async function testServer({
  requestsPerSecond = 0,
  ...options
}: Pick<
  ServerOptions,
  'requestsPerSecond' | 'oidc' | 'sendMail' | 'blobStorage' | 'logs' | 'traces'
> = {}): Promise<TestServer> {
  const db = await openMigrated();
  let seed = 0;
  const bytes = (n: number): Uint8Array => {
    const chunks: Buffer[] = [];
    for (let size = 0; size < n; size += 32)
      chunks.push(createHash('sha256').update(String(seed++)).digest());
    return Buffer.concat(chunks).subarray(0, n);
  };
  const self: Pick<TestServer, 'now' | 'sent' | 'answers'> = {
    now: new Date('2026-01-01T00:00:00Z'),
    sent: [],
    answers: () => undefined,
  };
  const opened = await openServer({
    db,
    clock: {
      now: () => self.now,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) resolve();
          setImmediate(resolve);
        }),
    },
    random: { bytes, uuid: () => String(seed++) },
    keyWrapper: {
      encode: (key) => Promise.resolve(key),
      decode: (key) => Promise.resolve(key),
    },
    baseUrl: 'https://server.test',
    send(url, request) {
      self.sent.push({ url, ...request });
      const { status, body = '{}' } = self.answers(url, request) ?? { status: 200 };
      return Promise.resolve({ status, body: Buffer.from(body) });
    },
    requestsPerSecond,
    ...options,
  });
  const document = openApiDocument();
  const differences = new Set<string>();
  const server: Server = {
    ...opened,
    async fetch(request, address) {
      const response = await opened.fetch(request, address);
      if (document === undefined) return response;
      const { status, headers } = response;
      const body = new Uint8Array(await response.clone().arrayBuffer());
      const { pathname: path } = new URL(request.url);
      const contentType = headers.get('content-type') ?? '';
      const observed = { method: request.method, path, status, contentType, body };
      for (const each of document.problems(observed)) differences.add(each);
      return response;
    },
  };
  const first = await createFirstUser(server.services, {
    username: 'ada',
    email: 'ada@example.com',
    organization: 'acme',
  });
  const token = first?.token ?? '';
  return Object.assign(self, {
    server,
    token,
    async call(method: string, path: string, body?: unknown, as: string | null = token) {
      const isBytes = body instanceof Uint8Array;
      const response = await server.fetch(
        new Request(new URL(path, 'https://server.test'), {
          method,
          headers: {
            ...(as !== null && { authorization: `Bearer ${as}` }),
            ...(body !== undefined && !isBytes && { 'content-type': 'application/vnd.api+json' }),
          },
          ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
        }),
      );
      const content = Buffer.from(await response.arrayBuffer());
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      const json: unknown = isJson && content.length > 0 ? JSON.parse(content.toString()) : {};
      return { status: response.status, json, bytes: content };
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      if (differences.size === 0) return;
      const list = [...differences].join('\n');
      throw new Error(`Responses differ from the OpenAPI document of HCP Terraform:\n${list}`);
    },
  });
}
