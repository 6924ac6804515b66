// A run server with PostgreSQL and agents as processes, for tests and measurements.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cleanUpAtSignal } from '../interop/clean-up-at-signal.ts';
import { type Postgresql, startPostgresql } from '../interop/postgresql.ts';

const execute = promisify(execFile);

/** The built program. */
export const TERRANE: string = new URL('../../bin/terrane', import.meta.url).pathname;

/** An encryption configuration for tests. */
export const ENCRYPTION =
  'key_provider "pbkdf2" "k" {\n  passphrase = "correct horse battery staple"\n}\nmethod "aes_gcm" "m" {\n  keys = key_provider.pbkdf2.k\n}\nplan {\n  method = method.aes_gcm.m\n}\n';

/** A process and what it has printed. */
export interface Program {
  readonly child: ChildProcess;
  output(): string;
}

/** A database with a first user, on which servers and agents are started. */
export interface Installation extends AsyncDisposable {
  readonly folder: string;
  readonly database: Postgresql;
  readonly environment: NodeJS.ProcessEnv;
  /** the token of the first user, who is a site administrator and owns the organization `acme` */
  readonly token: string;
  readonly agentToken: string;
  /** Starts a server that speaks HTTP, or HTTPS with the options of a certificate; returns when it listens. */
  startServer(port: number, ...args: readonly string[]): Promise<Program>;
  /** Starts an agent; returns when it waits for runs. */
  startAgent(name: string, port: number, ...args: readonly string[]): Promise<Program>;
  /** Returns how servers and agents of another build of the program are started. */
  withBuild(program: string): Pick<Installation, 'startServer' | 'startAgent'>;
  /** Ends a process and its children. */
  end(program: Program, signal: NodeJS.Signals): Promise<void>;
}

/**
 * Creates a database and its first user, with a build of the program. Its processes end with it.
 */
export async function createInstallation(program: string = TERRANE): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'run-server-'));
  const database = await startPostgresql();
  await writeFile(join(folder, 'encryption.hcl'), ENCRYPTION);
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    // Tests read what servers log.
    TF_LOG: 'debug',
    TERRANE_DATABASE_URL: `postgres://postgres@127.0.0.1:${database.port}/postgres`,
  };
  const certificate = join(folder, 'cert.pem');
  const programs = new Set<Program>();
  let isEnded = false;
  const server = ['server', '-encryption-config=encryption.hcl'];
  const prepare = async (...args: readonly string[]): Promise<string> =>
    (await execute(program, [...server, ...args], { cwd: folder, env: environment })).stdout.trim();
  const token = await prepare('-create-user=ada@example.com', '-create-organization=acme');
  const agentToken = await prepare('-create-agent-token');

  const start = async (
    build: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    ready: RegExp,
  ): Promise<Program> => {
    if (isEnded) throw new Error('The installation has ended.');
    const child = spawn(build, args, {
      env,
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const started: Program = { child, output: () => output };
    programs.add(started);
    for (let tries = 0; !ready.test(output); tries++) {
      if (tries > 4_800 || child.exitCode !== null) throw new Error(`${args.join(' ')}: ${output}`);
      await sleep(50);
    }
    return started;
  };
  const end = async (ended: Program, signal: NodeJS.Signals): Promise<void> => {
    const { child } = ended;
    programs.delete(ended);
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exited = once(child, 'exit');
    process.kill(-child.pid, signal);
    await exited;
  };
  const endAll = async (): Promise<void> => {
    isEnded = true;
    for (const each of [...programs]) await end(each, 'SIGKILL');
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  const withdraw = cleanUpAtSignal(endAll);
  const withBuild = (build: string): Pick<Installation, 'startServer' | 'startAgent'> => ({
    startServer: async (port, ...args) =>
      await start(
        build,
        [
          ...server,
          ...(args.some((arg) => arg.startsWith('-tls-cert=')) ? [] : ['-behind-proxy']),
          `-listen=127.0.0.1:${port}`,
          ...args.filter((arg) => !arg.startsWith('-database=')),
        ],
        {
          ...environment,
          TERRANE_DATABASE_URL:
            args.find((arg) => arg.startsWith('-database='))?.slice('-database='.length) ??
            environment.TERRANE_DATABASE_URL,
        },
        /The server listens/,
      ),
    startAgent: async (name, port, ...args) =>
      await start(
        build,
        [
          'agent',
          `-server=http://127.0.0.1:${port}`,
          `-name=${name}`,
          `-data=${join(folder, name)}`,
          ...args,
        ],
        {
          ...environment,
          TERRANE_AGENT_TOKEN: agentToken,
          // The certificate of a server that a test has made for itself.
          ...(existsSync(certificate) && { SSL_CERT_FILE: certificate }),
        },
        /is waiting for runs/,
      ),
  });
  return {
    ...withBuild(program),
    withBuild,
    folder,
    database,
    environment,
    token,
    agentToken,
    end,
    async [Symbol.asyncDispose]() {
      await endAll();
      withdraw();
    },
  };
}
