// A server for secrets and leases of the Kubernetes API, in memory: versions, conflicts and labels.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Stored {
  metadata: {
    name: string;
    namespace?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  data?: Record<string, string>;
  spec?: Record<string, unknown>;
}

/** The largest sum of the values of a secret. */
const MAX_SECRET_BYTES = 1_048_576;

function resourceSize(body: string): number {
  const { data = {} } = (body === '' ? {} : JSON.parse(body)) as Partial<Stored>;
  const sizes = Object.values(data).map((value) => Buffer.byteLength(value, 'base64'));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The API of a cluster. */
export class KubernetesServer implements AsyncDisposable {
  /** objects by collection and name */
  readonly objects: Map<string, Stored> = new Map();
  headers: IncomingMessage['headers'] = {};
  /** names of secrets that the user may not read */
  forbidden: RegExp | undefined;
  address = '';
  #version = 1;
  #close: () => Promise<void> = () => Promise.resolve();

  static async start(): Promise<KubernetesServer> {
    const self = new KubernetesServer();
    const server = createServer((request, response) => void self.#hear(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    self.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

  /** The kubeconfig file of somebody who may do everything. */
  get config(): string {
    return `apiVersion: v1
kind: Config
current-context: main
clusters:
  - name: here
    cluster:
      server: ${this.address}
users:
  - name: me
    user:
      token: s3cret
contexts:
  - name: main
    context: { cluster: here, user: me }
`;
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    this.headers = request.headers;
    const url = new URL(request.url ?? '/', 'http://x');
    const answer = this.#answer(request.method ?? 'GET', url, Buffer.concat(chunks).toString());
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  }

  #answer(
    method: string,
    url: URL,
    body: string,
  ): { readonly status: number; readonly body: unknown } {
    const [, of = '', name = ''] = /\/(secrets|leases)(?:\/(.*))?$/.exec(url.pathname) ?? [];
    const kind = of === 'secrets' ? 'Secret' : 'Lease';
    const apiVersion = of === 'secrets' ? 'v1' : 'coordination.k8s.io/v1';
    const key = `${of}/${name}`;
    const old = this.objects.get(key);
    const failure = (
      code: number,
      reason: string,
      message: string,
    ): { status: number; body: unknown } => ({
      status: code,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message },
    });
    if (of === '')
      return failure(404, 'NotFound', 'the server could not find the requested resource');
    if (name !== '' && this.forbidden?.test(name) === true)
      return failure(403, 'Forbidden', `${of} "${name}" is forbidden: User "me" cannot get it`);
    if (resourceSize(body) > MAX_SECRET_BYTES)
      return failure(
        422,
        'Invalid',
        `${of} is invalid: data: Too long: may not be more than 1048576`,
      );
    if (method === 'GET' && name === '') {
      const wanted = (url.searchParams.get('labelSelector') ?? '')
        .split(',')
        .map((pair) => pair.split('='));
      const items = [...this.objects]
        .filter(([at]) => at.startsWith(`${of}/`))
        .map(([, object]) => ({ apiVersion, kind, ...object }))
        .filter(({ metadata }) =>
          wanted.every(([label = '', value]) => metadata.labels?.[label] === value),
        )
        .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
      return { status: 200, body: { kind: `${kind}List`, apiVersion, metadata: {}, items } };
    }
    if (method !== 'POST' && old === undefined)
      return failure(404, 'NotFound', `${of} "${name}" not found`);
    if (method === 'GET') return { status: 200, body: { apiVersion, kind, ...old } };
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 200, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
    }
    const resource = JSON.parse(body) as Stored;
    const at = `${of}/${resource.metadata.name}`;
    if (method === 'POST' && this.objects.has(at))
      return failure(409, 'AlreadyExists', `${of} "${resource.metadata.name}" already exists`);
    const version = resource.metadata.resourceVersion;
    if (method === 'PUT' && version !== undefined && version !== old?.metadata.resourceVersion)
      return failure(
        409,
        'Conflict',
        `Operation cannot be fulfilled on ${of} "${name}": the object has been modified`,
      );
    this.#version += 1;
    const metadata = { ...resource.metadata, resourceVersion: String(this.#version) };
    const stored = { ...resource, metadata };
    this.objects.set(at, stored);
    return { status: method === 'POST' ? 201 : 200, body: { apiVersion, kind, ...stored } };
  }
}
