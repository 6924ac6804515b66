// The server that answers as Azure Storage does, at the names that Azure has: by a proxy which ends TLS with a
// certificate of its own. scripts/install-azurite.sh installs the server.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createSecureServer } from 'node:tls';
import {
  AccountSASPermissions,
  BlobServiceClient,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { installedServer } from './programs.ts';
import { selfSigned } from './self-signed.ts';

/** The account of the server, and its key, both of which everybody knows. */
export const ACCOUNT = 'devstoreaccount1';
export const ACCESS_KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** The path of the server; undefined if it is not installed. */
export const AZURITE: string | undefined = installedServer(
  'azurite',
  'node_modules/.bin/azurite-blob',
);

/** The server, while it runs. */
export class Azurite {
  /** what programs need in their environment to reach it as Azure */
  readonly env: Readonly<Record<string, string>>;
  readonly service: BlobServiceClient;
  readonly #child: ChildProcess;
  readonly #servers: readonly Server[];
  readonly #directory: string;

  private constructor(
    env: Readonly<Record<string, string>>,
    service: BlobServiceClient,
    child: ChildProcess,
    servers: readonly Server[],
    directory: string,
  ) {
    this.env = env;
    this.service = service;
    this.#child = child;
    this.#servers = servers;
    this.#directory = directory;
  }

  static async start(program: string): Promise<Azurite> {
    const directory = await mkdtemp(join(tmpdir(), 'terrane-azurite-'));
    const args = ['--inMemoryPersistence', '--skipApiVersionCheck', '--disableTelemetry'];
    const child = spawn(program, [...args, '--blobPort', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = await portOf(child);
    const { certificate, key } = selfSigned('*.blob.core.windows.net');
    const trusted = join(directory, 'ca.pem');
    await writeFile(trusted, certificate);
    const secure = createSecureServer({ cert: certificate, key }, (socket) => {
      joinSockets(socket, connect(port, '127.0.0.1'));
    });
    const proxy = createServer((socket) => {
      // `CONNECT account.blob.core.windows.net:443`, whatever it is: all of Azure is here.
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        joinSockets(socket, connect(portAt(secure), '127.0.0.1'));
      });
      socket.on('error', () => socket.destroy());
    });
    await listening(secure);
    await listening(proxy);
    const url = `http://127.0.0.1:${portAt(proxy)}`;
    const service = new BlobServiceClient(
      `http://127.0.0.1:${port}/${ACCOUNT}`,
      new StorageSharedKeyCredential(ACCOUNT, ACCESS_KEY),
    );
    const env = { HTTPS_PROXY: url, SSL_CERT_FILE: trusted };
    return new Azurite(env, service, child, [secure, proxy], directory);
  }

  async container(name: string): Promise<void> {
    await this.service.getContainerClient(name).createIfNotExists();
  }

  /** A shared access signature for everything, for an hour. */
  signature(): string {
    const permissions = AccountSASPermissions.parse('rwdlacuptfi');
    const expires = new Date(Date.now() + 3_600_000);
    const url = this.service.generateAccountSasUrl(expires, permissions, 'sco');
    return new URL(url).search.slice(1);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill();
    await ended;
    for (const server of this.#servers) server.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const port = /listen(?:s|ing) (?:at|on) https?:\/\/[\d.]+:(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error(`azurite ended: ${output}`)));
  });
}

function joinSockets(first: Socket, other: Socket): void {
  first.pipe(other).pipe(first);
  const end = (): void => {
    first.destroy();
    other.destroy();
  };
  for (const socket of [first, other]) socket.on('error', end).on('close', end);
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function portAt(server: Server): number {
  return (server.address() as AddressInfo).port;
}
