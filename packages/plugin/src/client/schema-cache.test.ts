import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { memoryHost } from '@terrane/testkit';
import type { MemoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { schemaCacheOf } from './schema-cache.ts';
import type { SchemaAnswers, SchemaCache } from './schema-cache.ts';

const DIRECTORY = '/home/tester/.cache/terrane/schemas';
const PATH = '/p/terraform-provider-thing';

const ANSWERS: SchemaAnswers = {
  version: 6,
  schemas: Buffer.from('schemas\nin bytes'),
  identities: Buffer.from('identities'),
};

async function machine(variables: Readonly<Record<string, string>> = {}): Promise<MemoryHost> {
  const host = memoryHost({ variables });
  await host.files.makeDirectory('/p');
  await host.files.writeFile(PATH, 'executable');
  return host;
}

async function cacheOf(host: MemoryHost, checksum?: string): Promise<SchemaCache> {
  const cache = await schemaCacheOf(PATH, checksum, host);
  if (cache === undefined) throw new Error('there is no cache');
  return cache;
}

async function entries(host: MemoryHost): Promise<readonly string[]> {
  return (await host.files.readDirectory(DIRECTORY)).map(({ name }) => `${DIRECTORY}/${name}`);
}

it('gives what was kept, and nothing before', async () => {
  const host = await machine();
  expect(await (await cacheOf(host)).read()).toBeUndefined();
  await (await cacheOf(host)).write(ANSWERS);
  const read = await (await cacheOf(host)).read();
  expect(read?.version).toBe(6);
  expect(Buffer.from(read?.schemas ?? []).toString()).toBe('schemas\nin bytes');
  expect(Buffer.from(read?.identities ?? []).toString()).toBe('identities');
});

it('is for its owner only', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'schemas-'));
  try {
    const { environment } = memoryHost({ variables: { TERRANE_SCHEMA_CACHE: `${directory}/own` } });
    const cache = await schemaCacheOf(PATH, 'h1:a', { files: nodeHost().files, environment });
    await cache?.write(ANSWERS);
    const [name = ''] = readdirSync(`${directory}/own`);
    expect(statSync(`${directory}/own/${name}`).mode & 0o777).toBe(0o600);
    expect(statSync(`${directory}/own`).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it('knows an executable by what can be seen without reading it', async () => {
  const host = await machine();
  await (await cacheOf(host)).write(ANSWERS);
  await host.files.writeFile(PATH, 'another executable');
  expect(await (await cacheOf(host)).read()).toBeUndefined();
});

it('knows a verified package by its checksum, wherever it lies', async () => {
  const host = await machine();
  await (await cacheOf(host, 'h1:a')).write(ANSWERS);
  const elsewhere = await schemaCacheOf('/elsewhere/terraform-provider-thing', 'h1:a', host);
  expect((await elsewhere?.read())?.version).toBe(6);
  expect(await (await cacheOf(host, 'h1:b')).read()).toBeUndefined();
  expect(await (await cacheOf(host)).read()).toBeUndefined();
});

it('tells runs apart whose environment switches something on', async () => {
  const host = await machine();
  await (await cacheOf(host, 'h1:a')).write(ANSWERS);
  const environment = (await machine({ ARM_FIVEPOINTZERO_BETA: 'true' })).environment;
  const other = await schemaCacheOf(PATH, 'h1:a', { files: host.files, environment });
  expect(await other?.read()).toBeUndefined();
  const same = (await machine({ AWS_PROFILE: 'work', SHLVL: '1' })).environment;
  const again = await schemaCacheOf(PATH, 'h1:a', { files: host.files, environment: same });
  expect((await again?.read())?.version).toBe(6);
});

it('can be elsewhere, and switched off', async () => {
  const host = await machine({ TERRANE_SCHEMA_CACHE: '/kept' });
  await (await cacheOf(host)).write(ANSWERS);
  expect(await host.files.readDirectory('/kept')).toHaveLength(1);
  const caches = await machine({ XDG_CACHE_HOME: '/caches' });
  await (await cacheOf(caches)).write(ANSWERS);
  expect(await caches.files.readDirectory('/caches/terrane/schemas')).toHaveLength(1);
  expect(await schemaCacheOf(PATH, 'h1:a', await machine({ TERRANE_SCHEMA_CACHE: 'off' }))).toBe(
    undefined,
  );
});

it('passes over what is broken at any place, and writes it anew', async () => {
  const host = await machine();
  const cache = await cacheOf(host);
  await cache.write(ANSWERS);
  const [path = ''] = await entries(host);
  const good = await host.files.readFile(path);
  const broken: Uint8Array[] = [
    new Uint8Array(),
    Buffer.from('{}'),
    Buffer.from('null\n'),
    Buffer.from('x\ny'),
  ];
  for (let at = 0; at < good.length; at++) {
    broken.push(good.subarray(0, at));
    const flipped = Uint8Array.from(good);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    broken.push(flipped);
  }
  for (const content of broken) {
    await host.files.writeFile(path, content);
    expect(await cache.read()).toBeUndefined();
  }
  await cache.write(ANSWERS);
  expect((await cache.read())?.version).toBe(6);
});

it('holds what one of several writers at once has written', async () => {
  const host = await machine();
  const caches = await Promise.all([1, 2, 3, 4].map(() => cacheOf(host)));
  await Promise.all(
    caches.map((cache, i) => cache.write({ ...ANSWERS, schemas: Buffer.alloc(1000, i) })),
  );
  expect((await (await cacheOf(host)).read())?.schemas).toHaveLength(1000);
});

it('drops what was written longest ago where there is too much', async () => {
  const host = await machine();
  for (let i = 0; i < 205; i++) {
    await host.clock.advance(1000);
    await (await cacheOf(host, `h1:${i}`)).write(ANSWERS);
  }
  expect(await entries(host)).toHaveLength(200);
  expect(await (await cacheOf(host, 'h1:4')).read()).toBeUndefined();
  expect((await (await cacheOf(host, 'h1:5')).read())?.version).toBe(6);
  expect((await (await cacheOf(host, 'h1:204')).read())?.version).toBe(6);
});

it('does without where nothing can be written', async () => {
  const variables = { TERRANE_SCHEMA_CACHE: `${process.execPath}/not-a-directory` };
  const { environment } = memoryHost({ variables });
  const cache = await schemaCacheOf(PATH, 'h1:a', { files: nodeHost().files, environment });
  await cache?.write(ANSWERS);
  expect(await cache?.read()).toBeUndefined();
});
