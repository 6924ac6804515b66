// The storages whose locks are contended for. A further one is an entry here.
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { MOTO, startMoto } from '../backends/moto.ts';
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
];
