// The `consul` backend on a server that does what Consul's documentation says, beside the real terraform.
import { FALSE, str, TRUE, type Value } from '@terrane/cty';
import { StateConflict } from '@terrane/backends';
import { LockLost, type Storage } from '@terrane/host';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ConsulServer } from './consul-server.ts';
import { PAIRS, takeTurns } from './interchange.ts';
import { bytesOf, lockOf, openBackend, problemsOf, textOf } from './open-backend.ts';
import { expectSideStorage } from './side-storage.ts';

async function storageOf(
  server: ConsulServer,
  values: Record<string, Value> = {},
  variables: Record<string, string> = {},
  workspace = 'default',
): Promise<Storage> {
  const config = { address: str(server.address), path: str('states/app'), ...values };
  return await (await openBackend('consul', config, variables)).storage(workspace);
}

for (const pair of PAIRS) {
  const [first, other] = pair;
  it(`takes turns with a state in Consul: ${first.name}, then ${other.name}`, async () => {
    await using server = await ConsulServer.start();
    const block = `  backend "consul" {\n    path = "states/app"\n    gzip = ${first.name === 'terrane'}\n  }`;
    const env = { CONSUL_HTTP_ADDR: server.address };
    const breaksLocks = first === other;
    await takeTurns(pair, { block, env, hasWorkspaces: true, hasLocks: true, breaksLocks });
  });
}

it('requires a path', async () => {
  expect(await problemsOf('consul', {})).toEqual([
    { severity: 'error', summary: '"path": required field is not set', detail: '' },
  ]);
});

it('reads its content, plain or compressed, and overwrites only content that it has read', async () => {
  await using server = await ConsulServer.start();
  const first = await storageOf(server);
  const other = await storageOf(server, { gzip: TRUE });
  expect([await first.read(), await other.read()]).toEqual([undefined, undefined]);
  await first.write([bytesOf('1')]);
  expect(server.keys.get('states/app')?.value.toString()).toBe('1');
  await expect(other.write([bytesOf('2')])).rejects.toThrow(StateConflict);
  expect(textOf(await other.read())).toBe('1');
  await other.write([bytesOf('3')]);
  expect(gunzipSync(server.keys.get('states/app')?.value ?? Buffer.of()).toString()).toBe('3');
  await expect(first.write([bytesOf('4')])).rejects.toThrow(StateConflict);
  expect(textOf(await first.read())).toBe('3');
});

it('puts a state that is too large into several keys, and leaves none behind', async () => {
  await using server = await ConsulServer.start();
  const storage = await storageOf(server);
  const large = (letter: string): Uint8Array => bytesOf(letter.repeat(1_200_000));
  await storage.write([large('a')]);
  const chunks = [...server.keys.keys()].filter((key) => key.startsWith('states/app/tfstate.'));
  expect(chunks).toHaveLength(3);
  const { 'current-hash': hash, chunks: named } = JSON.parse(
    server.keys.get('states/app')?.value.toString() ?? '',
  ) as { 'current-hash': string; chunks: string[] };
  expect([named, chunks.every((key) => key.includes(hash))]).toEqual([chunks, true]);
  expect(textOf(await storage.read())).toBe('a'.repeat(1_200_000));
  // The same again stays, another takes its place; less than Consul's limit may still be too large in a transaction.
  await storage.write([large('a')]);
  expect(await storage.read()).toHaveLength(1_200_000);
  await storage.write([bytesOf('b'.repeat(500_000))]);
  expect(await storage.read()).toHaveLength(500_000);
  expect(server.keys.size).toBe(2);
  await storage.write([bytesOf('c')]);
  expect([...server.keys.keys()]).toEqual(['states/app']);
});

it('reports a state with missing or changed parts', async () => {
  await using server = await ConsulServer.start();
  const storage = await storageOf(server);
  await storage.write([bytesOf('a'.repeat(1_200_000))]);
  const part = [...server.keys.keys()].find((key) => key.endsWith('/1')) ?? '';
  const entry = server.keys.get(part);
  if (entry !== undefined) entry.value = Buffer.from('b');
  await expect(storage.read()).rejects.toThrow('The remote state does not match the expected hash');
  server.keys.delete(part);
  await expect(storage.read()).rejects.toThrow(`Key "${part}" could not be found`);
});

it('locks by a session, names the holder, and lets another in afterwards', async () => {
  await using server = await ConsulServer.start();
  const [first, other] = [await storageOf(server), await storageOf(server)];
  const got = await first.lock?.(lockOf('a'));
  const [id = ''] = [...server.sessions.keys()];
  expect(got).toEqual({ kind: 'locked', id, leaseMs: 30_000 });
  expect(server.keys.get('states/app/.lock')).toMatchObject({
    session: id,
    flags: 3304740253564472346n,
  });
  const holder = { ...lockOf(id), info: `consul session: ${id}`, path: 'states/app' };
  expect(await other.lock?.(lockOf('b'))).toMatchObject({ kind: 'held', info: holder });
  expect(await other.lockHolder?.()).toEqual(holder);
  expect([...server.sessions.keys()]).toEqual([id]);
  await first.renew?.(lockOf('a'));
  await first.confirmLock?.();
  await first.write([bytesOf('1')]);
  await first.unlock?.(id);
  expect([...server.keys.keys(), ...server.sessions.keys()]).toEqual(['states/app']);
  expect(await other.lockHolder?.()).toBeUndefined();
  const next = await other.lock?.(lockOf('b'));
  expect(next?.kind).toBe('locked');
  if (next?.kind === 'locked') await other.unlock?.(next.id);
});

it('breaks the lock of another, who then cannot write, once Consul lets go of it', async () => {
  await using server = await ConsulServer.start();
  const [first, other] = [await storageOf(server), await storageOf(server)];
  await first.read();
  const got = await first.lock?.(lockOf('a'));
  const id = got?.kind === 'locked' ? got.id : '';
  await expect(other.unlock?.('x')).rejects.toThrow(
    `lock id "x" does not match existing lock: that has the id "${id}".`,
  );
  await other.unlock?.(id);
  // Not before Consul's delay is over.
  const next = await other.lock?.(lockOf('b'));
  expect(next?.kind).toBe('locked');
  await expect(first.write([bytesOf('late')])).rejects.toThrow(LockLost);
  await expect(first.renew?.(lockOf('a'))).rejects.toThrow(LockLost);
  await expect(first.confirmLock?.()).rejects.toThrow(LockLost);
  await other.read();
  await other.write([bytesOf('1')]);
  expect(textOf(await first.read())).toBe('1');
  await expect(first.unlock?.(id)).rejects.toThrow(LockLost);
  if (next?.kind === 'locked') await other.unlock?.(next.id);
  await expect(first.unlock?.(id)).rejects.toThrow('The state is not locked.');
});

it('has no locks if they are disabled', async () => {
  await using server = await ConsulServer.start();
  const { lock } = await storageOf(server, { lock: FALSE });
  expect(lock).toBeUndefined();
});

it('lists workspaces and deletes them with all their parts', async () => {
  await using server = await ConsulServer.start();
  const backend = await openBackend('consul', {
    address: str(`http://${server.address}`),
    path: str('/states/app'),
  });
  expect(await backend.workspaces?.names()).toEqual(['default']);
  for (const name of ['b', 'a', 'default']) {
    const storage = await backend.storage(name);
    await storage.write([bytesOf(name.repeat(600_000))]);
  }
  expect(await backend.workspaces?.names()).toEqual(['default', 'a', 'b']);
  await backend.workspaces?.delete('a');
  expect(await backend.workspaces?.names()).toEqual(['default', 'b']);
  expect([...server.keys.keys()].filter((key) => key.includes('env:a'))).toEqual([]);
  await expect(backend.workspaces?.delete('default')).rejects.toThrow("can't delete default state");
});

it('has data beside states, also such that exceeds the size of a value', async () => {
  await using server = await ConsulServer.start();
  const backend = await openBackend('consul', {
    address: str(`http://${server.address}`),
    path: str('/states/app'),
  });
  await expectSideStorage(backend);
  expect([...server.keys.keys()]).toEqual([]);
});

it('uses the variables of Consul, without tokens in messages', async () => {
  await using server = await ConsulServer.start();
  const backend = await openBackend(
    'consul',
    { path: str('x') },
    {
      CONSUL_HTTP_ADDR: server.address,
      CONSUL_HTTP_TOKEN: 's3cret',
      CONSUL_HTTP_AUTH: 'me:s3cret',
    },
  );
  const storage = await backend.storage('default');
  await storage.write([bytesOf('1')]);
  expect(server.headers).toMatchObject({
    'x-consul-token': 's3cret',
    authorization: `Basic ${Buffer.from('me:s3cret').toString('base64')}`,
  });
  await server[Symbol.asyncDispose]();
  const failure = storage.read();
  await expect(failure).rejects.toThrow(/^Consul at http:\/\/127.0.0.1:\d+ could not be asked: /);
  await expect(failure).rejects.not.toThrow('s3cret');
});
