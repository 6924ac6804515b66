// The `oci` backend on a server that does what Oracle Cloud's documentation says. Terraform 1.11 has no such backend.
import { createPublicKey, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateConflict, type Backend } from '@terrane/backends';
import { LockLost, type Host } from '@terrane/host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { KEY_ID, OciServer } from './oci-server.ts';
import { worked, Workplace } from './programs.ts';
import { selfSigned } from './self-signed.ts';
import { expectSideStorage } from './side-storage.ts';

const { key: KEY } = selfSigned('user');
const [TENANCY = '', USER = '', FINGERPRINT = ''] = KEY_ID.split('/');
const SIGNED = {
  tenancy_ocid: TENANCY,
  user_ocid: USER,
  fingerprint: FINGERPRINT,
  private_key: KEY,
  region: 'us-ashburn-1',
};

let server: OciServer;
beforeAll(async () => {
  server = await OciServer.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.objects.clear();
  server.versions.clear();
  server.keys.clear();
  server.keys.set(KEY_ID, createPublicKey(KEY));
  server.loopback.exchanges.length = 0;
});

const through = (variables: Readonly<Record<string, string>>): Host =>
  hostThrough(hostWith(variables), server.loopback.origin);
const backend = (
  more: Given = {},
  variables: Readonly<Record<string, string>> = {},
): Promise<Backend> =>
  openBackend('oci', { bucket: 'bucket', namespace: 'space', ...more }, through(variables));

describe('a configuration of oci', () => {
  const host = hostWith({});

  it('reports errors as terraform 1.12 does', async () => {
    const required = (name: string): string =>
      `error: Missing Required Value: The attribute "${name}" is required by the backend.\n\nRefer to the backend documentation for additional information which attributes are required.`;
    expect(await problemsOf('oci', {}, host)).toEqual([required('bucket'), required('namespace')]);
    const wrong = {
      bucket: 'a b',
      namespace: 'n',
      key: 'a//b',
      workspace_key_prefix: '/x',
      auth: 'nope',
      sse_customer_key: 'x',
      kms_key_id: 'x',
      private_key: 'x',
      private_key_path: 'x',
    };
    expect(await problemsOf('oci', wrong, host)).toEqual([
      'error: Invalid Value: The bucket name can only include alphanumeric characters, underscores (_), and hyphens (-).',
      'error: Invalid Value: The value must not start or end with "/" and also not contain consecutive "/"',
      'error: Invalid Value: The value must not start  with "/" and also not contain consecutive "/"',
      "error: Invalid authentication method: auth must be one of 'ApiKey' or 'InstancePrincipal' or 'InstancePrincipalWithCerts' or 'SecurityToken' or 'ResourcePrincipal' or 'OKEWorkloadIdentity'",
      'error: Invalid Attribute Combination:   sse_customer_key and its SHA both required.',
      'error: Invalid Attribute Combination: Only one of kms_key_id, sse_customer_key can be set.',
      'error: Invalid Attribute Combination: Only one of private_key, private_key_path can be set.',
    ]);
    const token = { bucket: 'b', namespace: 'n', auth: 'securitytoken' };
    expect(await problemsOf('oci', token, host)).toEqual([
      'error: Missing region attribute required: The attribute "region" is required by the backend for securitytoken authentication.\n\n',
      'error: Missing config_file_profile attribute required: The attribute "config_file_profile" is required by the backend for securitytoken authentication.\n\n',
    ]);
  });

  it('reports the location of the bucket', async () => {
    const hosts: string[] = [];
    const overrides = 'oci_object_storage.ObjectStorageClient=https://own.example.com';
    const ways: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['us-ashburn-1', {}],
      ['FRA', {}],
      ['uk-gov-london-1', {}],
      ['some.where.example.com', {}],
      [
        'xx-new-1',
        { OCI_REGION_METADATA: '{"regionIdentifier":"xx-new-1","realmDomainComponent":"new.com"}' },
      ],
      ['us-ashburn-1', { OCI_domain_name_override: 'other.net' }],
      ['us-ashburn-1', { CLIENT_HOST_OVERRIDES: overrides }],
    ];
    for (const [region, variables] of ways) {
      await (await (await backend({ ...SIGNED, region }, variables)).storage('default')).read();
      hosts.push(server.loopback.exchanges.at(-1)?.asked.host ?? '');
    }
    expect(hosts).toEqual([
      'objectstorage.us-ashburn-1.oraclecloud.com',
      'objectstorage.eu-frankfurt-1.oraclecloud.com',
      'objectstorage.uk-gov-london-1.oraclegovcloud.uk',
      'objectstorage.some.where.example.com',
      'objectstorage.xx-new-1.new.com',
      'objectstorage.us-ashburn-1.other.net',
      'own.example.com',
    ]);
  });
});

describe('states at Oracle', () => {
  it('are empty at first, then as written, and do not overwrite the content of another client', async () => {
    const { storage } = await backend(SIGNED);
    const [first, second] = [await storage('default'), await storage('default')];
    expect(await first.read()).toBeUndefined();
    expect(await second.read()).toBeUndefined();
    await first.write(utf8('one'));
    await expect(second.write(utf8('two'))).rejects.toThrow(StateConflict);
    expect(textOf(await second.read())).toBe('one');
    await second.write(utf8('two'));
    await expect(first.write(utf8('three'))).rejects.toThrow(StateConflict);
    server.objects.delete('terraform.tfstate');
    await expect(second.write(utf8('four'))).rejects.toThrow(StateConflict);
  });

  it('are encrypted as the configuration wants it', async () => {
    const customerKey = { sse_customer_key: 'a2V5', sse_customer_key_sha256: 'c2hh' };
    const state = await (await backend({ ...SIGNED, ...customerKey })).storage('default');
    await state.write(utf8('1'));
    expect(textOf(await state.read())).toBe('1');
    expect(server.objects.get('terraform.tfstate')?.headers).toMatchObject({
      'opc-sse-customer-algorithm': 'AES256',
      'opc-sse-customer-key': 'a2V5',
      'opc-sse-customer-key-sha256': 'c2hh',
    });
    const kms = { kms_key_id: 'ocid1.key', key: 'x' };
    await (await (await backend({ ...SIGNED, ...kms })).storage('default')).write(utf8('1'));
    expect(server.objects.get('x')?.headers['opc-sse-kms-key-id']).toBe('ocid1.key');
  });

  it('are locked by an object, and held by a lease that is renewed', async () => {
    const { storage } = await backend(SIGNED);
    const [first, second] = [await storage('default'), await storage('default')];
    expect(await first.lockHolder?.()).toBeUndefined();
    expect(await lockId(first, 'a')).toBe('a');
    expect([...server.objects.keys()]).toEqual(['terraform.tfstate.lock']);
    const info = { id: 'a', who: 'tester@machine', path: 'terraform.tfstate' };
    expect(await second.lockHolder?.()).toMatchObject(info);
    expect(await lockOf(second, 'b')).toMatchObject({
      kind: 'held',
      error: expect.stringContaining('Http Status Code: 412. Error Code: IfNoneMatchFailed.'),
      info,
    });
    await expect(second.unlock?.('b')).rejects.toThrow(
      "lock ID 'b' does not match the existing lock ID 'a'",
    );
    const until = (expires: string): object => ({ lease: { epoch: 1, expires, ms: 300 } });
    await first.renew?.({ ...request('a'), ...until('2020-01-01T00:00:00Z') });
    const mine = { ...request('b'), ...until('2999-01-01T00:00:00Z') };
    expect(await second.lock?.(mine)).toEqual({ kind: 'locked', id: 'b', epoch: 2 });
    await expect(first.renew?.(request('a'))).rejects.toThrow(LockLost);
    await second.unlock?.('b');
    await expect(second.unlock?.('b')).rejects.toThrow(
      'Failed to retrieve lock information from OCI Object Storage',
    );
  });

  it('have an object for each workspace, however many pages list them, and are deleted with their past', async () => {
    const { storage, workspaces } = await backend({ ...SIGNED, key: 'a/app.tfstate' });
    for (const name of ['zoo', 'bar', 'x y', 'four', 'five']) {
      const state = await storage(name);
      await state.write(utf8(name));
      await state.write(utf8(`${name} again`));
    }
    await (await storage('default')).write(utf8('default'));
    expect([...server.objects.keys()]).toEqual(
      expect.arrayContaining(['tf-state-env/x y/a/app.tfstate', 'a/app.tfstate']),
    );
    expect(await workspaces?.names()).toEqual(['default', 'bar', 'five', 'four', 'x y', 'zoo']);
    await lockId(await storage('bar'), 'kept');
    await workspaces?.delete('bar');
    expect(await workspaces?.names()).not.toContain('bar');
    expect([...server.versions.values()].filter((name) => name.includes('/bar/'))).toEqual([
      'tf-state-env/bar/a/app.tfstate.lock',
    ]);
    await expect(workspaces?.delete('default')).rejects.toThrow("can't delete default state");
  });

  it('have data beside them', async () => {
    await expectSideStorage(await backend(SIGNED));
  });

  it('lose no update where many contend', async () => {
    const { storage } = await backend(SIGNED);
    expect(await contend(() => storage('default'), 4, 5, randomUUID)).toBe(20);
  });

  it('cannot be in a missing bucket', async () => {
    const read = (
      await (await backend({ ...SIGNED, bucket: 'nowhere' })).storage('default')
    ).read();
    await expect(read).rejects.toThrow(
      "failed to access object 'terraform.tfstate' in bucket 'nowhere': Error returned by ObjectStorage Service. Http Status Code: 404. Error Code: BucketNotFound. Opc request id: REQUEST. Message: It is not so.",
    );
  });

  it('are kept by the program, as Terraform 1.12 keeps them', async () => {
    const overrides = `oci_object_storage.ObjectStorageClient=${server.loopback.origin}`;
    const work = await Workplace.make({ CLIENT_HOST_OVERRIDES: overrides, OCI_private_key: KEY });
    try {
      const { private_key: _, ...settings } = SIGNED;
      const lines = Object.entries({ bucket: 'bucket', namespace: 'space', ...settings });
      const block = lines.map(([name, value]) => `    ${name} = "${value}"`).join('\n');
      await work.write(
        'main.tf',
        `terraform {\n  backend "oci" {\n${block}\n  }\n}\noutput "x" {\n  value = "kept"\n}\n`,
      );
      await worked(work.terrane('init', '-no-color'));
      await worked(work.terrane('apply', '-auto-approve'));
      expect(await worked(work.terrane('output', '-raw', 'x'))).toBe('kept');
      const keys = [...server.objects.keys()];
      expect(keys.filter((key) => !key.startsWith('terraform.tfstate.history/'))).toEqual([
        'terraform.tfstate',
      ]);
    } finally {
      await work.remove();
    }
  });
});

describe('who keeps states at Oracle', () => {
  const ids = (): readonly unknown[] =>
    server.loopback.exchanges
      .filter(({ asked }) => asked.host.startsWith('objectstorage.'))
      .map(({ asked, status }) => [
        status,
        /keyId="([^"]{0,47})/.exec(asked.headers.authorization ?? '')?.[1],
      ]);
  const reads = async (args: Given, variables: Readonly<Record<string, string>> = {}) => {
    await (await (await backend(args, variables)).storage('default')).read();
  };
  const mine = [404, KEY_ID.slice(0, 47)];
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'terrane-oci-'));
    await mkdir(join(home, '.oci'));
    await writeFile(join(home, 'key.pem'), KEY);
    return () => rm(home, { recursive: true });
  });
  const config = (text: string): Promise<void> => writeFile(join(home, '.oci', 'config'), text);
  const user = `user=${USER}\nfingerprint = ${FINGERPRINT}\ntenancy=${TENANCY}\nkey_file=~/key.pem\nregion=iad\n`;

  it('has a key: in arguments, in a file, in the environment, in a profile', async () => {
    const { private_key: _, ...settings } = SIGNED;
    await reads({ ...settings, private_key_path: join(home, 'key.pem') });
    await reads(
      {},
      {
        ...Object.fromEntries(
          Object.entries(SIGNED).map(([name, value]) => [`OCI_${name}`, value]),
        ),
      },
    );
    await config(`[OTHER]\nuser=x\n[DEFAULT]\n${user}[LAST]\nuser=y\n`);
    await reads({}, { OCI_HOME_OVERRIDE: home });
    await config(`[DEFAULT]\nuser=x\n[mine]\n${user}`);
    await reads({ auth: 'APIKEY', config_file_profile: 'mine' }, { OCI_HOME_OVERRIDE: home });
    expect(ids()).toEqual([mine, mine, mine, mine]);
    const none = reads({ config_file_profile: 'none' }, { OCI_HOME_OVERRIDE: home });
    await expect(none).rejects.toThrow('configuration file did not contain profile: none');
    const nobody = reads({}, { OCI_HOME_OVERRIDE: join(home, 'nowhere') });
    await expect(nobody).rejects.toThrow(
      /is not told who signs in \(.*\), the key \(.*\), the region/,
    );
    const broken = reads({ ...SIGNED, private_key: 'MARKER' });
    await expect(broken).rejects.toThrow(/cannot be read: it is no RSA key in PEM/);
    await expect(broken).rejects.not.toThrow('MARKER');
  });

  it('has the token of a session, in the file that a profile names', async () => {
    await writeFile(join(home, 'token'), 'session-token\n');
    await config(`[mine]\n${user}security_token_file=${join(home, 'token')}\n`);
    server.keys.set('ST$session-token', createPublicKey(KEY));
    const args = { auth: 'SecurityToken', region: 'us-ashburn-1', config_file_profile: 'mine' };
    await reads(args, { OCI_HOME_OVERRIDE: home });
    expect(ids()).toEqual([[404, 'ST$session-token']]);
  });

  it('is a machine, by the certificate of its metadata or of files', async () => {
    await reads({ auth: 'InstancePrincipal', region: 'us-phoenix-1' });
    await writeFile(join(home, 'ip_cert.pem'), server.machine.certificate);
    await writeFile(join(home, 'ip_key.pem'), server.machine.key);
    await writeFile(join(home, 'intermediate.pem'), server.machine.certificate);
    const files = { test_certificates_location: home };
    await reads({ auth: 'InstancePrincipalWithCerts', region: 'us-phoenix-1' }, files);
    expect(ids()).toEqual([
      [404, expect.stringMatching(/^ST\$head\./)],
      [404, expect.stringMatching(/^ST\$head\./)],
    ]);
    const hosts = server.loopback.exchanges.map(({ asked }) => asked.host);
    // The machine may be elsewhere than the bucket.
    expect(hosts).toContain('auth.us-ashburn-1.oraclecloud.com');
    expect(hosts).toContain('auth.us-phoenix-1.oraclecloud.com');
    const missing = reads(
      { auth: 'InstancePrincipalWithCerts', region: 'iad' },
      { test_certificates_location: '/nowhere' },
    );
    await expect(missing).rejects.toThrow(
      'can not read leaf certificate from /nowhere/ip_cert.pem',
    );
  });

  it('is a resource described by its environment', async () => {
    server.keys.set('ST$resource', createPublicKey(KEY));
    const variables = {
      OCI_RESOURCE_PRINCIPAL_VERSION: '2.2',
      OCI_RESOURCE_PRINCIPAL_RPST: 'resource',
      OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM: join(home, 'key.pem'),
    };
    await reads({ auth: 'ResourcePrincipal', region: 'iad' }, variables);
    expect(ids()).toEqual([[404, 'ST$resource']]);
    await expect(reads({ auth: 'ResourcePrincipal', region: 'iad' })).rejects.toThrow(
      'can not create resource principal, environment variable: OCI_RESOURCE_PRINCIPAL_VERSION, not present',
    );
  });
});
