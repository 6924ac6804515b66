// Requests of the `http` backend, and its treatment of responses.
import { FALSE, integer, str, TRUE, type Value } from '@terrane/cty';
import { StateConflict } from '@terrane/backends';
import { LockLost, nodeHost, type Storage } from '@terrane/host';
import { makeCertificate } from '@terrane/plugin';
import { describe, expect, it } from 'vitest';
import { bytesOf, lockOf, openBackend, problemsOf, textOf } from './open-backend.ts';
import { StateServer, tagOf } from './state-server.ts';

const FAST = { retry_wait_min: integer(0), retry_wait_max: integer(0) };

function at({ address }: StateServer): Record<string, Value> {
  return {
    address: str(address),
    lock_address: str(address),
    unlock_address: str(address),
    ...FAST,
  };
}

it.each([
  [{}, {}, 'address argument is required'],
  [{ address: str('') }, {}, 'address argument is required'],
  [{ address: str('ftp://x') }, {}, 'address must be HTTP or HTTPS'],
  [{ address: str('x') }, {}, 'address must be HTTP or HTTPS'],
  [{ address: str('http://x'), lock_address: str('x') }, {}, 'lock_address must be HTTP or HTTPS'],
  [
    {},
    { TF_HTTP_ADDRESS: 'http://x', TF_HTTP_UNLOCK_ADDRESS: 'x' },
    'unlock_address must be HTTP or HTTPS',
  ],
  [
    { address: str('http://x') },
    { TF_HTTP_RETRY_MAX: 'many' },
    'invalid retry_max: a number is required',
  ],
  [
    { address: str('http://x') },
    { TF_HTTP_RETRY_WAIT_MIN: '1.5' },
    'invalid retry_wait_min: must not be a whole number',
  ],
  [
    { address: str('http://x'), client_certificate_pem: str('x') },
    {},
    'client_certificate_pem is set but client_private_key_pem is not',
  ],
  [
    { address: str('http://x') },
    { TF_HTTP_CLIENT_PRIVATE_KEY_PEM: 'x' },
    'client_private_key_pem is set but client_certificate_pem is not',
  ],
] as [Record<string, Value>, Record<string, string>, string][])(
  'says what is wrong as Terraform does: %#',
  async (values, variables, summary) => {
    expect(await problemsOf('http', values, variables)).toEqual([
      { severity: 'error', summary, detail: '' },
    ]);
  },
);

it('refuses certificates that are none', async () => {
  const address = str('https://127.0.0.1:1');
  await expect(
    openBackend('http', { address, client_ca_certificate_pem: str('x') }),
  ).rejects.toThrow('failed to append certs');
  const { clock, random } = nodeHost();
  const [first, other] = [makeCertificate(clock, random), makeCertificate(clock, random)];
  await expect(
    openBackend('http', {
      address,
      client_certificate_pem: str(first.certificate),
      client_private_key_pem: str(other.key),
    }),
  ).rejects.toThrow('cannot load client certificate: private key does not match public key');
});

it('has no locks without an address for them, and one workspace', async () => {
  await using server = await StateServer.start();
  const backend = await openBackend('http', { address: str(server.address) });
  const storage = await backend.storage('default');
  expect([backend.workspaces, storage.lock, storage.unlock]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('reads, writes and locks, and reports the holder to later clients', async () => {
  await using server = await StateServer.start();
  const first = await (await openBackend('http', at(server))).storage('default');
  const other = await (await openBackend('http', at(server))).storage('default');
  expect(await first.read()).toBeUndefined();
  expect(await first.lock?.(lockOf('a'))).toEqual({ kind: 'locked', id: 'a' });
  await first.write([bytesOf('{'), bytesOf('}')]);
  expect(server.asked.at(-1)).toMatchObject({ method: 'POST', path: '/state/x?ID=a', body: '{}' });
  for (const status of [409, 423] as const) {
    server.lockedStatus = status;
    expect(await other.lock?.(lockOf('b'))).toEqual({
      kind: 'held',
      error: 'HTTP remote state already locked: ID=a',
      info: lockOf('a'),
    });
    await expect(other.write([bytesOf('late')])).rejects.toThrow(StateConflict);
  }
  expect(textOf(await other.read())).toBe('{}');
  await first.unlock?.('a');
  expect(server.lock).toBeUndefined();
  await first.write([bytesOf('[]')]);
  expect(server.asked.at(-1)?.path).toBe('/state/x');
});

it('breaks the lock of another client by its number, and only that', async () => {
  await using server = await StateServer.start();
  const first = await (await openBackend('http', at(server))).storage('default');
  const other = await (await openBackend('http', at(server))).storage('default');
  await first.lock?.(lockOf('a'));
  await expect(other.unlock?.('b')).rejects.toThrow('Unexpected HTTP response code 423');
  await other.unlock?.('a');
  expect(JSON.parse(server.asked.at(-1)?.body ?? '')).toEqual({ ID: 'a' });
  expect(server.lock).toBeUndefined();
});

it('holds a lock whose response was lost, as the server confirms', async () => {
  await using server = await StateServer.start();
  let broken = 0;
  server.instead = ({ method }) => (method === 'LOCK' && broken++ === 0 ? 'break' : undefined);
  const storage = await (await openBackend('http', at(server))).storage('default');
  expect(await storage.lock?.(lockOf('a'))).toEqual({ kind: 'locked', id: 'a' });
  // The first one was heard, the second one found the lock, and the third one is about what the server says then.
  expect(broken).toBe(3);
});

describe('a lock that is held', () => {
  const held = async (server: StateServer): Promise<Storage> => {
    const storage = await (await openBackend('http', at(server))).storage('default');
    await storage.lock?.(lockOf('a'));
    return storage;
  };

  it('is confirmed by the refusal that names it, and lost when another one is named or none is there', async () => {
    await using server = await StateServer.start();
    const storage = await held(server);
    await storage.confirmLock?.();
    server.lock = '{"ID":"other"}';
    await expect(storage.confirmLock?.()).rejects.toThrow(LockLost);
    server.lock = undefined;
    await expect(storage.confirmLock?.()).rejects.toThrow('has been removed by another client');
    // A lock that was acquired is released.
    expect(server.lock).toBeUndefined();
    await expect(storage.confirmLock?.()).rejects.toThrow(LockLost);
  });

  it('is lost when a server that grants the same lock again names another holder', async () => {
    await using server = await StateServer.start();
    server.instead = ({ method }) => (method === 'LOCK' ? { status: 200 } : undefined);
    const storage = await held(server);
    await storage.confirmLock?.();
    server.instead = () => ({ status: 409, body: '{"ID":"other"}' });
    await expect(storage.confirmLock?.()).rejects.toThrow('ID other');
  });

  it('counts as held if the server does not report it', async () => {
    await using server = await StateServer.start();
    let asked = 0;
    server.instead = ({ method }) =>
      method === 'LOCK' && asked++ > 0 ? { status: 500 } : undefined;
    const storage = await held(server);
    await storage.confirmLock?.();
    expect(asked).toBe(2);
  });
});

it('does not overwrite another state if the server has no ETags and no lock protects it', async () => {
  await using server = await StateServer.start();
  server.state = 'old';
  const { address } = server;
  const storage = await (await openBackend('http', { address: str(address) })).storage('default');
  await storage.read();
  server.state = 'by another';
  await expect(storage.write([bytesOf('mine')])).rejects.toThrow(StateConflict);
  await expect(storage.write([bytesOf('mine')])).rejects.toThrow(StateConflict);
  expect(server.state).toBe('by another');
  await storage.read();
  await storage.write([bytesOf('mine')]);
  expect(server.state).toBe('mine');
});

it('waits for unidentified holders too', async () => {
  await using server = await StateServer.start();
  server.instead = () => ({ status: 423, body: 'busy' });
  const storage = await (await openBackend('http', at(server))).storage('default');
  expect(await storage.lock?.(lockOf('a'))).toMatchObject({
    kind: 'held',
    error: 'HTTP remote state already locked, failed to unmarshal body',
    info: { id: 'unknown' },
  });
});

it('retries after connection and server errors, up to the limit', async () => {
  await using server = await StateServer.start();
  server.state = '{}';
  const answers = [500, 429, 503, undefined];
  let asked = 0;
  server.instead = () => {
    const status = answers[asked++];
    return status === undefined ? undefined : { status };
  };
  const values = { ...at(server), retry_max: integer(3) };
  const storage = await (await openBackend('http', values)).storage('default');
  expect(textOf(await storage.read())).toBe('{}');
  expect(asked).toBe(4);
  server.instead = () => 'break';
  asked = server.asked.length;
  await expect(storage.read()).rejects.toThrow(
    /^Failed to get state: GET http:\/\/127\.0\.0\.1:\d+\/state\/x giving up after 4 attempt\(s\): socket hang up$/,
  );
  // The first one was also sent on the idle connection of the requests before.
  expect(server.asked.length - asked).toBe(5);
});

it.each([
  [401, 'HTTP remote state endpoint requires auth'],
  [403, 'HTTP remote state endpoint invalid auth'],
  [418, 'Unexpected HTTP response code 418'],
  [501, 'Unexpected HTTP response code 501'],
])('explains status %i', async (status, text) => {
  await using server = await StateServer.start();
  server.instead = () => ({ status });
  const storage = await (await openBackend('http', at(server))).storage('default');
  await expect(storage.read()).rejects.toThrow(text);
  await expect(storage.lock?.(lockOf('a'))).rejects.toThrow(text);
  await expect(storage.write([])).rejects.toThrow(`HTTP error: ${status}`);
});

it('takes 204 and nothing at all for no state', async () => {
  await using server = await StateServer.start();
  const storage = await (await openBackend('http', at(server))).storage('default');
  for (const status of [200, 204, 404]) {
    server.instead = () => ({ status });
    expect(await storage.read()).toBeUndefined();
  }
});

it('rejects a state with a wrong checksum', async () => {
  await using server = await StateServer.start();
  server.state = '{}';
  server.readHeaders = () => ({ 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' });
  const storage = await (await openBackend('http', at(server))).storage('default');
  await expect(storage.read()).rejects.toThrow('Content-MD5');
});

it('overwrites only the content that it read, if the server has ETags', async () => {
  await using server = await StateServer.start();
  server.state = '1';
  server.readHeaders = (state) => ({ etag: `"${tagOf(state)}"` });
  const first = await (await openBackend('http', at(server))).storage('default');
  const other = await (await openBackend('http', at(server))).storage('default');
  await first.read();
  await other.read();
  await first.write([bytesOf('2')]);
  await expect(other.write([bytesOf('3')])).rejects.toThrow(StateConflict);
  expect(server.state).toBe('2');
  server.readHeaders = (state) => ({ etag: `W/"${tagOf(state)}"` });
  await other.read();
  await other.write([bytesOf('4')]);
  expect(server.asked.at(-1)?.headers['if-match']).toBeUndefined();
});

it('presents its certificate, and trusts only the configured authority', async () => {
  const { clock, random } = nodeHost();
  const [mine, theirs] = [makeCertificate(clock, random), makeCertificate(clock, random)];
  await using server = await StateServer.start({
    cert: theirs.certificate,
    key: theirs.key,
    ca: mine.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.state = '{}';
  const address = str(server.address.replace('127.0.0.1', 'localhost'));
  const certificates = {
    client_certificate_pem: str(mine.certificate),
    client_private_key_pem: str(mine.key),
  };
  const read = async (values: Record<string, Value>): Promise<string | undefined> => {
    const backend = await openBackend('http', { address, ...FAST, ...values });
    return textOf(await (await backend.storage('default')).read());
  };
  const ca = { client_ca_certificate_pem: str(theirs.certificate) };
  expect(await read({ ...certificates, ...ca })).toBe('{}');
  expect(await read({ ...certificates, skip_cert_verification: TRUE })).toBe('{}');
  await expect(read({ ...certificates, skip_cert_verification: FALSE })).rejects.toThrow(
    /Failed to get state: GET https:.*self.signed certificate/,
  );
  await expect(read(ca)).rejects.toThrow('Failed to get state');
  const seen: unknown = server.asked.length;
  expect(seen).toBe(2);
});
