// The gcs backend against a server that answers as Google Cloud Storage, alone and with the real terraform where it is
// on PATH. scripts/install-fake-gcs.sh installs the server.
import { randomUUID } from 'node:crypto';
import { StateConflict } from '@terrane/backends';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  contend,
  hostWith,
  lockId,
  lockOf,
  openBackend,
  problemsOf,
  textOf,
  utf8,
} from './locks.ts';
import { FAKE_GCS, startFakeGcs, type FakeGcs } from './fake-gcs.ts';
import { keepsOut } from './interchange.ts';
import { TERRAFORM, worked, Workplace } from './programs.ts';
import { expectSideStorage } from './side-storage.ts';

it.runIf(process.env['CI'] === 'true')('terraform is there', () => {
  expect(TERRAFORM).toBe(true);
});

// Not every machine can reach what the server is made of; the title says so.
const NOT_HERE = FAKE_GCS === undefined ? ' (not here: fake-gcs-server)' : '';

describe('a configuration of gcs', () => {
  const host = hostWith({});

  it('reports errors of the configuration', async () => {
    expect(await problemsOf('gcs', {}, host)).toEqual([
      'error: "bucket": required field is not set',
    ]);
    const both = { bucket: 'x', encryption_key: '', kms_encryption_key: '' };
    expect(await problemsOf('gcs', both, host)).toEqual([
      "error: can't set both encryption_key and kms_encryption_key",
    ]);
    const apart = hostWith({ GOOGLE_ENCRYPTION_KEY: 'x' });
    expect(await problemsOf('gcs', { bucket: 'x', kms_encryption_key: 'y' }, apart)).toEqual([
      "error: can't set both encryption_key and kms_encryption_key",
    ]);
  });

  it('wants credentials that are JSON or in a file, and shows nothing of them', async () => {
    const wrong = openBackend('gcs', { bucket: 'x', credentials: '{nope' }, host);
    await expect(wrong).rejects.toThrow(
      /^the string provided in credentials is neither valid json nor a valid file path$/,
    );
    const key = { bucket: 'x', access_token: 'x', encryption_key: '-nokey-' };
    await expect(openBackend('gcs', key, host)).rejects.toThrow(
      /^Error decoding encryption key: illegal base64 data at input byte 0$/,
    );
  });
});

describe.runIf(FAKE_GCS !== undefined)(`states at Google${NOT_HERE}`, () => {
  let server: FakeGcs;
  const variables = (): Readonly<Record<string, string>> => server.env;

  beforeAll(async () => {
    server = await startFakeGcs(FAKE_GCS ?? '');
  });
  afterAll(() => server.stop());

  const backend = (prefix: string, more: Readonly<Record<string, unknown>> = {}) =>
    openBackend('gcs', { bucket: 'states', prefix, ...more }, hostWith(variables()));

  it('are empty at first, then as written', async () => {
    const { storage } = await backend('/plain');
    const state = await storage('default');
    expect(await state.read()).toBeUndefined();
    await state.write(utf8('1'));
    await state.write(utf8('2'));
    expect(textOf(await (await storage('default')).read())).toBe('2');
    const direct = await fetch(
      `${server.origin}/storage/v1/b/states/o/plain%2Fdefault.tfstate?alt=media`,
    );
    expect(await direct.text()).toBe('2');
  });

  it('do not overwrite the content of another client', async () => {
    const { storage } = await backend('conflict');
    const [first, second] = [await storage('default'), await storage('default')];
    await first.read();
    await second.read();
    await first.write(utf8('one'));
    await expect(second.write(utf8('two'))).rejects.toThrow(StateConflict);
    expect(textOf(await second.read())).toBe('one');
    await second.write(utf8('two'));
    await expect(first.write(utf8('three'))).rejects.toThrow(StateConflict);
  });

  it('stay unchanged if the write must not commit', async () => {
    const storage = await (await backend('commit')).storage('default');
    await storage.write(utf8('1'));
    const refuse = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(storage.write(utf8('2'), refuse)).rejects.toThrow('no');
    expect(textOf(await storage.read())).toBe('1');
  });

  it('are locked by an object whose generation is the number of the lock', async () => {
    const { storage } = await backend('locked');
    const [first, second] = [await storage('default'), await storage('default')];
    expect(await first.lockHolder?.()).toBeUndefined();
    const id = await lockId(first, randomUUID());
    expect(id).toMatch(/^\d+$/);
    const info = { id, who: 'tester@machine', path: 'gs://states/locked/default.tflock' };
    expect(await second.lockHolder?.()).toMatchObject(info);
    expect(await lockOf(second, randomUUID())).toMatchObject({
      kind: 'held',
      error: expect.stringContaining('writing "gs://states/locked/default.tflock" failed'),
      info,
    });
    await expect(second.unlock?.('x')).rejects.toThrow(
      "Lock ID should be numerical value, got 'x'",
    );
    await expect(second.unlock?.('1')).rejects.toThrow('does not match the existing lock');
    await second.unlock?.(id);
    expect(await first.lockHolder?.()).toBeUndefined();
    await expect(second.unlock?.(id)).rejects.toThrow('The state is not locked');
  });

  it('have an object for each workspace', async () => {
    const { storage, workspaces } = await backend('ws');
    expect(await workspaces?.names()).toEqual(['default']);
    for (const name of ['zoo', 'bar']) await (await storage(name)).write(utf8(name));
    await (await storage('default')).write(utf8('default'));
    expect(await workspaces?.names()).toEqual(['default', 'bar', 'zoo']);
    await workspaces?.delete('bar');
    expect(await workspaces?.names()).toEqual(['default', 'zoo']);
    await expect(workspaces?.delete('default')).rejects.toThrow('cowardly refusing');
  });

  it('have data beside them', async () => {
    await expectSideStorage(await backend('beside'));
  });

  it('lose no update where many contend', async () => {
    const { storage } = await backend('contended');
    expect(await contend(() => storage('default'), 4, 5, randomUUID)).toBe(20);
  });

  it('cannot be in a bucket that is not there, and the token stays secret', async () => {
    const { storage } = await backend('x', { bucket: 'nowhere', access_token: 'MARKER' });
    const written = (await storage('default')).write(utf8('1'));
    await expect(written).rejects.toThrow(
      /gs:\/\/nowhere\/x\/default.tfstate: googleapi: Error 404/,
    );
    await expect(written).rejects.not.toThrow('MARKER');
  });

  describe.runIf(TERRAFORM)('shared with the real terraform', () => {
    it('are found and locked in the same place', async () => {
      const work = await Workplace.make(variables());
      const other = await Workplace.make(variables());
      const configuration = (value: string): string =>
        `terraform {\n  backend "gcs" {\n    bucket = "states"\n    prefix = "both"\n  }\n}\noutput "x" {\n  value = "${value}"\n}\n`;
      try {
        await work.write('main.tf', configuration('terraform'));
        await other.write('main.tf', configuration('terrane'));
        await worked(work.terraform('init', '-no-color'));
        await worked(work.terraform('apply', '-auto-approve'));
        await worked(other.terrane('init', '-no-color'));
        expect(await worked(other.terrane('output', '-raw', 'x'))).toBe('terraform');
        await worked(other.terrane('apply', '-auto-approve'));
        expect(await worked(work.terraform('output', '-raw', 'x'))).toBe('terrane');
        await worked(other.terrane('workspace', 'new', 'ours'));
        expect(await worked(work.terraform('workspace', 'list'))).toContain('ours');

        // Each sees the other's lock.
        const storage = await (await backend('both')).storage('default');
        const id = await lockId(storage, randomUUID());
        const refused = await work.terraform('apply', '-auto-approve', '-no-color');
        expect(refused.output).toContain('Error acquiring the state lock');
        expect(refused.output).toContain(id);
        expect(refused.output).toContain('tester@machine');
        await worked(work.terraform('force-unlock', '-force', id));
        expect(await storage.lockHolder?.()).toBeUndefined();
        await worked(other.terrane('workspace', 'select', 'default'));
        await keepsOut(work.directory, other.directory, variables());
      } finally {
        await work.remove();
        await other.remove();
      }
    });
  });
});
