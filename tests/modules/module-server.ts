// A server over https on this machine: a registry of modules, archives, pages and whatever a test lets it answer.
import { makeCertificate } from '@terrane/plugin';
import { nodeHost } from '@terrane/host';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:https';

/** The response for a path. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response, or a function that returns the response to a request. */
export type Handler = Answer | ((request: IncomingMessage) => Answer);

export class ModuleServer {
  readonly #server: Server | PlainServer;
  readonly certificate: string;
  readonly #scheme: string;
  /** by path, without the query */
  readonly answers: Map<string, Handler> = new Map();
  /** method and address of each request */
  readonly asked: { readonly url: string; readonly authorization: string | undefined }[] = [];

  private constructor(server: Server | PlainServer, certificate: string, scheme: string) {
    this.#server = server;
    this.certificate = certificate;
    this.#scheme = scheme;
  }

  static async start(secure = true): Promise<ModuleServer> {
    const { clock, random } = nodeHost();
    const pair = makeCertificate(clock, random);
    const server = secure
      ? createServer({ cert: pair.certificate, key: pair.key })
      : createPlainServer();
    const made = new ModuleServer(server, pair.certificate, secure ? 'https' : 'http');
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      made.#answer(request, response),
    );
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return made;
  }

  /** `https://localhost:12345` */
  get url(): string {
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return `${this.#scheme}://localhost:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes a module: its versions, and where the package of each is. */
  publish(
    address: string,
    versions: readonly string[],
    location: (version: string) => Answer,
  ): void {
    const body = JSON.stringify({
      modules: [{ versions: versions.map((version) => ({ version })) }],
    });
    this.answers.set(`/v1/${address}/versions`, {
      headers: { 'content-type': 'application/json' },
      body,
    });
    for (const version of versions) {
      this.answers.set(`/v1/${address}/${version}/download`, location(version));
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? '';
    this.asked.push({ url, authorization: request.headers.authorization });
    const handler = this.answers.get(url.split('?')[0] ?? '');
    const answer = typeof handler === 'function' ? handler(request) : (handler ?? { status: 404 });
    const { status = 200, headers = {}, body = '' } = answer;
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
    response.writeHead(status, {
      ...(status === 204 ? {} : { 'content-length': String(bytes.length) }),
      ...headers,
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}

/** The answer that points somewhere by its header, as registries do. */
export function pointingTo(address: string): Answer {
  return { status: 204, headers: { 'X-Terraform-Get': address } };
}
