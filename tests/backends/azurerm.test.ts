// The azurerm backend against Azurite, alone and with the real terraform where it is on PATH.
import { randomUUID } from 'node:crypto';
import { StateConflict } from '@terrane/backends';
import { LockLost, type Host } from '@terrane/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_KEY, ACCOUNT, AZURITE, Azurite } from './azurite.ts';
import {
  contend,
  hostWith,
  lockId,
  lockOf,
  openBackend,
  problemsOf,
  request,
  textOf,
  utf8,
} from './locks.ts';
import { keepsOut } from './interchange.ts';
import { TERRAFORM, worked, Workplace } from './programs.ts';
import { expectSideStorage } from './side-storage.ts';

it.runIf(process.env['CI'] === 'true')('terraform is there', () => {
  expect(TERRAFORM).toBe(true);
});

// Not every machine can reach what the server is made of; the title says so.
const NOT_HERE = AZURITE === undefined ? ' (not here: azurite)' : '';

describe('a configuration of azurerm', () => {
  const host = hostWith({});
  const place = { storage_account_name: 'a', container_name: 'b', key: 'c' };

  it('reports missing arguments', async () => {
    expect(await problemsOf('azurerm', {}, host)).toEqual([
      'error: "storage_account_name": required field is not set',
      'error: "container_name": required field is not set',
      'error: "key": required field is not set',
    ]);
    expect(await problemsOf('azurerm', place, host)).toEqual([
      'error: One of `access_key`, `sas_token`, `use_azuread_auth` and `resource_group_name` must be specified',
    ]);
    const lookup = { ...place, access_key: 'eA==', lookup_blob_endpoint: true };
    expect(await problemsOf('azurerm', lookup, host)).toEqual([
      'error: `resource_group_name` is required when `lookup_blob_endpoint` is set',
    ]);
  });

  it('accepts the names of clouds and warns about deprecated arguments', async () => {
    const args = { ...place, access_key: 'eA==', environment: 'x', endpoint: 'y' };
    expect(await problemsOf('azurerm', args, host)).toEqual([
      'warning: "endpoint": [DEPRECATED] `endpoint` is deprecated in favor of `msi_endpoint`, it will be removed in a future version of Terraform',
      'error: no environment was found with the name "x"',
    ]);
  });

  it('takes the rest from the environment', async () => {
    expect(await problemsOf('azurerm', place, hostWith({ ARM_SAS_TOKEN: 'x' }))).toEqual([]);
    expect(await problemsOf('azurerm', place, hostWith({ ARM_USE_AZUREAD: '1' }))).toEqual([]);
    const wrong = hostWith({ ARM_SAS_TOKEN: 'x', ARM_SNAPSHOT: 'maybe' });
    expect(await problemsOf('azurerm', place, wrong)).toEqual([
      'error: error setting default for "snapshot": a bool is required',
    ]);
  });

  it('requires an identity', async () => {
    const args = { ...place, use_azuread_auth: true, use_cli: false };
    await expect(openBackend('azurerm', args, host)).rejects.toThrow(
      'unable to build authorizer for Storage API: no Authorizer could be configured, please check your configuration',
    );
  });
});

describe.runIf(AZURITE !== undefined)(`states in Azure${NOT_HERE}`, () => {
  let server: Azurite;
  let host: Host;
  const place = { storage_account_name: ACCOUNT, container_name: 'states', key: 'dir/a.tfstate' };

  beforeAll(async () => {
    server = await Azurite.start(AZURITE ?? '');
    await server.container('states');
    host = hostWith({ ...server.env, ARM_ACCESS_KEY: ACCESS_KEY });
  });
  afterAll(() => server.close());

  const backend = (key: string, more: Readonly<Record<string, string | boolean>> = {}) =>
    openBackend('azurerm', { ...place, key, ...more }, host);

  it('are empty at first, then as written', async () => {
    const { storage } = await backend('plain');
    const state = await storage('default');
    expect(await state.read()).toBeUndefined();
    await state.write(utf8('1'));
    expect(textOf(await state.read())).toBe('1');
    await state.write(utf8('2'));
    expect(textOf(await (await storage('default')).read())).toBe('2');
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
    // Locking and unlocking by another client is no conflict, and neither is equal content.
    await first.read();
    await second.unlock?.(await lockId(second, randomUUID()));
    await first.write(utf8('three'));
    expect(textOf(await second.read())).toBe('three');
  });

  it('stay unchanged if the write must not commit', async () => {
    const storage = await (await backend('commit')).storage('default');
    await storage.write(utf8('1'));
    const refuse = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(storage.write(utf8('2'), refuse)).rejects.toThrow('no');
    expect(textOf(await storage.read())).toBe('1');
  });

  it('are locked by a lease that identifies its holder', async () => {
    const { storage } = await backend('locked');
    const [first, second] = [await storage('default'), await storage('default')];
    expect(await first.lockHolder?.()).toBeUndefined();
    const id = randomUUID();
    expect(await lockOf(first, id)).toEqual({ kind: 'locked', id });
    const info = { ...request(id), path: 'states/locked' };
    expect(await second.lockHolder?.()).toEqual(info);
    expect(await lockOf(second, randomUUID())).toEqual({
      kind: 'held',
      error: 'state blob is already locked',
      info,
    });
    // An empty blob is no state.
    expect(await second.read()).toBeUndefined();
    await first.write(utf8('1'));
    await second.read();
    await expect(second.write(utf8('2'))).rejects.toThrow('locked by another client');
    expect(await second.lockHolder?.()).toEqual(info);
    await expect(second.unlock?.('x')).rejects.toThrow('lock id "x" does not match existing lock');
    await second.unlock?.(id);
    expect(await first.lockHolder?.()).toBeUndefined();
    await expect(second.unlock?.(id)).rejects.toThrow(
      'failed to retrieve lock info: blob metadata "terraformlockid" was empty',
    );
  });

  it.each(['before', 'after'])(
    'survive connections that break %s the server has done it',
    async (when) => {
      const { http } = host;
      const broken = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      let isFirst = true;
      const breaking: Host = {
        ...host,
        http: {
          ...http,
          // Each request fails once; the library asks again at once.
          async request(url, options) {
            isFirst = !isFirst;
            if (isFirst) return await http.request(url, options);
            if (when === 'before') throw broken;
            const answer = await http.request(url, options);
            for await (const piece of answer.body) void piece;
            throw broken;
          },
        },
      };
      const { storage } = await openBackend(
        'azurerm',
        { ...place, key: `broken-${when}` },
        breaking,
      );
      const state = await storage('default');
      const id = await lockId(state, randomUUID());
      expect(await state.read()).toBeUndefined();
      await state.write(utf8('1'));
      await state.write(utf8('2'));
      await state.unlock?.(id);
      expect(await state.lockHolder?.()).toBeUndefined();
      expect(textOf(await state.read())).toBe('2');
    },
  );

  it('are not written by who has lost the lock', async () => {
    const { storage } = await backend('lost');
    const [first, second] = [await storage('default'), await storage('default')];
    const id = await lockId(first, randomUUID());
    await first.write(utf8('1'));
    await second.unlock?.(id);
    await expect(first.write(utf8('2'))).rejects.toThrow(LockLost);
    await lockId(second, randomUUID());
    await expect(first.write(utf8('2'))).rejects.toThrow(LockLost);
    expect(textOf(await second.read())).toBe('1');
  });

  it('are kept in snapshots if configured', async () => {
    const storage = await (await backend('snap', { snapshot: true })).storage('default');
    for (const text of ['1', '2', '3']) await storage.write(utf8(text));
    const container = server.service.getContainerClient('states');
    let snapshots = 0;
    for await (const blob of container.listBlobsFlat({ prefix: 'snap', includeSnapshots: true })) {
      if ((blob.snapshot ?? '') !== '') snapshots++;
    }
    expect(snapshots).toBe(2);
  });

  it('have a blob for each workspace', async () => {
    const { storage, workspaces } = await backend('ws');
    expect(await workspaces?.names()).toEqual(['default']);
    for (const name of ['zoo', 'bar']) await (await storage(name)).write(utf8(name));
    await (await storage('default')).write(utf8('default'));
    expect(await workspaces?.names()).toEqual(['default', 'bar', 'zoo']);
    await workspaces?.delete('bar');
    await workspaces?.delete('bar');
    expect(await workspaces?.names()).toEqual(['default', 'zoo']);
    await expect(workspaces?.delete('default')).rejects.toThrow("can't delete default state");
  });

  it('have data beside them', async () => {
    await expectSideStorage(await backend('beside'));
  });

  it('lose no update where many contend', async () => {
    const { storage } = await backend('contended');
    expect(await contend(() => storage('default'), 4, 3, randomUUID)).toBe(12);
  });

  it('cannot be had with another key, and the key stays secret', async () => {
    const secret = Buffer.from('not the key at all').toString('base64');
    const { storage } = await backend('plain', { access_key: secret });
    const failure = (await storage('default')).read();
    await expect(failure).rejects.toThrow(/^reading the blob "plain" .*AuthorizationFailure/);
    await expect(failure).rejects.not.toThrow(secret);
  });

  it('cannot be in a container that is not there', async () => {
    const { storage } = await backend('x', { container_name: 'nowhere' });
    const state = await storage('default');
    await expect(state.read()).rejects.toThrow('ContainerNotFound');
    await expect(lockOf(state, randomUUID())).rejects.toThrow('ContainerNotFound');
  });

  describe.runIf(TERRAFORM)('shared with the real terraform', () => {
    it('are found and locked in the same place', async () => {
      // Azurite rejects Terraform's signatures with the key for listing; it accepts a signature of the user's.
      const env = { ...server.env, ARM_SAS_TOKEN: server.signature() };
      const work = await Workplace.make(env);
      const other = await Workplace.make(env);
      const configuration = (value: string): string =>
        `terraform {\n  backend "azurerm" {\n    storage_account_name = "${ACCOUNT}"\n    container_name       = "states"\n    key                  = "both"\n  }\n}\noutput "x" {\n  value = "${value}"\n}\n`;
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
        await worked(work.terraform('workspace', 'new', 'theirs'));
        expect(await worked(other.terrane('workspace', 'list'))).toMatch(/\* ours\n +theirs/);

        // Each sees the other's lock.
        const storage = await (await backend('both')).storage('default');
        const id = await lockId(storage, randomUUID());
        await worked(work.terraform('workspace', 'select', 'default'));
        const refused = await work.terraform('apply', '-auto-approve', '-no-color');
        expect(refused.output).toContain('state blob is already locked');
        expect(refused.output).toContain(id);
        expect(refused.output).toContain('tester@machine');
        await worked(work.terraform('force-unlock', '-force', id));
        expect(await storage.lockHolder?.()).toBeUndefined();
        await worked(other.terrane('workspace', 'select', 'default'));
        await keepsOut(work.directory, other.directory, env);
      } finally {
        await work.remove();
        await other.remove();
      }
    });
  });
});
