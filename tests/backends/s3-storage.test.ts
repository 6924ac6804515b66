// States and locks in S3 and DynamoDB as the library keeps them, against moto.
import { createServer, type Server } from 'node:http';
import { type Backend, isLeaseOver, LEASE_MS, StateConflict } from '@terrane/backends';
import { type Host, type LockInfo, LockLost, type Storage } from '@terrane/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Moto, MOTO, startMoto } from './moto.ts';
import { type Given, valuesOf } from './given.ts';
import { hostWith, openBackend, problemsOf, textOf } from './open-backend.ts';
import { expectSideStorage } from './side-storage.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const bytes = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

function lockInfo(id: string, expires?: number): LockInfo {
  return {
    id,
    operation: 'OperationTypeApply',
    info: '',
    who: 'somebody@somewhere',
    version: '1.11.4',
    created: '2026-01-01T00:00:00Z',
    path: '',
    ...(expires === undefined
      ? {}
      : { lease: { epoch: 1, expires: new Date(expires).toISOString(), ms: 300 } }),
  };
}

async function openS3(
  args: Given,
  variables: Readonly<Record<string, string>>,
  host?: Host,
): Promise<Backend> {
  return await openBackend('s3', await valuesOf('s3', args), variables, host);
}

it.runIf(process.env['CI'] === 'true')('moto is there where everything is to be tested', () => {
  expect(MOTO).toBe(true);
});

describe.runIf(MOTO)('the s3 backend', () => {
  let moto: Moto;
  let count = 0;
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto.stop());

  const argsWith = (more: Given = {}): Given => ({
    bucket: 'bucket',
    key: `state-${++count}`,
    region: 'us-east-1',
    use_path_style: true,
    skip_credentials_validation: true,
    skip_requesting_account_id: true,
    endpoints: { s3: moto.endpoint, dynamodb: moto.endpoint, sts: moto.endpoint },
    ...more,
  });
  /** Two users of one state. */
  const pair = async (more: Given = {}): Promise<readonly [Storage, Storage]> => {
    const config = argsWith(more);
    const [a, b] = [await openS3(config, KEYS), await openS3(config, KEYS)];
    return [await a.storage('default'), await b.storage('default')];
  };

  it.each([
    ['encrypted', { encrypt: true }],
    ['encrypted with a key of KMS', { encrypt: true, kms_key_id: 'alias/states' }],
    ['encrypted with a key of its own', { encrypt: true, sse_customer_key: `${'A'.repeat(43)}=` }],
    ['without checksums', { skip_s3_checksum: true }],
    ['for everybody to read', { acl: 'public-read' }],
    ['with its checksum in a table', { dynamodb_table: 'locks' }],
  ])('keeps states, %s', async (_, more) => {
    const [a, b] = await pair(more);
    expect(await a.read()).toBeUndefined();
    await a.write(bytes('one'));
    await a.write(bytes('two'));
    expect(textOf(await b.read())).toBe('two');
    await b.write(bytes('three'));
    expect(textOf(await a.read())).toBe('three');
  });

  it('overwrites only the content that it read', async () => {
    const [a, b] = await pair();
    expect([await a.read(), await b.read()]).toEqual([undefined, undefined]);
    await a.write(bytes('first'));
    await expect(b.write(bytes('also first'))).rejects.toThrow(StateConflict);
    await b.read();
    await b.write(bytes('second'));
    await expect(a.write(bytes('late'))).rejects.toThrow(/another client has written/);
    expect(textOf(await a.read())).toBe('second');
  });

  it('treats its own write as done if the response was lost', async () => {
    const [a, b] = await pair();
    await a.read();
    await b.read();
    await a.write(bytes('same'));
    // To b this is as if its first attempt had arrived.
    await b.write(bytes('same'));
    await b.write(bytes('next'));
    expect(textOf(await a.read())).toBe('next');
  });

  describe.each([
    ['a lock file', { use_lockfile: true }],
    ['a table', { dynamodb_table: 'locks' }],
    ['both', { use_lockfile: true, dynamodb_table: 'locks' }],
  ])('with %s', (_, more) => {
    it('locks once', async () => {
      const [a, b] = await pair(more);
      expect(await b.lockHolder?.()).toBeUndefined();
      expect(await a.lock?.(lockInfo('one'))).toEqual({ kind: 'locked', id: 'one' });
      const held = await b.lock?.(lockInfo('two'));
      expect(held).toMatchObject({ kind: 'held', info: { id: 'one' } });
      expect(held?.kind === 'held' && held.error).toMatch(/PreconditionFailed|ConditionalCheck/);
      expect(await b.lockHolder?.()).toMatchObject({ id: 'one', who: 'somebody@somewhere' });
      await expect(b.unlock?.('two')).rejects.toThrow(/lock ID/);
      // As `force-unlock` does.
      await b.unlock?.('one');
      await expect(a.unlock?.('one')).rejects.toThrow(/the lock is not held/);
      expect(await b.lock?.(lockInfo('two'))).toMatchObject({ kind: 'locked' });
    });

    it('takes over only locks that are not renewed', async () => {
      const [a, b] = await pair(more);
      const long = Date.now() - 3 * LEASE_MS;
      expect(await a.lock?.(lockInfo('one', long))).toMatchObject({ kind: 'locked', epoch: 1 });
      // A contender that has no lease itself does not judge the leases of others.
      expect(await b.lock?.(lockInfo('two'))).toMatchObject({ kind: 'held' });
      const now = Date.now() + LEASE_MS;
      expect(await b.lock?.(lockInfo('two', now))).toEqual({ kind: 'locked', id: 'two', epoch: 2 });
      await expect(a.renew?.(lockInfo('one', now))).rejects.toThrow(LockLost);
      await expect(a.unlock?.('one')).rejects.toThrow(/lock ID/);
      await b.renew?.(lockInfo('two', now + 1000));
      await b.renew?.(lockInfo('two', now + 2000));
      const holder = await a.lockHolder?.();
      expect(holder?.lease?.expires).toBe(new Date(now + 2000).toISOString());
      expect(isLeaseOver(holder ?? lockInfo(''), new Date())).toBe(false);
      expect(await a.lock?.(lockInfo('three', now))).toMatchObject({ kind: 'held' });
      await b.unlock?.('two');
      await expect(b.renew?.(lockInfo('two', now))).rejects.toThrow(LockLost);
    });

    it('never takes over a lock without a lease', async () => {
      const [a, b] = await pair(more);
      await a.lock?.(lockInfo('one'));
      expect(await b.lock?.(lockInfo('two', Date.now() + LEASE_MS))).toMatchObject({
        kind: 'held',
      });
    });
  });

  it('releases one of two locks if the other is not available', async () => {
    const config = argsWith({ use_lockfile: true, dynamodb_table: 'locks' });
    const both = await (await openS3(config, KEYS)).storage('default');
    const { use_lockfile: _, ...tableOnly } = config;
    const table = await (await openS3(tableOnly, KEYS)).storage('default');
    await table.lock?.(lockInfo('one'));
    expect(await both.lock?.(lockInfo('two'))).toMatchObject({ kind: 'held', info: { id: 'one' } });
    await table.unlock?.('one');
    expect(await both.lock?.(lockInfo('two'))).toMatchObject({ kind: 'locked' });
  });

  it('detects states that differ from the table', async () => {
    const config = argsWith({ dynamodb_table: 'locks' });
    const host = hostWith(KEYS);
    // Ten seconds of waiting take no time.
    let time = 0;
    const clock = {
      now: () => new Date(),
      monotonicMs: () => time,
      sleep: (ms: number) => {
        time += ms;
        return Promise.resolve();
      },
    };
    const a = await (await openS3(config, KEYS, { ...host, clock })).storage('default');
    await a.read();
    await a.write(bytes('known'));
    const { dynamodb_table: _, ...without } = config;
    const b = await (await openS3(without, KEYS)).storage('default');
    await b.read();
    await b.write(bytes('foreign'));
    await expect(a.read()).rejects.toThrow(
      /does not have the expected content[^]*Key: {4}state-\d+\nCalculated checksum: [0-9a-f]{32}\nStored checksum: {5}[0-9a-f]{32}\n[^]*to the following value: [0-9a-f]{32}/,
    );
    expect(time).toBe(10_000);
  });

  it('has workspaces', async () => {
    const config = argsWith({ key: 'dir/workspaces', workspace_key_prefix: 'of/all' });
    const backend = await openS3(config, KEYS);
    for (const name of ['b', 'a']) await (await backend.storage(name)).write(bytes(name));
    expect(await backend.workspaces?.names()).toEqual(['default', 'a', 'b']);
    const there = await openS3(argsWith({ key: 'of/all/a/dir/workspaces' }), KEYS);
    expect(textOf(await (await there.storage('default')).read())).toBe('a');
    await backend.workspaces?.delete('a');
    expect(await backend.workspaces?.names()).toEqual(['default', 'b']);
    await expect(backend.workspaces?.delete('default')).rejects.toThrow(/default state/);
  });

  it('has data beside states', async () => {
    await expectSideStorage(await openS3(argsWith(), KEYS));
  });

  it('is verified, and leaves nothing behind', async () => {
    const config = argsWith({ use_lockfile: true });
    await (await openS3(config, KEYS)).verify?.();
    const list = await (await fetch(`${moto.endpoint}/bucket?list-type=2`)).text();
    expect(list).not.toContain('probe');
  });

  it('reports the name of a missing bucket', async () => {
    const backend = await openS3(argsWith({ bucket: 'none' }), KEYS);
    const storage = await backend.storage('default');
    const missing = /S3 bucket "none" does not exist[^]*StatusCode: 404[^]*NoSuchBucket/;
    await expect(storage.read()).rejects.toThrow(missing);
    await expect(storage.write(bytes('x'))).rejects.toThrow(missing);
    await expect(backend.workspaces?.names()).rejects.toThrow(missing);
  });

  it('requests the owner of its credentials', async () => {
    const config = argsWith({ skip_credentials_validation: false });
    await openS3({ ...config, allowed_account_ids: ['123456789012'] }, KEYS);
    await expect(
      openS3({ ...config, forbidden_account_ids: ['123456789012'] }, KEYS),
    ).rejects.toThrow('AWS account ID not allowed: 123456789012');
  });

  it('assumes roles', async () => {
    const role = { role_arn: 'arn:aws:iam::123456789012:role/states', session_name: 'session' };
    const a = await openS3(argsWith({ assume_role: role }), KEYS);
    await (await a.storage('default')).write(bytes('x'));
    const web = { ...role, web_identity_token: 'a.b.c' };
    const config = argsWith({ assume_role_with_web_identity: web });
    const b = await openS3(config, {});
    await (await b.storage('default')).write(bytes('x'));
  });
});

describe('a server without conditional writes', () => {
  let server: Server;
  let endpoint = '';
  /** status of the answers to writes */
  let status = 200;
  const objects = new Map<string, Buffer>();
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url?.split('?')[0] ?? '';
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const conditional =
          request.headers['if-none-match'] !== undefined ||
          request.headers['if-match'] !== undefined;
        if (request.method === 'PUT' && (status === 200 || !conditional)) {
          objects.set(path, Buffer.concat(pieces));
          response.setHeader('etag', `"${objects.size}"`);
          response.end();
        } else if (request.method === 'PUT') {
          response.statusCode = status;
          const code = status === 403 ? 'AccessDenied' : 'NotImplemented';
          response.end(
            `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
          );
        } else if (request.method === 'DELETE') {
          objects.delete(path);
          response.statusCode = 204;
          response.end();
        } else {
          const content = objects.get(path);
          response.statusCode = content === undefined ? 404 : 200;
          response.end(content);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    endpoint = `http://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  const config = (): Given => ({
    bucket: 'bucket',
    key: 'state',
    region: 'us-east-1',
    use_path_style: true,
    skip_credentials_validation: true,
    max_retries: 1,
    endpoints: { s3: endpoint },
  });

  it.each([
    ['ignores conditions', 200],
    ['does not know them', 501],
  ])('that %s is refused for locks', async (_, answer) => {
    status = answer;
    const backend = await openS3({ ...config(), use_lockfile: true }, KEYS);
    await expect(backend.verify?.()).rejects.toThrow(
      /does not support the conditional writes that "use_lockfile" needs/,
    );
    expect([...objects.keys()]).toEqual([]);
  });

  it('is not queried without locks', async () => {
    status = 200;
    await (await openS3(config(), KEYS)).verify?.();
  });

  it('that denies the probe object is no failure', async () => {
    status = 403;
    const backend = await openS3({ ...config(), use_lockfile: true }, KEYS);
    await backend.verify?.();
  });

  it('that does not know conditions keeps states all the same', async () => {
    status = 501;
    const storage = await (await openS3(config(), KEYS)).storage('default');
    expect(await storage.read()).toBeUndefined();
    await storage.write(bytes('one'));
    expect(textOf(await storage.read())).toBe('one');
  });

  it('takes nothing from credentials that are wrong into its messages', async () => {
    const secret = 'wJalrXUtnFEMI';
    const wrong = { ...config(), access_key: '', secret_key: secret };
    await expect(openS3(wrong, {})).rejects.toThrow(/^(?!.*wJalr)/s);
    expect(JSON.stringify(await problemsOf('s3', await valuesOf('s3', wrong)))).not.toContain(
      secret,
    );
  });
});
