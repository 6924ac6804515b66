// A registry of providers, a network mirror and a host for downloads, on this machine: what tests ask, with
// the faults that they want.
import { zipSync } from 'fflate';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { nodeHost } from '@terrane/host';
import * as openpgp from 'openpgp';
import { type Certificate, makeCertificate } from '@terrane/plugin';

/** A key that packages are signed with. */
export interface SigningKeyPair {
  readonly armored: string;
  readonly keyId: string;
  readonly secret: openpgp.PrivateKey;
}

/** Generates a key; it expires `seconds` after `created`. */
export async function makeKey(
  options: {
    readonly created?: Date;
    readonly seconds?: number;
    readonly rsa?: boolean;
    /** a subkey signs */
    readonly subkey?: boolean;
  } = {},
): Promise<SigningKeyPair> {
  const { created, seconds, rsa, subkey } = options;
  const made = await openpgp.generateKey({
    ...(rsa === true
      ? { type: 'rsa' as const, rsaBits: 2048 }
      : { type: 'ecc' as const, curve: 'nistP256' as const }),
    userIDs: [{ name: 'Tests', email: 'tests@example.com' }],
    format: 'object',
    ...(subkey === true && { subkeys: [{ sign: true }] }),
    ...(created !== undefined && { date: created }),
    ...(seconds !== undefined && { keyExpirationTime: seconds }),
  });
  return {
    armored: made.publicKey.armor(),
    keyId: made.publicKey.getKeyID().toHex().toUpperCase(),
    secret: made.privateKey,
  };
}

/** One version of a provider. */
export interface Release {
  readonly version: string;
  readonly platforms: readonly string[];
  readonly protocols: readonly string[];
  readonly key: SigningKeyPair | undefined;
  /** the keys that the registry names; default: the one that signed */
  readonly keys?: readonly SigningKeyPair[];
  readonly signed?: Date;
  /** archives by platform, where they are not the usual ones */
  readonly archives?: Readonly<Record<string, Uint8Array>>;
  readonly sums?: string;
  readonly shasum?: string;
}

/** The requests that the server received. */
export interface Asked {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** Answers in place of the server; true when it has. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

export const PLATFORM: string = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** The archive of a provider that does nothing. */
export function archiveOf(type: string, version: string, platform: string): Uint8Array {
  const program = new TextEncoder().encode(
    `#!/bin/sh\necho ${type} ${version} ${platform}\nexit 1\n`,
  );
  return zipSync(
    {
      [`terraform-provider-${type}_v${version}`]: [program, { os: 3, attrs: 0o100755 << 16 }],
      'LICENSE.txt': [new TextEncoder().encode('as you like'), { os: 3, attrs: 0o100644 << 16 }],
    },
    { mtime: '2020-01-01' },
  );
}

export class RegistryServer {
  readonly #server: Server;
  readonly #pair: Certificate;
  readonly asked: Asked[] = [];
  readonly #releases: Map<string, Release[]> = new Map();
  readonly #files: Map<string, Uint8Array> = new Map();
  /** by path */
  readonly faults: Map<string, Fault> = new Map();
  readonly warnings: Map<string, readonly string[]> = new Map();
  services: Record<string, unknown> = { 'providers.v1': '/providers/v1/' };

  private constructor(server: Server, pair: Certificate) {
    this.#server = server;
    this.#pair = pair;
  }

  get certificate(): string {
    return this.#pair.certificate;
  }

  /** Starts one, with the certificate of another where one is given: who trusts that trusts both. */
  static async start(like?: RegistryServer): Promise<RegistryServer> {
    const { clock, random } = nodeHost();
    const pair = like === undefined ? makeCertificate(clock, random) : like.#pair;
    const server = createServer({ cert: pair.certificate, key: pair.key });
    const made = new RegistryServer(server, pair);
    server.on('request', (request, response) => made.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return made;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** `localhost:12345` */
  get host(): string {
    return `localhost:${this.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes versions of a provider, in the order they are given. */
  async publish(address: string, releases: readonly Release[]): Promise<void> {
    this.#releases.set(address, [...releases]);
    const type = address.slice(address.indexOf('/') + 1);
    for (const release of releases) {
      const { version, platforms, key } = release;
      const lines: string[] = [];
      for (const platform of platforms) {
        const name = archiveName(type, version, platform);
        const bytes = release.archives?.[platform] ?? archiveOf(type, version, platform);
        this.#files.set(`/files/${address}/${name}`, bytes);
        lines.push(`${sha256(bytes)}  ${name}\n`);
      }
      const sums = new TextEncoder().encode(release.sums ?? lines.join(''));
      this.#files.set(`/files/${address}/${version}_SHA256SUMS`, sums);
      if (key === undefined) continue;
      const signature = await openpgp.sign({
        message: await openpgp.createMessage({ binary: sums }),
        signingKeys: key.secret,
        detached: true,
        format: 'binary',
        ...(release.signed !== undefined && { date: release.signed }),
      });
      this.#files.set(`/files/${address}/${version}_SHA256SUMS.sig`, signature);
    }
  }

  /** Puts a file on the server, or other bytes in place of one. */
  put(path: string, content: Uint8Array | string): void {
    this.#files.set(
      path,
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    );
  }

  file(path: string): Uint8Array {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw new Error(`no file ${path}`);
    return bytes;
  }

  /** Returns the number of requests for a path. */
  count(part: string): number {
    return this.asked.filter(({ path, method }) => method === 'GET' && path.includes(part)).length;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const { method = '', headers } = request;
    this.asked.push({ method, path, headers, host: headers.host ?? '' });
    const fault = this.faults.get(path);
    if (fault?.(request, response) === true) return;
    if (path === '/.well-known/terraform.json') return json(response, this.services);
    const [, service, , namespace = '', type = '', ...rest] = path.split('/');
    if (service === 'providers') return this.#provider(response, `${namespace}/${type}`, rest);
    const file = this.#files.get(path);
    if (file === undefined) return status(response, 404);
    sendFile(request, response, file, path);
  }

  #provider(response: ServerResponse, address: string, rest: readonly string[]): void {
    const releases = this.#releases.get(address);
    if (releases === undefined) return status(response, 404);
    if (rest[0] === 'versions') {
      const versions = releases.map(({ version, protocols, platforms }) => ({
        version,
        protocols,
        platforms: platforms.map((each) => ({ os: each.split('_')[0], arch: each.split('_')[1] })),
      }));
      return json(response, { versions, warnings: this.warnings.get(address) ?? null });
    }
    const [version = '', , os = '', arch = ''] = rest;
    const release = releases.find((each) => each.version === version);
    const platform = `${os}_${arch}`;
    if (release === undefined || !release.platforms.includes(platform))
      return status(response, 404);
    const type = address.slice(address.indexOf('/') + 1);
    const filename = archiveName(type, version, platform);
    const base = `/files/${address}`;
    const keys = release.keys ?? (release.key === undefined ? [] : [release.key]);
    return json(response, {
      protocols: release.protocols,
      os,
      arch,
      filename,
      download_url: `${base}/${filename}`,
      shasums_url: `${base}/${version}_SHA256SUMS`,
      shasums_signature_url: `${base}/${version}_SHA256SUMS.sig`,
      shasum: release.shasum ?? sha256(this.file(`${base}/${filename}`)),
      signing_keys: {
        gpg_public_keys: keys.map(({ armored, keyId }) => ({
          key_id: keyId,
          ascii_armor: armored,
          trust_signature: '',
          source: 'tests',
          source_url: null,
        })),
      },
    });
  }
}

export function archiveName(type: string, version: string, platform: string): string {
  return `terraform-provider-${type}_${version}_${platform}.zip`;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function json(response: ServerResponse, content: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(content));
}

export function status(response: ServerResponse, code: number): void {
  response.writeHead(code, { 'content-type': 'text/plain' });
  response.end('no');
}

/** Answers with a status, so many times; then as usual. */
export function failing(code: number, times: number = Number.POSITIVE_INFINITY): Fault {
  let remaining = times;
  return (_request, response) => {
    if (remaining-- <= 0) return false;
    status(response, code);
    return true;
  };
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: Uint8Array,
  path: string,
): void {
  const type = path.endsWith('.json') ? 'application/json' : 'application/octet-stream';
  const headers = {
    'content-type': type,
    'accept-ranges': 'bytes',
    etag: `"${sha256(file).slice(0, 16)}"`,
  };
  const start = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  if (start !== undefined) {
    const rest = file.subarray(Number(start));
    response.writeHead(206, {
      ...headers,
      'content-length': rest.length,
      'content-range': `bytes ${start}-${file.length - 1}/${file.length}`,
    });
    response.end(request.method === 'HEAD' ? undefined : rest);
    return;
  }
  response.writeHead(200, { ...headers, 'content-length': file.length });
  response.end(request.method === 'HEAD' ? undefined : file);
}

/** Breaks the connection off after some bytes of the file, so many times. */
export function breakingOff(file: Uint8Array, after: number, times = 1): Fault {
  let remaining = times;
  return (request, response) => {
    if (request.method !== 'GET' || remaining-- <= 0) return false;
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': file.length - start,
      etag: `"${sha256(file).slice(0, 16)}"`,
      ...(start > 0 && { 'content-range': `bytes ${start}-${file.length - 1}/${file.length}` }),
    });
    response.write(file.subarray(start, start + after), () => response.socket?.destroy());
    return true;
  };
}
