// The `oss` backend on a server that does what Alibaba Cloud's documentation says, beside the real terraform.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateConflict, type Backend } from '@terrane/backends';
import { LockLost, type Host } from '@terrane/host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { besides } from './besides.ts';
import type { Given } from './given.ts';
import { hostThrough } from './loopback.ts';
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
import { OssServer } from './oss-server.ts';
import { TERRAFORM } from './programs.ts';
import { expectSideStorage } from './side-storage.ts';

const RECORDED = new URL('recorded/oss.json', import.meta.url);
const KEYS = { ALICLOUD_ACCESS_KEY: 'id', ALICLOUD_SECRET_KEY: 'secret' };

let server: OssServer;
beforeAll(async () => {
  server = await OssServer.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.objects.clear();
  server.rows.clear();
  server.loopback.exchanges.length = 0;
});

const table = (): Given => ({
  tablestore_endpoint: server.origin,
  tablestore_instance_name: 'instance',
  tablestore_table: 'locks',
});
const backend = (more: Given = {}, host: Host = hostWith(KEYS)): Promise<Backend> =>
  openBackend('oss', { bucket: 'bucket', endpoint: server.origin, ...more }, host);

describe('a configuration of oss', () => {
  it('reports errors as terraform 1.11.4 does', async () => {
    const host = hostWith({});
    expect(await problemsOf('oss', {}, host)).toEqual([
      'error: "bucket": required field is not set',
    ]);
    const wrong = {
      bucket: 'b',
      prefix: '/x',
      key: '/x',
      acl: 'nope',
      assume_role_session_expiration: 5,
      assume_role: [{ session_expiration: 1 }],
    };
    expect(await problemsOf('oss', wrong, host)).toEqual([
      "error: workspace_key_prefix must not start with '/' or './'",
      "error: key can not start and end with '/'",
      'error: "acl" must be a valid ACL value , expected private, public-read or public-read-write, got "nope"',
      'error: expected assume_role_session_expiration to be in the range (900 - 3600), got 5',
      'error: expected assume_role.0.session_expiration to be in the range (900 - 3600), got 1',
    ]);
  });

  it('names the place of a table that it wants', async () => {
    const opened = backend({ tablestore_table: 'locks' });
    await expect(opened).rejects.toThrow('set "tablestore_endpoint" too');
  });
});

describe('states in OSS', () => {
  it('are empty at first, then as written, with the settings of the configuration', async () => {
    const { storage } = await backend({ encrypt: true, acl: 'private' });
    const state = await storage('default');
    expect(await state.read()).toBeUndefined();
    await state.write(utf8('1'));
    await state.write(utf8('2'));
    expect(textOf(await (await storage('default')).read())).toBe('2');
    expect(server.objects.get('env:/terraform.tfstate')?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-oss-object-acl': 'private',
      'x-oss-server-side-encryption': 'AES256',
    });
    expect(state.lock).toBeUndefined();
  });

  it('do not overwrite the content of another client', async () => {
    const { storage } = await backend();
    const [first, second] = [await storage('default'), await storage('default')];
    await first.read();
    await second.read();
    await first.write(utf8('one'));
    await expect(second.write(utf8('two'))).rejects.toThrow(StateConflict);
    expect(textOf(await second.read())).toBe('one');
    await second.write(utf8('two'));
    await expect(first.write(utf8('three'))).rejects.toThrow(StateConflict);
    const refuse = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(second.write(utf8('2'), refuse)).rejects.toThrow('no');
    expect(textOf(await first.read())).toBe('two');
  });

  it('are locked by a row of a table, beside which is their checksum', async () => {
    const { storage } = await backend(table());
    const [first, second] = [await storage('default'), await storage('default')];
    expect(await first.lockHolder?.()).toBeUndefined();
    await first.write(utf8('1'));
    expect(server.rows.get('bucket/env:/terraform.tfstate-md5')).toEqual({
      Digest: 'c4ca4238a0b923820dcc509a6f75849b',
    });
    expect(await lockId(first, 'a')).toBe('a');
    const info = { id: 'a', who: 'tester@machine', path: 'bucket/env:/terraform.tfstate' };
    expect(await second.lockHolder?.()).toMatchObject(info);
    expect(await lockOf(second, 'b')).toMatchObject({
      kind: 'held',
      error: 'invoking PutRow got an error: OTSConditionCheckFail Condition check failed.',
      info,
    });
    await expect(second.unlock?.('b')).rejects.toThrow(
      'lock id "b" does not match existing lock ("a")',
    );
    await second.unlock?.('a');
    await expect(second.unlock?.('a')).rejects.toThrow('failed to retrieve lock info');
    await expect(first.renew?.(request('a'))).rejects.toThrow(LockLost);
  });

  it('are held by a lease that is renewed, and taken over when it ended long ago', async () => {
    const { storage } = await backend(table());
    const [first, second] = [await storage('default'), await storage('default')];
    const until = (expires: string): object => ({ lease: { epoch: 1, expires, ms: 300 } });
    await first.lock?.({ ...request('a'), ...until('2999-01-01T00:00:00Z') });
    expect((await lockOf(second, 'b')).kind).toBe('held');
    await first.renew?.({ ...request('a'), ...until('2020-01-01T00:00:00Z') });
    const mine = { ...request('b'), ...until('2999-01-01T00:00:00Z') };
    expect(await second.lock?.(mine)).toEqual({ kind: 'locked', id: 'b', epoch: 2 });
    await expect(first.renew?.(request('a'))).rejects.toThrow('taken over by tester@machine');
  });

  it('have an object for each workspace, however many pages list them', async () => {
    const { storage, workspaces } = await backend({ key: 'a/app.tfstate', prefix: 'of' });
    for (const name of ['zoo', 'bar', 'x y', 'four', 'five']) {
      await (await storage(name)).write(utf8(name));
    }
    await (await storage('default')).write(utf8('default'));
    expect([...server.objects.keys()]).toContain('of/x y/a/app.tfstate');
    expect([...server.objects.keys()]).toContain('of/a/app.tfstate');
    server.objects.set('of/other/b/app.tfstate', { body: Buffer.of(), headers: {} });
    expect(await workspaces?.names()).toEqual(['default', 'bar', 'five', 'four', 'x y', 'zoo']);
    await workspaces?.delete('bar');
    expect(await workspaces?.names()).not.toContain('bar');
    await expect(workspaces?.delete('default')).rejects.toThrow("can't delete default state");
  });

  it('have data beside them', async () => {
    await expectSideStorage(await backend());
  });

  it('lose no update where many contend', async () => {
    const { storage } = await backend(table());
    expect(await contend(() => storage('default'), 4, 5, randomUUID)).toBe(20);
  });

  it('cannot be in a missing bucket, and secrets stay secret', async () => {
    const { storage } = await backend({ bucket: 'nowhere', secret_key: 'MARKER' });
    const read = (await storage('default')).read();
    await expect(read).rejects.toThrow('ErrorCode=SignatureDoesNotMatch');
    await expect(read).rejects.not.toThrow('MARKER');
    const missing = (await (await backend({ bucket: 'nowhere' })).storage('default')).read();
    await expect(missing).rejects.toThrow('StatusCode=404, ErrorCode=NoSuchBucket');
    const other = await backend({ ...table(), tablestore_table: 'others' });
    await expect(other.storage('default')).rejects.toThrow(
      /^error describing table store others: OTSObjectNotExist/,
    );
  });
});

describe('who keeps states in OSS', () => {
  const through = (variables: Readonly<Record<string, string>>): Host =>
    hostThrough(hostWith(variables), server.origin);
  const signedBy = (): readonly unknown[] =>
    server.loopback.exchanges
      .filter(({ asked }) => asked.host.startsWith('bucket.'))
      .map(({ asked, status }) => [status, asked.headers.authorization?.split('/')[0]]);
  const reads = async (args: Given, host: Host): Promise<void> => {
    const opened = await openBackend('oss', { bucket: 'bucket', ...args }, host);
    await (await opened.storage('default')).read();
  };

  it('has keys, and signs requests to Alibaba with version 4', async () => {
    await reads({ region: 'cn-hangzhou' }, through(KEYS));
    expect(signedBy()).toEqual([[404, 'OSS4-HMAC-SHA256 Credential=id']]);
    expect(server.loopback.exchanges[0]?.asked.path).toContain('ServiceCode=oss');
  });

  it('takes a role, named by arguments, a block or the environment', async () => {
    const arn = 'acs:ram::1:role/states';
    const region = 'cn-hangzhou';
    await reads({ region, assume_role_role_arn: arn, assume_role_policy: '{}' }, through(KEYS));
    await reads({ region, assume_role: [{ role_arn: arn, session_name: 'me' }] }, through(KEYS));
    await reads(
      { region, sts_endpoint: 'sts.example.com' },
      through({ ...KEYS, ALICLOUD_ASSUME_ROLE_ARN: arn }),
    );
    expect(signedBy()).toEqual(Array(3).fill([404, 'OSS4-HMAC-SHA256 Credential=session-id']));
    const asked = server.loopback.exchanges
      .map((exchange) => exchange.asked)
      .filter(({ path }) => path.includes('AssumeRole'));
    expect(asked.map(({ host }) => host)).toEqual([
      'sts.cn-hangzhou.aliyuncs.com',
      'sts.cn-hangzhou.aliyuncs.com',
      'sts.example.com',
    ]);
    const [first, second] = asked.map(({ path }) => new URLSearchParams(path.slice(2)));
    expect([
      first?.get('Policy'),
      first?.get('RoleSessionName'),
      first?.get('DurationSeconds'),
    ]).toEqual(['{}', 'terraform', '3600']);
    expect(second?.get('RoleSessionName')).toBe('me');
    const none = reads({ region, assume_role_role_arn: 'acs:ram::1:role/none' }, through(KEYS));
    await expect(none).rejects.toThrow('EntityNotExist.Role');
  });

  it('has the role of the machine', async () => {
    await reads({ region: 'cn-hangzhou', ecs_role_name: 'machine-role' }, through({}));
    expect(signedBy()).toEqual([[404, 'OSS4-HMAC-SHA256 Credential=machine-id']]);
    const other = reads({ region: 'cn-hangzhou', ecs_role_name: 'other' }, through({}));
    await expect(other).rejects.toThrow('get Ecs sts token err, httpStatus: 404');
  });

  it('is in a profile of a file, by its mode', async () => {
    const home = await mkdtemp(join(tmpdir(), 'terrane-oss-'));
    try {
      const file = join(home, 'config.json');
      const keys = { access_key_id: 'id', access_key_secret: 'secret', region_id: 'cn-hangzhou' };
      const profiles = [
        { name: 'keys', mode: 'AK', ...keys, sts_token: 'not of this mode' },
        {
          name: 'role',
          mode: 'RamRoleArn',
          ...keys,
          ram_role_arn: 'acs:ram::1:role/states',
          expired_seconds: 900,
        },
        { name: 'machine', mode: 'EcsRamRole', ...keys, ram_role_name: 'machine-role' },
        {
          name: 'session',
          mode: 'StsToken',
          ...keys,
          access_key_id: 'session-id',
          access_key_secret: 'session-secret',
          sts_token: 'session-token',
        },
      ];
      await writeFile(file, JSON.stringify({ profiles }));
      for (const profile of ['keys', 'role', 'machine']) {
        await reads({ profile, shared_credentials_file: file }, through({}));
      }
      await reads(
        {},
        through({ ALICLOUD_PROFILE: 'session', ALICLOUD_SHARED_CREDENTIALS_FILE: file }),
      );
      const ids = ['id', 'session-id', 'machine-id', 'session-id'];
      expect(signedBy()).toEqual(ids.map((id) => [404, `OSS4-HMAC-SHA256 Credential=${id}`]));
      await writeFile(file, '{"profiles": MARKER');
      const broken = reads({ profile: 'keys', shared_credentials_file: file }, through({}));
      await expect(broken).rejects.toThrow(`${file} cannot be read: it is no JSON.`);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});

describe('states in OSS that terraform has written', () => {
  it('are found and locked where terraform 1.11.4 was recorded to do so', async () => {
    expect(await server.loopback.replay(RECORDED)).toEqual([]);
    const storage = await (await backend(table())).storage('default');
    expect(JSON.parse(textOf(await storage.read()) ?? '')).toMatchObject({
      terraform_version: '1.11.4',
      outputs: { x: { value: 'first' } },
    });
    const holder = await storage.lockHolder?.();
    expect(holder).toMatchObject({
      operation: 'OperationTypeApply',
      version: '1.11.4',
      path: 'bucket/env:/terraform.tfstate',
    });
    expect((await lockOf(storage, 'mine')).kind).toBe('held');
    await storage.unlock?.(holder?.id ?? '');
    expect(await lockId(storage, 'mine')).toBe('mine');
  });

  it.runIf(TERRAFORM)('are the same ones beside the real terraform, by turns', async () => {
    const block = `  backend "oss" {
    bucket              = "bucket"
    endpoint            = "${server.origin}"
    tablestore_endpoint = "${server.origin}"
    tablestore_table    = "locks"
  }`;
    await besides(block, KEYS, {
      storage: async () => await (await backend(table())).storage('default'),
      locked: async () => {
        if (process.env['TERRANE_RECORD'] === 'backends') {
          await server.loopback.record(RECORDED, 'terraform 1.11.4, on a server of our own');
        }
      },
    });
  });
});

it('takes no part of the history of oss for the state of a workspace', async () => {
  const { sideStorage, workspaces } = await backend({ key: 'index' });
  const side = await sideStorage?.('default');
  await side?.write('index', new TextEncoder().encode('runs'));
  expect([...server.objects.keys()].some((key) => key.endsWith('index.history/index'))).toBe(true);
  expect(await workspaces?.names()).toEqual(['default']);
});
