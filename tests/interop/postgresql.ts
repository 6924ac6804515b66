// A PostgreSQL server of its own for a test, on loopback, empty and gone afterwards.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cleanUpAtSignal } from './clean-up-at-signal.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** A server that runs until it is disposed of. */
export interface Postgresql extends AsyncDisposable {
  readonly port: number;
  /** Ends the server as a loss of power would, and starts it again on its data. */
  crash(): Promise<void>;
}

/** Folders in which Debian and others keep the server's programs, beside PATH. */
function programFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  let versions: string[] = [];
  try {
    versions = readdirSync(debian).sort((a, b) => Number(b) - Number(a));
  } catch {
    // No such folder: PATH has them, or nothing has.
  }
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
}

/** The path of one of the server's programs, or undefined where it is not installed. */
export function postgresqlProgram(
  name: 'initdb' | 'postgres' | 'psql' | 'pg_dump',
): string | undefined {
  for (const folder of programFolders()) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** The server refuses to run as root; Debian's package makes a user for it. */
function asServerUser(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', command, ...args]]
    : [command, [...args]];
}

/** Starts a server with the superuser `postgres`, who needs no password. */
export async function startPostgresql(): Promise<Postgresql> {
  const initdb = postgresqlProgram('initdb');
  const postgres = postgresqlProgram('postgres');
  if (initdb === undefined || postgres === undefined) throw new Error('no PostgreSQL server');
  const folder = mkdtempSync(join(tmpdir(), 'interop-postgresql-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  await run(...asServerUser(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync']));
  const port = await freePort();
  const [command, args] = asServerUser(postgres, [
    ...['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-F'],
  ]);
  let server: ChildProcess | undefined;
  let isDisposed = false;
  const start = async (): Promise<void> => {
    if (isDisposed) throw new Error('The PostgreSQL server is not needed any more.');
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    server = child;
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    for (let tries = 0; !output.includes('ready to accept connections'); tries++) {
      if (tries > 4_800 || child.exitCode !== null)
        throw new Error(`no PostgreSQL server: ${output}`);
      await sleep(50);
    }
  };
  /** The first line of this file is the process that the others belong to. */
  const signal = (name: 'SIGINT' | 'SIGQUIT'): void => {
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), name);
  };
  const end = async (): Promise<void> => {
    isDisposed = true;
    if (server !== undefined) await stop(server, () => signal('SIGINT'));
    rmSync(folder, { recursive: true, force: true });
  };
  const withdraw = cleanUpAtSignal(end);
  await start();
  return {
    port,
    async crash() {
      const ended = server === undefined ? undefined : once(server, 'exit');
      // Without a checkpoint.
      signal('SIGQUIT');
      await ended;
      await start();
    },
    async [Symbol.asyncDispose]() {
      await end();
      withdraw();
    },
  };
}

/** Ends a server and its sessions, whether or not their clients are still connected. */
async function stop(server: ChildProcess, interrupt: () => void): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  try {
    interrupt();
  } catch {
    // It has not written its process ID yet. `runuser` passes this on.
    server.kill('SIGTERM');
  }
  await ended;
}
