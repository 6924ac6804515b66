// The storages whose locks are contended for. A further one is an entry here.
import { createPublicKey } from 'node:crypto';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { ACCESS_KEY, ACCOUNT, AZURITE, Azurite } from '../backends/azurite.ts';
import { startCloudServer } from '../backends/cloud-server.ts';
import { ConsulServer } from '../backends/consul-server.ts';
import { CosServer, DOMAIN } from '../backends/cos-server.ts';
import { FAKE_GCS, startFakeGcs } from '../backends/fake-gcs.ts';
import { KubernetesServer } from '../backends/kubernetes-server.ts';
import { MOTO, startMoto } from '../backends/moto.ts';
import { KEY_ID, OciServer } from '../backends/oci-server.ts';
import { OssServer } from '../backends/oss-server.ts';
import { selfSigned } from '../backends/self-signed.ts';
import { StateServer } from '../backends/state-server.ts';
import { postgresqlProgram, startPostgresql } from '../interop/postgresql.ts';
import type { Target } from './lock-task.ts';

/** A storage while it is contended for. */
export interface Contended {
  readonly target: Target;
  /** Another state in the same storage. */
  another(name: string): Promise<Target>;
  /** Ends a lock as the service does when it is not renewed, where `unlock` of the storage cannot. */
  expire?(id: string): void;
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
      const config = {
        bucket: 'bucket',
        region: 'us-east-1',
        use_path_style: true,
        skip_credentials_validation: true,
        endpoints: { s3: endpoint, dynamodb: endpoint },
        ...more,
      };
      const targetOf = (key: string): Target => ({
        kind: 'backend',
        type: 's3',
        config: { ...config, key },
        env: KEYS,
      });
      return {
        target: targetOf('count'),
        another: (name) => Promise.resolve(targetOf(name)),
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
  isRefused: (method: string, url: URL) => Promise<boolean> = () => Promise.resolve(false),
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
      last = last.then(async () => {
        if (!(await isRefused(incoming.method ?? '', new URL(incoming.url ?? '/', target))))
          return await pass();
        outgoing.writeHead(412).end();
      });
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

/** Returns true for a deletion with another generation than the object's, which fake-gcs-server ignores. */
async function isOtherGeneration(method: string, url: URL): Promise<boolean> {
  const expected = url.searchParams.get('ifGenerationMatch');
  if (method !== 'DELETE' || expected === null) return false;
  const answer = await fetch(new URL(url.pathname, url.origin));
  if (!answer.ok) return false;
  return /"generation":\s*"(\d+)"/.exec(await answer.text())?.[1] !== expected;
}

/** All storages that the test knows. */
export const LOCK_BACKENDS: readonly LockBackend[] = [
  {
    name: 'local',
    isHere: true,
    start(folder) {
      const targetOf = (name: string): Target => ({
        kind: 'local',
        path: join(folder, `${name}.tfstate`),
      });
      return Promise.resolve({
        target: targetOf('count'),
        another: (name) => Promise.resolve(targetOf(name)),
        stop: () => Promise.resolve(),
      });
    },
  },
  s3('s3-lockfile', { use_lockfile: true }),
  s3('s3-dynamodb', { dynamodb_table: 'locks' }),
  {
    name: 'http',
    isHere: true,
    async start() {
      // A server has one state only.
      const servers: StateServer[] = [];
      const targetOf = async (): Promise<Target> => {
        const server = await StateServer.start();
        servers.push(server);
        const { address } = server;
        const config = { address, lock_address: address, unlock_address: address };
        return { kind: 'backend', type: 'http', config, env: {} };
      };
      return {
        target: await targetOf(),
        another: targetOf,
        async stop() {
          for (const server of servers) await server[Symbol.asyncDispose]();
        },
      };
    },
  },
  {
    name: 'pg',
    isHere: postgresqlProgram('initdb') !== undefined,
    async start() {
      const server = await startPostgresql();
      const conn_str = `postgres://postgres@127.0.0.1:${server.port}/postgres?sslmode=disable`;
      const configOf = (schema_name: string): object => ({ conn_str, schema_name });
      return contended('pg', configOf, {}, () => server[Symbol.asyncDispose]());
    },
  },
  {
    name: 'azurerm',
    isHere: AZURITE !== undefined,
    async start() {
      const server = await Azurite.start(AZURITE ?? '');
      await server.container('states');
      const place = { storage_account_name: ACCOUNT, container_name: 'states' };
      const env = { ...server.env, ARM_ACCESS_KEY: ACCESS_KEY };
      return contended(
        'azurerm',
        (key) => ({ ...place, key }),
        env,
        () => server.close(),
      );
    },
  },
  {
    name: 'gcs',
    isHere: FAKE_GCS !== undefined,
    async start() {
      const server = await startFakeGcs(FAKE_GCS ?? '');
      const gate = await oneAtATime(server.origin, isOtherGeneration);
      const configOf = (prefix: string): object => ({ bucket: 'states', prefix });
      const GOOGLE_STORAGE_CUSTOM_ENDPOINT = `${gate.endpoint}/storage/v1/`;
      const env = { ...server.env, GOOGLE_STORAGE_CUSTOM_ENDPOINT };
      return contended('gcs', configOf, env, async () => {
        await gate.close();
        await server.stop();
      });
    },
  },
  {
    name: 'consul',
    isHere: true,
    async start() {
      const server = await ConsulServer.start();
      const configOf = (name: string): object => ({
        address: server.address,
        path: `states/${name}`,
      });
      const expire = (id: string): void => server.endSession(id);
      const stop = (): PromiseLike<void> => server[Symbol.asyncDispose]();
      return { ...contended('consul', configOf, {}, stop), expire };
    },
  },
  {
    name: 'kubernetes',
    isHere: true,
    async start(folder) {
      const server = await KubernetesServer.start();
      const config_path = join(folder, 'kubeconfig');
      await writeFile(config_path, server.config);
      const configOf = (secret_suffix: string): object => ({ secret_suffix, config_path });
      return contended('kubernetes', configOf, {}, () => server[Symbol.asyncDispose]());
    },
  },
  {
    name: 'oss',
    isHere: true,
    async start() {
      const server = await OssServer.start();
      const config = {
        bucket: 'bucket',
        endpoint: server.origin,
        tablestore_endpoint: server.origin,
        tablestore_instance_name: 'instance',
        tablestore_table: 'locks',
      };
      const env = { ALICLOUD_ACCESS_KEY: 'id', ALICLOUD_SECRET_KEY: 'secret' };
      const configOf = (prefix: string): object => ({ ...config, prefix });
      const stop = (): PromiseLike<void> => server[Symbol.asyncDispose]();
      return contended('oss', configOf, env, stop, server.origin);
    },
  },
  {
    name: 'cos',
    isHere: true,
    async start() {
      const server = await CosServer.start();
      const config = { bucket: 'bucket-1', region: 'ap-guangzhou', domain: DOMAIN };
      const env = { TENCENTCLOUD_SECRET_ID: 'id', TENCENTCLOUD_SECRET_KEY: 'secret' };
      const configOf = (prefix: string): object => ({ ...config, prefix });
      const stop = (): PromiseLike<void> => server[Symbol.asyncDispose]();
      return contended('cos', configOf, env, stop, server.loopback.origin);
    },
  },
  {
    name: 'oci',
    isHere: true,
    async start() {
      const server = await OciServer.start();
      const { key } = selfSigned('user');
      server.keys.set(KEY_ID, createPublicKey(key));
      const [tenancy_ocid, user_ocid, fingerprint] = KEY_ID.split('/');
      const user = { tenancy_ocid, user_ocid, fingerprint, private_key: key };
      const place = { bucket: 'bucket', namespace: 'space', region: 'us-ashburn-1' };
      const configOf = (name: string): object => ({ ...place, ...user, key: name });
      const stop = (): PromiseLike<void> => server[Symbol.asyncDispose]();
      return contended('oci', configOf, {}, stop, server.loopback.origin);
    },
  },
  {
    name: 'cloud',
    isHere: true,
    async start() {
      const server = await startCloudServer();
      const targetOf = (workspace: string): Target => ({
        kind: 'cloud',
        url: server.url,
        workspace,
      });
      return {
        target: targetOf('count'),
        another: (name) => Promise.resolve(targetOf(name)),
        stop: () => server.close(),
      };
    },
  },
];

function contended(
  type: string,
  configOf: (name: string) => object,
  env: Readonly<Record<string, string>>,
  stop: () => PromiseLike<void>,
  through?: string,
): Contended {
  const targetOf = (name: string): Target => ({
    kind: 'backend',
    type,
    config: { ...configOf(name) },
    env,
    ...(through === undefined ? {} : { through }),
  });
  return {
    target: targetOf('count'),
    another: (name) => Promise.resolve(targetOf(name)),
    async stop() {
      await stop();
    },
  };
}
