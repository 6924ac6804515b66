import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CallError, Connection } from '../client/connection.ts';
import type { FakeProcess } from './fixtures/fake-process.ts';
import { providerWith } from './fixtures/thing-provider.ts';
import { ADDRESS, alone, host, through } from './fixtures/through.ts';
import { BY_HAND, COOKIE } from './negotiate.ts';

it('only the handshake is on standard output, regardless of the output of a provider', async () => {
  const { provider, process } = through(providerWith({}));
  await provider.schema();
  process.print('stdout', 'to nowhere in particular\n');
  expect(process.stdout.split('\n')).toHaveLength(2);
  expect(process.stdout).toMatch(/^1\|6\|unix\|\S+\|grpc\|[A-Za-z0-9+/]{200,}\n$/);
});

const line = (process: FakeProcess): Promise<string> =>
  new Promise((resolve) => {
    process.onLine = resolve;
  });

it.each([{}, { [COOKIE.name]: 'something else' }])(
  'without the cookie (%o) it explains itself',
  async (env) => {
    const process = alone(env);
    expect(await process.exited).toBe(1);
    expect(process.stderr).toBe(BY_HAND);
    expect(process.stdout).toBe('');
  },
);

it.each([
  ['5,6', '6'],
  ['6,5', '6'],
  ['5', '5'],
  ['4,5', '5'],
  // No common version: the host reports the error.
  ['7', '5'],
  ['', '5'],
])('for the requested versions "%s" it uses %s', async (asked, version) => {
  const process = alone({ [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: asked });
  expect((await line(process)).split('|').slice(0, 3)).toEqual(['1', version, 'unix']);
});

it('without a trusted certificate it uses no TLS', async () => {
  const process = alone({ [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: '6' });
  const [, , , address = '', protocol, certificate] = (await line(process)).split('|');
  expect([protocol, certificate]).toEqual(['grpc', '']);
  const handshake = { version: 6, network: 'unix', address, certificate: undefined } as const;
  const connection = await Connection.attach(handshake, host);
  expect(await connection.call('GetMetadata', {})).toMatchObject({
    resources: [{ typeName: 'thing' }],
    functions: [{ name: 'join' }],
  });
  await connection.close();
});

it('with a trusted certificate it rejects clients without one', async () => {
  const { provider, process } = through(providerWith({}));
  await provider.schema();
  const address = process.stdout.split('|')[3] ?? '';
  const handshake = { version: 6, network: 'unix', address, certificate: undefined } as const;
  const connection = await Connection.attach(handshake, host);
  await expect(connection.call('GetMetadata', {})).rejects.toThrow(CallError);
  await connection.close();
});

it('ports are tried one after the other', async () => {
  const env = { [COOKIE.name]: COOKIE.value, PLUGIN_MIN_PORT: '21711', PLUGIN_MAX_PORT: '21790' };
  const portOf = async (): Promise<number> => {
    const process = alone(env, [], { network: 'tcp' });
    return Number(/^1\|5\|tcp\|127\.0\.0\.1:(\d+)\|/.exec(await line(process))?.[1]);
  };
  const first = await portOf();
  expect(first).toBeGreaterThanOrEqual(21_711);
  expect(await portOf()).toBeGreaterThan(first);
});

it('invalid ports are rejected at the start', async () => {
  const process = alone({
    [COOKIE.name]: COOKIE.value,
    PLUGIN_MIN_PORT: '9',
    PLUGIN_MAX_PORT: '8',
  });
  expect(await process.exited).toBe(1);
  expect(process.stderr).toContain(
    'PLUGIN_MIN_PORT value of 9 is greater than PLUGIN_MAX_PORT value of 8',
  );
});

it('in debug mode it prints how to attach, and ends at Ctrl-C', async () => {
  const process = alone({}, ['-debug']);
  const printed = await line(process);
  const reattach = /\tTF_REATTACH_PROVIDERS='(.*)'/.exec(`${printed}\n`)?.[1] ?? '';
  expect(JSON.parse(reattach)).toMatchObject({
    [ADDRESS]: { Protocol: 'grpc', ProtocolVersion: 6, Test: true, Addr: { Network: 'unix' } },
  });
  expect(process.exitCode).toBeUndefined();
  process.signal('SIGINT');
  expect(await process.exited).toBe(0);
});

it('it ends if its host ended before the handshake', async () => {
  const process = alone({ [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: '6' });
  process.isUnread = true;
  expect(await process.exited).toBe(0);
});

it('it ends if its host ended before it connected', async () => {
  const process = alone({ [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: '6' });
  await line(process);
  process.parent = 7;
  expect(await process.exited).toBe(0);
});

const ENVIRONMENT = { [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: '6' };
/** Longer than the interval at which the parent process is checked. */
const CHECKED_MS = 1_500;

/** A host that reads the output of a plugin over a connection, as go-plugin does. */
async function connectHost(process: FakeProcess): Promise<{
  output(): Promise<string>;
  disconnect(): void;
}> {
  const address = (process.stdout || (await line(process))).split('|')[3] ?? '';
  const session = connectHttp2('http://localhost', {
    createConnection: () => connectSocket(address),
  });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/plugin.GRPCStdio/StreamStdio',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const EMPTY_MESSAGE = Buffer.alloc(5);
  stream.end(EMPTY_MESSAGE);
  for (const side of [session, stream]) side.on('error', () => undefined);
  return {
    output: async () => String((await once(stream, 'data'))[0]),
    disconnect: () => session.destroy(),
  };
}

it('it keeps serving if a wrapper that started it exits after the host connected', async () => {
  const process = alone(ENVIRONMENT);
  const connected = await connectHost(process);
  process.print('stdout', 'before');
  expect(await connected.output()).toContain('before');
  process.parent = 7;
  await sleep(CHECKED_MS);
  expect(process.exitCode).toBeUndefined();
  process.print('stdout', 'after');
  expect(await connected.output()).toContain('after');
  connected.disconnect();
  expect(await process.exited).toBe(0);
});

it('it serves another connection while its host is alive, and ends with the host', async () => {
  const process = alone(ENVIRONMENT);
  for (const text of ['first', 'second']) {
    const connected = await connectHost(process);
    process.print('stdout', text);
    expect(await connected.output()).toContain(text);
    connected.disconnect();
    await sleep(CHECKED_MS);
    expect(process.exitCode).toBeUndefined();
  }
  process.parent = 7;
  expect(await process.exited).toBe(0);
});
