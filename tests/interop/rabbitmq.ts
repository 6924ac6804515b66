// A RabbitMQ broker of its own for a test, on loopback, empty and gone afterwards.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** A broker that runs until it is disposed of. */
export interface Rabbitmq extends AsyncDisposable {
  /** the address of its HTTP API; its user `guest` has the password `guest` */
  readonly url: string;
}

/** The directory of broker releases in Debian. */
const RELEASES = '/usr/lib/rabbitmq/lib';

/** The path of the broker's program, or undefined where it is not installed. */
export function rabbitmqServer(): string | undefined {
  const releases = existsSync(RELEASES) ? readdirSync(RELEASES) : [];
  return releases
    .map((release) => join(RELEASES, release, 'sbin/rabbitmq-server'))
    .find((path) => existsSync(path));
}

/** Starts a broker with the plugin of its HTTP API. */
export async function startRabbitmq(): Promise<Rabbitmq> {
  const program = rabbitmqServer();
  if (program === undefined) throw new Error('no RabbitMQ broker');
  const folder = mkdtempSync(join(tmpdir(), 'interop-rabbitmq-'));
  const [amqp, http, distribution, mapper] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  writeFileSync(join(folder, 'plugins'), '[rabbitmq_management].\n');
  writeFileSync(
    join(folder, 'rabbitmq.conf'),
    `listeners.tcp.1 = 127.0.0.1:${amqp}\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = ${http}\n`,
  );
  const env = {
    ...process.env,
    HOME: folder,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(mapper),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_NODENAME: `interop-${amqp}@localhost`,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
  const server = spawn(program, [], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const url = `http://127.0.0.1:${http}`;
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    }
    await endMapper(mapper);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries > 1200 || server.exitCode !== null) {
      await stop();
      throw new Error(`no RabbitMQ broker: ${output}`);
    }
    await sleep(200);
  }
  return { url, [Symbol.asyncDispose]: stop };
}

/** Ends the port mapper of Erlang, which stays when the broker has ended and refuses while the broker is listed. */
async function endMapper(port: number): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const { stdout } = await run('epmd', ['-port', String(port), '-kill']).catch(() => ({
      stdout: 'Killed',
    }));
    if (stdout.includes('Killed')) return;
    await sleep(200);
  }
}

async function answers(url: string): Promise<boolean> {
  const authorization = `Basic ${Buffer.from('guest:guest').toString('base64')}`;
  return await fetch(`${url}/api/overview`, { headers: { authorization } }).then(
    ({ ok }) => ok,
    () => false,
  );
}
