// The `cos` backend on a server that does what Tencent Cloud's documentation says, beside the real terraform.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateConflict, type Backend } from '@terrane/backends';
import type { Host } from '@terrane/host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { besides } from './besides.ts';
import { CosServer, DOMAIN } from './cos-server.ts';
import type { Given } from './given.ts';
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
import { hostThrough } from './loopback.ts';
import { TERRAFORM, worked, Workplace } from './programs.ts';
import { expectSideStorage } from './side-storage.ts';

const RECORDED = new URL('recorded/cos.json', import.meta.url);
const KEYS = { TENCENTCLOUD_SECRET_ID: 'id', TENCENTCLOUD_SECRET_KEY: 'secret' };
const TAG = `tencentcloud-terraform-lock=${createHash('md5').update('bucket-1:terraform.tfstate.tflock').digest('hex')}`;

let server: CosServer;
beforeAll(async () => {
  server = await CosServer.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.objects.clear();
  server.tags.clear();
  server.loopback.exchanges.length = 0;
});

const through = (variables: Readonly<Record<string, string>>): Host =>
  hostThrough(hostWith(variables), server.loopback.origin);
const backend = (
  more: Given = {},
  variables: Readonly<Record<string, string>> = KEYS,
): Promise<Backend> =>
  openBackend(
    'cos',
    { bucket: 'bucket-1', region: 'ap-guangzhou', domain: DOMAIN, ...more },
    through(variables),
  );

describe('a configuration of cos', () => {
  it('reports errors as terraform 1.11.4 does', async () => {
    const host = hostWith({});
    expect(await problemsOf('cos', {}, host)).toEqual([
      'error: "bucket": required field is not set',
      'error: "region": required field is not set',
    ]);
    expect(
      await problemsOf('cos', { bucket: 'b' }, hostWith({ TENCENTCLOUD_REGION: 'x' })),
    ).toEqual([]);
    const wrong = {
      bucket: 'b',
      region: 'x',
      prefix: './x',
      key: 'x/',
      acl: 'nope',
      assume_role: [{ session_duration: 50_000 }],
    };
    expect(await problemsOf('cos', wrong, host)).toEqual([
      "error: prefix must not start with '/' or './'",
      "error: key can not start and end with '/'",
      'error: acl value invalid, expected private or public-read, got nope',
      'error: "assume_role.0.role_arn": required field is not set',
      'error: "assume_role.0.session_name": required field is not set',
      'error: "assume_role.0.session_duration" cannot be higher than 43200: 50000',
    ]);
    await expect(backend({ endpoint: 'http://foo' })).rejects.toThrow(
      'Invalid URL: http://foo must be: http(s)://cos-internal.{Region}.tencentcos.cn',
    );
  });

  it('reports the location of the bucket', async () => {
    const origins: string[] = [];
    for (const more of [
      {},
      { accelerate: true },
      { endpoint: 'https://cos-internal.ap-x.tencentcos.cn' },
    ]) {
      await (await (await backend(more)).storage('default')).read();
      origins.push(server.loopback.exchanges.at(-1)?.asked.host ?? '');
    }
    expect(origins).toEqual([
      'bucket-1.cos.ap-guangzhou.myqcloud.com',
      'bucket-1.cos.accelerate.myqcloud.com',
      'bucket-1.cos-internal.ap-x.tencentcos.cn',
    ]);
  });
});

describe('states in COS', () => {
  it('are empty at first, then as written, with the settings of the configuration', async () => {
    const { storage } = await backend();
    const state = await storage('default');
    expect(await state.read()).toBeUndefined();
    await state.write(utf8('1'));
    await state.write(utf8('2'));
    expect(textOf(await (await storage('default')).read())).toBe('2');
    expect(server.objects.get('terraform.tfstate')?.headers).toMatchObject({
      'x-cos-acl': 'private',
      'x-cos-meta-md5': 'c81e728d9d4c2f636f067f89cc14862c',
      'x-cos-server-side-encryption': 'AES256',
    });
    await (await (await backend({ encrypt: false, key: 'x' })).storage('default')).write(utf8('1'));
    const { headers = {} } = server.objects.get('x') ?? {};
    expect(headers['x-cos-server-side-encryption']).toBeUndefined();
  });

  it('are not read if they differ from the written content', async () => {
    const state = await (await backend()).storage('default');
    await state.write(utf8('1'));
    const { headers = {} } = server.objects.get('terraform.tfstate') ?? {};
    server.objects.set('terraform.tfstate', { body: Buffer.from('2'), headers });
    await expect(state.read()).rejects.toThrow(
      'failed to open file at terraform.tfstate: checksum mismatch, c81e728d9d4c2f636f067f89cc14862c != c4ca4238a0b923820dcc509a6f75849b',
    );
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
    expect(textOf(await first.read())).toBe('two');
  });

  it('are locked by an object whose checksum is the number of the lock, made under a tag', async () => {
    const { storage } = await backend();
    const [first, second] = [await storage('default'), await storage('default')];
    expect(await first.lockHolder?.()).toBeUndefined();
    const id = await lockId(first, 'a');
    const { body } = server.objects.get('terraform.tfstate.tflock') ?? { body: Buffer.of() };
    expect(id).toBe(createHash('md5').update(body).digest('hex'));
    expect(server.tags.size).toBe(0);
    const info = { id, who: 'tester@machine', path: 'terraform.tfstate.tflock' };
    expect(await second.lockHolder?.()).toMatchObject(info);
    expect(await lockOf(second, 'b')).toMatchObject({
      kind: 'held',
      error: 'lock file terraform.tfstate.tflock exists',
      info,
    });
    await expect(second.unlock?.('b')).rejects.toThrow(`lock id mismatch, ${id} != b`);
    await second.unlock?.(id);
    await expect(first.write(utf8('late'))).rejects.toThrow(StateConflict);
    await expect(second.unlock?.(id)).rejects.toThrow(
      'lock file terraform.tfstate.tflock not exists',
    );
  });

  it('wait for a client that is acquiring the lock, and can be unlocked if it has died', async () => {
    const state = await (await backend()).storage('default');
    server.tags.add(TAG);
    const held = await lockOf(state, 'a');
    const [, value = ''] = TAG.split('=');
    expect(held).toMatchObject({ kind: 'held' });
    const reason = held.kind === 'held' ? held.error : '';
    expect(reason).toContain(`failed to create tag: tencentcloud-terraform-lock -> ${value}: `);
    expect(reason).toContain('Code=ResourceInUse.TagDuplicate');
    expect(reason).toContain(`force-unlock ${value}`);
    await state.unlock?.(value);
    expect((await lockOf(state, 'a')).kind).toBe('locked');
  });

  it('have an object for each workspace, however many pages list them', async () => {
    const { storage, workspaces } = await backend({ key: 'a/app', prefix: 'of/' });
    for (const name of ['zoo', 'bar', 'x y', 'four', 'five']) {
      await (await storage(name)).write(utf8(name));
    }
    await (await storage('default')).write(utf8('default'));
    expect([...server.objects.keys()]).toEqual(
      expect.arrayContaining(['of/x y/a/app', 'of/a/app']),
    );
    expect(await workspaces?.names()).toEqual(['default', 'bar', 'five', 'four', 'x y', 'zoo']);
    await workspaces?.delete('bar');
    expect(await workspaces?.names()).not.toContain('bar');
    await expect(workspaces?.delete('default')).rejects.toThrow(
      'default state is not allowed to be deleted',
    );
  });

  it('have data beside them', async () => {
    await expectSideStorage(await backend());
  });

  it('lose no update where many contend', async () => {
    const { storage } = await backend();
    expect(await contend(() => storage('default'), 4, 5, randomUUID)).toBe(20);
  });

  it('cannot be in a missing bucket, and secrets stay secret', async () => {
    const wrong = (await (await backend({ secret_key: 'MARKER' })).storage('default')).read();
    await expect(wrong).rejects.toThrow('403 SignatureDoesNotMatch(Message: It is not so.');
    await expect(wrong).rejects.not.toThrow('MARKER');
    const nowhere = await backend({ bucket: 'nowhere' });
    await expect(nowhere.workspaces?.names()).rejects.toThrow('bucket nowhere not exists');
    await expect((await nowhere.storage('default')).read()).rejects.toThrow('NoSuchBucket');
    const unsigned = await (await backend({ domain: 'other.test' })).storage('default');
    await expect(unsigned.lock?.(request('a'))).rejects.toThrow('AuthFailure.SignatureFailure');
  });
});

describe('who keeps states in COS', () => {
  const ids = (): readonly unknown[] =>
    server.loopback.exchanges
      .filter(({ asked }) => asked.host.startsWith('bucket-1.'))
      .map(({ asked, status }) => [
        status,
        /q-ak=([^&]*)/.exec(asked.headers.authorization ?? '')?.[1],
      ]);
  const reads = async (args: Given, variables: Readonly<Record<string, string>> = {}) => {
    await (await (await backend(args, variables)).storage('default')).read();
  };
  const arn = 'qcs::cam::uin/1:roleName/states';

  it('takes a role, named by a block or the environment', async () => {
    const block = { role_arn: arn, session_name: 'me', policy: '{"a": 1}', external_id: 'x' };
    await reads({ assume_role: [block] }, KEYS);
    const role = {
      TENCENTCLOUD_ASSUME_ROLE_ARN: arn,
      TENCENTCLOUD_ASSUME_ROLE_SESSION_NAME: 'env',
      TENCENTCLOUD_ASSUME_ROLE_SESSION_DURATION: '600',
    };
    await reads({}, { ...KEYS, ...role });
    expect(ids()).toEqual([
      [404, 'session-id'],
      [404, 'session-id'],
    ]);
    const asked = server.loopback.exchanges
      .filter((exchange) => exchange.asked.host === `sts.${DOMAIN}`)
      .map((exchange): unknown => JSON.parse(exchange.asked.body.toString()));
    expect(asked).toEqual([
      {
        RoleArn: arn,
        RoleSessionName: 'me',
        DurationSeconds: 7200,
        Policy: '%7B%22a%22%3A%201%7D',
        ExternalId: 'x',
      },
      { RoleArn: arn, RoleSessionName: 'env', DurationSeconds: 600 },
    ]);
    const none = reads({ assume_role: [{ ...block, role_arn: 'none' }] }, KEYS);
    await expect(none).rejects.toThrow('Code=ResourceNotFound.RoleNotFound');
  });

  it('has the role of the machine', async () => {
    await reads({ cam_role_name: 'machine-role' });
    expect(ids()).toEqual([[404, 'machine-id']]);
    await expect(reads({ cam_role_name: 'other' })).rejects.toThrow('answers NotFound');
  });

  it('is in the files of tccli', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'terrane-cos-'));
    try {
      const file = (name: string): string => join(directory, `${name}.credential`);
      await writeFile(file('default'), '{"secretId": "id ", "secretKey": "secret"}');
      const role = { 'role-arn': arn, 'role-session-name': 'me' };
      await writeFile(
        file('role'),
        JSON.stringify({ secretId: 'id', secretKey: 'secret', ...role }),
      );
      await reads({ shared_credentials_dir: directory });
      await reads({ profile: 'role' }, { TENCENTCLOUD_SHARED_CREDENTIALS_DIR: directory });
      expect(ids()).toEqual([
        [404, 'id'],
        [404, 'session-id'],
      ]);
      await writeFile(file('default'), '{"secretKey": MARKER');
      await expect(reads({ shared_credentials_dir: directory })).rejects.toThrow(
        `${file('default')} cannot be read: it is no JSON.`,
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('states in COS that terraform has written', () => {
  it('are found and locked where terraform 1.11.4 was recorded to do so', async () => {
    expect(await server.loopback.replay(RECORDED)).toEqual([]);
    const storage = await (await backend()).storage('default');
    expect(JSON.parse(textOf(await storage.read()) ?? '')).toMatchObject({
      terraform_version: '1.11.4',
      outputs: { x: { value: 'first' } },
    });
    const holder = await storage.lockHolder?.();
    expect(holder).toMatchObject({
      operation: 'OperationTypeApply',
      version: '1.11.4',
      path: 'terraform.tfstate.tflock',
    });
    expect((await lockOf(storage, 'mine')).kind).toBe('held');
    await storage.unlock?.(holder?.id ?? '');
    expect((await lockOf(storage, 'mine')).kind).toBe('locked');
  });

  it.runIf(TERRAFORM)('are the same ones beside the real terraform, by turns', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'terrane-cos-'));
    try {
      const authority = join(directory, 'authority.pem');
      await writeFile(authority, server.authority);
      const block = `  backend "cos" {
    bucket   = "bucket-1"
    region   = "ap-guangzhou"
    endpoint = "http://cos-internal.ap-guangzhou.tencentcos.cn"
    domain   = "${DOMAIN}"
  }`;
      const proxy = server.loopback.origin;
      const env = { ...KEYS, HTTP_PROXY: proxy, HTTPS_PROXY: proxy, SSL_CERT_FILE: authority };
      await besides(block, env, {
        storage: async () => await (await backend()).storage('default'),
        locked: async () => {
          if (process.env['TERRANE_RECORD'] === 'backends') {
            await server.loopback.record(RECORDED, 'terraform 1.11.4, on a server of our own');
          }
        },
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.runIf(TERRAFORM)(
    'are reached from one directory by turns, with a role in a block',
    async () => {
      const proxy = server.loopback.origin;
      const env = {
        ...KEYS,
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
        SSL_CERT_FILE: 'authority.pem',
      };
      const work = await Workplace.make(env);
      try {
        await work.write('authority.pem', server.authority);
        await work.write(
          'main.tf',
          `terraform {
  backend "cos" {
    bucket   = "bucket-1"
    region   = "ap-guangzhou"
    endpoint = "http://cos-internal.ap-guangzhou.tencentcos.cn"
    domain   = "${DOMAIN}"
    assume_role {
      role_arn         = "qcs::cam::uin/1:roleName/states"
      session_name     = "me"
      session_duration = 600
    }
  }
}
`,
        );
        await worked(work.terraform('init', '-no-color', '-input=false'));
        expect(await worked(work.terrane('workspace', 'list', '-no-color'))).toContain('* default');
        await worked(work.terrane('init', '-no-color', '-input=false', '-reconfigure'));
        expect(await worked(work.terraform('workspace', 'list', '-no-color'))).toContain(
          '* default',
        );
      } finally {
        await work.remove();
      }
    },
  );
});

it('takes no part of the history of cos for the state of a workspace', async () => {
  const { sideStorage, workspaces } = await backend({ key: 'index' });
  const side = await sideStorage?.('default');
  await side?.write('index', new TextEncoder().encode('runs'));
  expect([...server.objects.keys()].some((key) => key.endsWith('index.history/index'))).toBe(true);
  expect(await workspaces?.names()).toEqual(['default']);
});
