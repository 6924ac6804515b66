import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of responses, whose form is that of the API
type Json = any;

/** A client of several servers of one installation, which it asks in turn. */
export class ApiClient {
  readonly #ports: readonly number[];
  readonly #token: string;
  #turn = 0;

  constructor(ports: readonly number[], token: string) {
    this.#ports = ports;
    this.#token = token;
  }

  /** Sends a request. Rejects for a response that is no success. */
  async call(method: string, path: string, body?: object): Promise<Json> {
    const isBytes = body instanceof Uint8Array;
    const port = this.#ports[this.#turn++ % this.#ports.length];
    const target = path.startsWith('http') ? new URL(path) : undefined;
    const route = target === undefined ? path : `${target.pathname}${target.search}`;
    const response = await fetch(`http://127.0.0.1:${port}${route}`, {
      method,
      headers: isBytes
        ? {}
        : {
            authorization: `Bearer ${this.#token}`,
            'content-type': 'application/vnd.api+json',
          },
      ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text.startsWith('{') ? JSON.parse(text) : text;
  }

  /** Sends a request, and returns the milliseconds until its response is complete. */
  async timed(method: string, path: string, body?: object): Promise<number> {
    const started = performance.now();
    await this.call(method, path, body);
    return performance.now() - started;
  }
}

/** Returns a document of JSON:API. */
export function document(type: string, attributes: object, relationships: object = {}): object {
  return { data: { type, attributes, relationships } };
}

/** Returns the archive of a configuration with one file. */
export async function archiveOf(text: string): Promise<Uint8Array> {
  return gzipSync(
    await packTar([
      { header: { name: 'main.tf', size: Buffer.byteLength(text), type: 'file' }, body: text },
    ]),
  );
}

/** Uploads a configuration and queues a run that is applied without approval. */
export async function queueRun(
  client: ApiClient,
  workspace: string,
  archive: Uint8Array,
): Promise<string> {
  const version = await client.call(
    'POST',
    `/api/v2/workspaces/${workspace}/configuration-versions`,
    document('configuration-versions', { 'auto-queue-runs': false }),
  );
  await client.call('PUT', version.data.attributes['upload-url'], archive);
  const run = await client.call(
    'POST',
    '/api/v2/runs',
    document(
      'runs',
      { 'auto-apply': true },
      {
        workspace: { data: { type: 'workspaces', id: workspace } },
        'configuration-version': {
          data: { type: 'configuration-versions', id: version.data.id },
        },
      },
    ),
  );
  return run.data.id;
}
