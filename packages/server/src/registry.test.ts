// The private registry: publication by the API, and the protocol that clients speak.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import * as openpgp from 'openpgp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from './testing.ts';

let test: TestServer;
let signingKey: openpgp.PrivateKey;
let armor: string;
beforeAll(async () => {
  test = await testServer();
  const { privateKey, publicKey } = await openpgp.generateKey({
    userIDs: [{ name: 'Releases', email: 'releases@example.com' }],
    format: 'object',
    date: new Date('2025-12-01'),
  });
  signingKey = privateKey;
  armor = publicKey.armor();
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const create = (type: string, attributes: object) => ({ data: { type, attributes } });
const API = '/api/v2/organizations/acme';

describe('modules', () => {
  const PATH = `${API}/registry-modules`;

  it('are published once, and found by the registry protocol', async () => {
    const module = create('registry-modules', { name: 'network', provider: 'aws' });
    expect((await test.call('POST', PATH, module)).status).toBe(201);
    expect((await test.call('POST', PATH, module)).status).toBe(422);
    const created = await test.call(
      'POST',
      `${PATH}/private/acme/network/aws/versions`,
      create('registry-module-versions', { version: '1.2.0' }),
    );
    expect(created.status).toBe(201);
    const versions = '/api/registry/v1/modules/acme/network/aws/versions';
    expect((await test.call('GET', versions)).json).toEqual({ modules: [{ versions: [] }] });
    const tar = await packTar([
      { header: { name: 'main.tf', size: 5, type: 'file' }, body: '# hi\n' },
    ]);
    const upload: string = created.json.data.links.upload;
    expect((await test.call('PUT', upload, Buffer.from('no archive'), null)).status).toBe(422);
    expect((await test.call('PUT', upload, gzipSync(tar), null)).status).toBe(200);
    expect((await test.call('PUT', upload, gzipSync(tar), null)).status).toBe(409);
    expect((await test.call('GET', versions)).json).toEqual({
      modules: [{ versions: [{ version: '1.2.0' }] }],
    });
    const download = await test.server.fetch(
      new Request('https://server.test/api/registry/v1/modules/acme/network/aws/1.2.0/download', {
        headers: { authorization: `Bearer ${test.token}` },
      }),
    );
    const url = download.headers.get('x-terraform-get') ?? '';
    expect((await test.call('GET', url, undefined, null)).bytes).toEqual(gzipSync(tar));
    expect((await test.call('GET', versions, undefined, null)).status).toBe(401);
    expect((await test.call('DELETE', `${PATH}/private/acme/network/aws/1.2.0`)).status).toBe(204);
    expect((await test.call('GET', url, undefined, null)).status).toBe(404);
  });

  it.each(['1', '1.2', 'v1.2.0', '1.2.0/../x', ''])('refuse the version %j', async (version) => {
    await test.call('POST', PATH, create('registry-modules', { name: 'other', provider: 'aws' }));
    const path = `${PATH}/private/acme/other/aws/versions`;
    const body = create('registry-module-versions', { version });
    expect((await test.call('POST', path, body)).status).toBe(422);
  });
});

describe('providers', () => {
  const KEYS = '/api/registry/private/v2/gpg-keys';
  const PATH = `${API}/registry-providers`;

  it('are published with a signature of a key of the organization', async () => {
    const key = await test.call(
      'POST',
      KEYS,
      create('gpg-keys', { namespace: 'acme', 'ascii-armor': armor }),
    );
    expect(key.status).toBe(201);
    const keyId: string = key.json.data.attributes['key-id'];
    expect(keyId).toBe(signingKey.getKeyID().toHex().toUpperCase());
    const bad = create('gpg-keys', { namespace: 'acme', 'ascii-armor': 'none' });
    expect((await test.call('POST', KEYS, bad)).status).toBe(422);
    const secret = create('gpg-keys', { namespace: 'acme', 'ascii-armor': signingKey.armor() });
    expect((await test.call('POST', KEYS, secret)).status).toBe(422);

    const provider = create('registry-providers', {
      name: 'tools',
      namespace: 'acme',
      'registry-name': 'private',
    });
    expect((await test.call('POST', PATH, provider)).status).toBe(201);
    const at = `${PATH}/private/acme/tools/versions`;
    const version = (attributes: object) => create('registry-provider-versions', attributes);
    const created = await test.call(
      'POST',
      at,
      version({ version: '1.0.0', 'key-id': keyId, protocols: ['6.0'] }),
    );
    expect(created.status).toBe(201);
    const zip = Buffer.from('the archive');
    const shasum = createHash('sha256').update(zip).digest('hex');
    const filename = 'terraform-provider-tools_1.0.0_linux_amd64.zip';
    const platform = await test.call(
      'POST',
      `${at}/1.0.0/platforms`,
      create('registry-provider-version-platforms', {
        os: 'linux',
        arch: 'amd64',
        shasum,
        filename,
      }),
    );
    expect(platform.status).toBe(201);
    const sums = Buffer.from(`${shasum}  ${filename}\n`);
    const sign = async (content: Buffer): Promise<Buffer> =>
      Buffer.from(
        await openpgp.sign({
          message: await openpgp.createMessage({ binary: new Uint8Array(content) }),
          signingKeys: signingKey,
          detached: true,
          format: 'binary',
          date: new Date('2025-12-02'),
        }),
      );
    const { links } = created.json.data;
    const binary: string = platform.json.data.links['provider-binary-upload'];
    expect((await test.call('PUT', links['shasums-upload'], sums, null)).status).toBe(200);
    const forged = await sign(Buffer.from('other sums'));
    expect((await test.call('PUT', links['shasums-sig-upload'], forged, null)).status).toBe(422);
    const signature = await sign(sums);
    expect((await test.call('PUT', links['shasums-sig-upload'], signature, null)).status).toBe(200);
    expect((await test.call('PUT', binary, Buffer.from('another'), null)).status).toBe(422);
    expect((await test.call('PUT', binary, zip, null)).status).toBe(200);
    expect((await test.call('PUT', binary, zip, null)).status).toBe(409);

    const protocol = '/api/registry/v1/providers/acme/tools';
    expect((await test.call('GET', `${protocol}/versions`)).json).toEqual({
      versions: [
        { version: '1.0.0', protocols: ['6.0'], platforms: [{ os: 'linux', arch: 'amd64' }] },
      ],
    });
    const { json } = await test.call('GET', `${protocol}/1.0.0/download/linux/amd64`);
    expect(json).toMatchObject({ filename, shasum, signing_keys: { gpg_public_keys: [{}] } });
    const file = async (url: string) => (await test.call('GET', url, undefined, null)).bytes;
    expect(await file(json.download_url)).toEqual(zip);
    expect(await file(json.shasums_url)).toEqual(sums);
    expect(await file(json.shasums_signature_url)).toEqual(signature);
    expect((await test.call('DELETE', `${KEYS}/acme/${keyId}`)).status).toBe(422);
    expect((await test.call('DELETE', `${PATH}/private/acme/tools`)).status).toBe(204);
    expect((await test.call('DELETE', `${KEYS}/acme/${keyId}`)).status).toBe(204);
    expect((await test.call('GET', json.download_url, undefined, null)).status).toBe(404);
  });
});
