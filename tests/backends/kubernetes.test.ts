// The `kubernetes` backend on a server that does what the API's documentation says, beside the real terraform.
import { str, type Value } from '@terrane/cty';
import { StateConflict } from '@terrane/backends';
import { LockLost, type Storage } from '@terrane/host';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAIRS, takeTurns } from './interchange.ts';
import { KubernetesServer } from './kubernetes-server.ts';
import { expectSideStorage } from './side-storage.ts';
import { bytesOf, lockOf, openBackend, problemsOf, textOf } from './open-backend.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terrane-kubernetes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function configOf(server: KubernetesServer): Promise<string> {
  const path = join(folder, `config-${server.address.replace(/\W+/g, '-')}`);
  await writeFile(path, server.config);
  return path;
}

async function storageOf(
  server: KubernetesServer,
  values: Record<string, Value> = {},
): Promise<Storage> {
  const config = { secret_suffix: str('app'), config_path: str(await configOf(server)), ...values };
  return await (await openBackend('kubernetes', config)).storage('default');
}

for (const pair of PAIRS) {
  const [first, other] = pair;
  it(`takes turns with a state in Kubernetes: ${first.name}, then ${other.name}`, async () => {
    await using server = await KubernetesServer.start();
    const block = `  backend "kubernetes" {\n    secret_suffix = "app"\n  }`;
    const env = { KUBE_CONFIG_PATH: await configOf(server) };
    await takeTurns(pair, { block, env, hasWorkspaces: true, hasLocks: true, breaksLocks: true });
    // Over TLS only.
    expect(server.headers.authorization).toBeUndefined();
  });
}

it.each([
  [{}, '"secret_suffix": required field is not set'],
  [{ secret_suffix: str('a-1') }, `secret_suffix must not end with '-<number>', got "a-1"`],
] as [Record<string, Value>, string][])(
  'says what is wrong as Terraform does: %#',
  async (values, summary) => {
    expect(await problemsOf('kubernetes', values)).toEqual([
      { severity: 'error', summary, detail: '' },
    ]);
  },
);

it('reports a missing cluster or an unknown context', async () => {
  await using server = await KubernetesServer.start();
  const failed = 'Failed to initialize kubernetes configuration:';
  await expect(openBackend('kubernetes', { secret_suffix: str('app') })).rejects.toThrow(
    `${failed} invalid configuration: no configuration has been provided`,
  );
  await expect(storageOf(server, { config_context: str('other') })).rejects.toThrow(
    `${failed} context "other" does not exist`,
  );
});

it('never overwrites unread changes, also in several secrets', async () => {
  await using server = await KubernetesServer.start();
  const [first, other] = [await storageOf(server), await storageOf(server)];
  expect([await first.read(), await other.read()]).toEqual([undefined, undefined]);
  const large = randomBytes(1_800_000).toString('hex');
  await first.write([bytesOf(large)]);
  expect([...server.objects.keys()]).toEqual([
    'secrets/tfstate-default-app',
    'secrets/tfstate-default-app-part-1',
  ]);
  await expect(other.write([bytesOf('2')])).rejects.toThrow(StateConflict);
  expect(textOf(await other.read()) === large).toBe(true);
  await other.write([bytesOf('3')]);
  expect([...server.objects.keys()]).toEqual(['secrets/tfstate-default-app']);
  await expect(first.write([bytesOf('4')])).rejects.toThrow(StateConflict);
  expect(textOf(await first.read())).toBe('3');
});

it('locks by a lease, names the holder, and is broken by its number', async () => {
  await using server = await KubernetesServer.start();
  const [first, other] = [await storageOf(server), await storageOf(server)];
  expect(await first.lock?.(lockOf('a'))).toEqual({ kind: 'locked', id: 'a' });
  expect(await other.lock?.(lockOf('b'))).toEqual({
    kind: 'held',
    error: 'the state is already locked by another terraform client',
    info: lockOf('a'),
  });
  await first.renew?.(lockOf('a'));
  await expect(other.unlock?.('b')).rejects.toThrow('lock id "b" does not match existing lock');
  await other.unlock?.('a');
  expect(await other.lockHolder?.()).toBeUndefined();
  await expect(other.unlock?.('a')).rejects.toThrow('state is already unlocked');
  await other.lock?.(lockOf('b'));
  await expect(first.renew?.(lockOf('a'))).rejects.toThrow(LockLost);
  await expect(first.confirmLock?.()).rejects.toThrow(LockLost);
  await other.unlock?.('b');
});

it('does not take over a renewed lease, regardless of the clocks', async () => {
  await using server = await KubernetesServer.start();
  const [first, other] = [await storageOf(server), await storageOf(server)];
  // The clock of the holder is years behind.
  const lease = (): object => ({ lease: { epoch: 1, expires: '2020-01-01T00:00:00Z', ms: 1_500 } });
  await first.lock?.({ ...lockOf('a'), ...lease() });
  const renewals = setInterval(() => void first.renew?.({ ...lockOf('a'), ...lease() }), 300);
  const mine = { lease: { epoch: 1, expires: '2999-01-01T00:00:00Z' } };
  const outcome = await other.lock?.({ ...lockOf('b'), ...mine });
  clearInterval(renewals);
  expect(outcome).toMatchObject({ kind: 'held', info: { id: 'a' } });
  await first.confirmLock?.();
});

it('takes over a lease that ran out long ago, and only such', async () => {
  await using server = await KubernetesServer.start();
  const [first, other] = [await storageOf(server), await storageOf(server)];
  const until = (expires: string): object => ({ lease: { epoch: 1, expires, ms: 300 } });
  await first.lock?.({ ...lockOf('a'), ...until('2020-01-01T00:00:00Z') });
  const mine = { ...lockOf('b'), ...until('2999-01-01T00:00:00Z') };
  expect(await other.lock?.(mine)).toEqual({ kind: 'locked', id: 'b', epoch: 2 });
  expect(await first.lock?.({ ...lockOf('a'), ...until('2999-01-01T00:00:00Z') })).toMatchObject({
    kind: 'held',
  });
});

it('stores the history in further secrets, which are no states', async () => {
  await using server = await KubernetesServer.start();
  const config = {
    secret_suffix: str('app'),
    config_path: str(await configOf(server)),
  };
  const backend = await openBackend('kubernetes', config);
  const names = (): readonly string[] => [...server.objects.keys()];
  await expectSideStorage(backend);
  expect(names()).toEqual([]);
  const state = await backend.storage('default');
  await state.write([Buffer.from('{}')]);
  const side = await backend.sideStorage?.('default');
  const [first, second] = [randomBytes(2_500_000), randomBytes(1_100_000)];
  await side?.write('runs/a', first);
  expect(names().filter((name) => name.includes('tfhistory-'))).toHaveLength(3);
  // The parts of the former content are removed, and the state is that of the state's secrets.
  await side?.write('runs/a', second);
  expect(names().filter((name) => name.includes('tfhistory-'))).toHaveLength(2);
  expect(Buffer.compare((await side?.read('runs/a')) ?? Buffer.from(''), second)).toBe(0);
  expect(Buffer.from((await state.read()) ?? []).toString()).toBe('{}');
  expect(await backend.workspaces?.names()).toEqual(['default']);
  const [part = ''] = names().filter((name) => /tfhistory-\w+-\w+-1$/.test(name));
  expect(server.objects.get(part)?.metadata.labels).toMatchObject({
    terraneHistory: 'true',
    terraneHistoryWorkspace: 'default',
  });
  server.objects.delete(part);
  await expect(side?.read('runs/a')).rejects.toThrow('which is gone');
});

it('has no place for the history without the permission to read further secrets', async () => {
  await using server = await KubernetesServer.start();
  const config = { secret_suffix: str('app'), config_path: str(await configOf(server)) };
  server.forbidden = /^tfhistory-/;
  const backend = await openBackend('kubernetes', config);
  expect(await backend.sideStorage?.('default')).toBeUndefined();
});
