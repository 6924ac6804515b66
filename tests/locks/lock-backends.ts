// The storages whose locks are contended for. A further one is an entry here.
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { ACCESS_KEY, ACCOUNT, AZURITE, Azurite } from '../backends/azurite.ts';
import { ConsulServer } from '../backends/consul-server.ts';
import { FAKE_GCS, startFakeGcs } from '../backends/fake-gcs.ts';
import { KubernetesServer } from '../backends/kubernetes-server.ts';
import { MOTO, startMoto } from '../backends/moto.ts';
import { StateServer } from '../backends/state-server.ts';
import { postgresqlProgram, startPostgresql } from '../interop/postgresql.ts';
import type { Target } from './lock-task.ts';

/** A storage while it is contended for. */
export interface Contended {
  readonly target: Target;
  stop(): Promise<void>;
}

/** A storage that can be contended for. */
export interface LockBackend {
  readonly name: string;
  /** what it needs is there */
  readonly isHere: boolean;
  start(folder: string): Promise<Contended>;
}

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

function s3(name: string, more: Readonly<Record<string, unknown>>): LockBackend {
  return {
    name,
    isHere: MOTO,
    async start() {
      const moto = await startMoto();
      const gate = await oneAtATime(moto.endpoint);
      const { endpoint } = gate;
      return {
        target: {
          kind: 'backend',
          type: 's3',
          config: {
            bucket: 'bucket',
            key: 'count',
            region: 'us-east-1',
            use_path_style: true,
            skip_credentials_validation: true,
            endpoints: { s3: endpoint, dynamodb: endpoint },
            ...more,
          },
          env: KEYS,
        },
        async stop() {
          await gate.close();
          await moto.stop();
        },
      };
    },
  };
}

/**
 * Passes requests on one after the other. Moto looks at a condition and then writes, with other requests in between,
 * which the services that it stands for do not do.
 */
async function oneAtATime(
  target: string,
): Promise<{ readonly endpoint: string; close(): Promise<void> }> {
  let last: Promise<void> = Promise.resolve();
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming;
      const pass = (): Promise<void> =>
        new Promise((resolve) => {
          const passed = request(`${target}${url}`, { method, headers }, (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(outgoing);
            answer.once('close', resolve);
          });
          passed.once('error', () => {
            outgoing.writeHead(503).end();
            resolve();
          });
          passed.end(Buffer.concat(pieces));
        });
      last = last.then(pass);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** All storages that the test knows. */
export const LOCK_BACKENDS: readonly LockBackend[] = [
  {
    name: 'local',
    isHere: true,
    start: (folder) =>
      Promise.resolve({
        target: { kind: 'local', path: join(folder, 'terraform.tfstate') },
        stop: () => Promise.resolve(),
      }),
  },
  s3('s3-lockfile', { use_lockfile: true }),
  s3('s3-dynamodb', { dynamodb_table: 'locks' }),
  {
    name: 'http',
    isHere: true,
    async start() {
      const server = await StateServer.start();
      const { address } = server;
      const config = { address, lock_address: address, unlock_address: address };
      return contended('http', config, {}, () => server[Symbol.asyncDispose]());
    },
  },
  {
    name: 'pg',
    isHere: postgresqlProgram('initdb') !== undefined,
    async start() {
      const server = await startPostgresql();
      const conn_str = `postgres://postgres@127.0.0.1:${server.port}/postgres?sslmode=disable`;
      return contended('pg', { conn_str }, {}, () => server[Symbol.asyncDispose]());
    },
  },
  {
    name: 'azurerm',
    isHere: AZURITE !== undefined,
    async start() {
      const server = await Azurite.start(AZURITE ?? '');
      await server.container('states');
      const place = { storage_account_name: ACCOUNT, container_name: 'states', key: 'count' };
      const env = { ...server.env, ARM_ACCESS_KEY: ACCESS_KEY };
      return contended('azurerm', place, env, () => server.close());
    },
  },
  {
    name: 'gcs',
    isHere: FAKE_GCS !== undefined,
    async start() {
      const server = await startFakeGcs(FAKE_GCS ?? '');
      return contended('gcs', { bucket: 'states', prefix: 'count' }, server.env, () =>
        server.stop(),
      );
    },
  },
  {
    name: 'consul',
    isHere: true,
    async start() {
      const server = await ConsulServer.start();
      const config = { address: server.address, path: 'states/count' };
      return contended('consul', config, {}, () => server[Symbol.asyncDispose]());
    },
  },
  {
    name: 'kubernetes',
    isHere: true,
    async start(folder) {
      const server = await KubernetesServer.start();
      const config_path = join(folder, 'kubeconfig');
      await writeFile(config_path, server.config);
      return contended('kubernetes', { secret_suffix: 'count', config_path }, {}, () =>
        server[Symbol.asyncDispose](),
      );
    },
  },
];

function contended(
  type: string,
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
  stop: () => PromiseLike<void>,
): Contended {
  return {
    target: { kind: 'backend', type, config, env },
    async stop() {
      await stop();
    },
  };
}
