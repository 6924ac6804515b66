// Installation of providers from registries, mirrors and caches. If terraform is on PATH, its messages, errors and lock
// file must be equal.
import { existsSync } from 'node:fs';
import type { InstallOptions } from '@terrane/registry';
import { type Zippable, zipSync } from 'fflate';
import { revokeKey } from 'openpgp';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  discard,
  installWithTerraform,
  installWithTerrane,
  type Result,
  scratch,
  type Wanted,
} from './install.ts';
import {
  archiveName,
  archiveOf,
  breakingOff,
  failing,
  type Fault,
  makeKey,
  PLATFORM,
  RegistryServer,
  type SigningKeyPair,
} from './registry-server.ts';

const terraform = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'terraform')));

let server: RegistryServer;
let key: SigningKeyPair;
let base: string;

beforeAll(async () => {
  server = await RegistryServer.start();
  key = await makeKey();
});
afterAll(() => server.close());
beforeEach(async () => {
  base = await scratch();
  server.faults.clear();
  server.asked.length = 0;
});
afterEach(() => discard(base));

const both = (version: string) => ({
  version,
  platforms: [PLATFORM, 'plan9_mips'],
  protocols: ['5.0'],
  key,
});

/** Runs steps with Terrane, and verifies that terraform has the same result. */
async function install(
  steps: readonly Wanted[],
  change?: (step: number, directory: string) => Promise<void>,
): Promise<Result> {
  const results: Result[][] = [];
  const programs = [installWithTerrane, ...(terraform ? [installWithTerraform] : [])];
  for (const [i, program] of programs.entries()) {
    const directory = join(base, `${i}`, 'project');
    await mkdir(directory, { recursive: true });
    const programResults: Result[] = [];
    for (const [step, wanted] of steps.entries()) {
      await change?.(step, directory);
      const cache = wanted.cache === undefined ? undefined : join(base, `${i}`, wanted.cache);
      if (cache !== undefined) await mkdir(cache, { recursive: true });
      programResults.push(
        await program(server, directory, { ...wanted, ...(cache !== undefined && { cache }) }),
      );
    }
    results.push(programResults);
  }
  const [ours, theirs] = results;
  if (theirs !== undefined) expect(ours).toEqual(theirs);
  const last = ours?.at(-1);
  if (last === undefined) throw new Error('nothing was installed');
  return last;
}

const at = (name: string): string => `${server.host}/${name}`;

describe('versions', () => {
  beforeAll(() =>
    server.publish('acme/many', ['0.9.0', '1.0.0', '1.2.0', '2.0.0-beta', '1.10.0'].map(both)),
  );

  it.each([
    ['', '1.10.0'],
    ['~> 1.0', '1.10.0'],
    ['~> 1.0.0', '1.0.0'],
    ['< 1.2.0, != 1.0.0', '0.9.0'],
    ['2.0.0-beta', '2.0.0-beta'],
    ['>= 1.0, 1.2', '1.2.0'],
  ])('%j selects %s', async (constraint, version) => {
    const { lock } = await install([{ required: { [at('acme/many')]: constraint } }]);
    expect(lock).toContain(
      `version     = "${version}"`.replace(/ {5}/, constraint === '' ? ' ' : '     '),
    );
  });

  it('that no source has are reported', async () => {
    const { problems, lock } = await install([
      { required: { [at('acme/many')]: '>= 2.0.0-alpha' } },
    ]);
    expect(problems[0]?.detail).toContain(
      'no available releases match the given constraints >= 2.0.0-alpha',
    );
    expect(lock).toBeUndefined();
  });

  it('stay as locked until they are upgraded', async () => {
    const required = (constraint: string) => ({ required: { [at('acme/many')]: constraint } });
    await install([required('1.0.0'), required('~> 1.0')]);
    await install([required('1.0.0'), required('1.2.0')]);
    const { lock } = await install([required('1.0.0'), { ...required('~> 1.0'), upgrade: true }]);
    expect(lock).toContain('"1.10.0"');
  });

  it('of a provider that is no longer needed leave the lock file', async () => {
    await server.publish('acme/other', [both('1.0.0')]);
    const { lock } = await install([
      { required: { [at('acme/many')]: '', [at('acme/other')]: '' } },
      { required: { [at('acme/other')]: '' } },
    ]);
    expect(lock).not.toContain('acme/many');
  });
});

describe('verification', () => {
  const signed = 'acme/signed';
  const required = (name = signed): Wanted => ({ required: { [at(name)]: '' } });
  const problem = async (wanted: Wanted = required()): Promise<string> => {
    const { problems, lock } = await install([wanted]);
    expect(lock).toBeUndefined();
    expect(problems.length).toBe(1);
    return problems[0]?.detail ?? '';
  };

  it('refuses a signature of other bytes', async () => {
    await server.publish(signed, [both('1.0.0')]);
    server.put(
      `/files/${signed}/1.0.0_SHA256SUMS`,
      `${'0'.repeat(64)}  other.zip\n${new TextDecoder().decode(server.file(`/files/${signed}/1.0.0_SHA256SUMS`))}`,
    );
    expect(await problem()).toContain('error checking signature: openpgp: invalid signature');
  });

  it('rejects a malformed signature', async () => {
    await server.publish(signed, [both('1.0.0')]);
    server.put(`/files/${signed}/1.0.0_SHA256SUMS.sig`, 'text');
    expect(await problem()).toContain('tag byte does not have MSB set');
    server.put(`/files/${signed}/1.0.0_SHA256SUMS.sig`, '');
    expect(await problem()).toContain('authentication signature from unknown issuer');
  });

  it('refuses a key that the registry does not name', async () => {
    const other = await makeKey();
    await server.publish(signed, [{ ...both('1.0.0'), keys: [other] }]);
    expect(await problem()).toContain('authentication signature from unknown issuer');
    await server.publish(signed, [{ ...both('1.0.0'), keys: [] }]);
    expect(await problem()).toContain('authentication signature from unknown issuer');
    await server.publish(signed, [{ ...both('1.0.0'), keys: [{ ...other, armored: 'no key' }] }]);
    expect(await problem()).toContain('openpgp: invalid argument: no armored data found');
  });

  it('finds the key that signed among several', async () => {
    const rsa = await makeKey({ rsa: true });
    await server.publish(signed, [{ ...both('1.0.0'), key: rsa, keys: [key, rsa] }]);
    const { messages } = await install([required()]);
    expect(messages.join()).toContain(`(self-signedkey_id: ${rsa.keyId})`);
  });

  it('names the key that a signing subkey belongs to', async () => {
    const owner = await makeKey({ subkey: true });
    await server.publish(signed, [{ ...both('1.0.0'), key: owner }]);
    const { messages } = await install([required()]);
    expect(messages.join()).toContain(`(self-signedkey_id: ${owner.keyId})`);
  });

  it('refuses a key that was revoked', async () => {
    const revoked = await makeKey();
    const { publicKey } = await revokeKey({ key: revoked.secret, format: 'object' });
    await server.publish(signed, [
      { ...both('1.0.0'), key: revoked, keys: [{ ...revoked, armored: publicKey.armor() }] },
    ]);
    expect(await problem()).toContain('openpgp: signature made by revoked key');
  });

  it('accepts a key that has expired since', async () => {
    const created = new Date('2020-01-01');
    const expired = await makeKey({ created, seconds: 86_400 });
    await server.publish(signed, [
      { ...both('1.0.0'), key: expired, signed: new Date('2020-01-01T12:00:00Z') },
    ]);
    const { messages } = await install([required()]);
    expect(messages.join()).toContain(`(self-signedkey_id: ${expired.keyId})`);
  });

  it('rejects an expired key, and uses another valid one, if requested', async () => {
    const created = new Date('2020-01-01');
    const expired = await makeKey({ created, seconds: 86_400 });
    await server.publish(signed, [
      { ...both('1.0.0'), key: expired, signed: new Date('2020-01-01T12:00:00Z') },
    ]);
    const env = { OPENTOFU_ENFORCE_GPG_EXPIRATION: 'true' };
    // OpenTofu's variable, which terraform does not know.
    const directory = join(base, 'project');
    await mkdir(directory, { recursive: true });
    const refused = await installWithTerrane(server, directory, { ...required(), env });
    expect(refused.problems[0]?.detail).toContain('has expired');
    await server.publish(signed, [both('1.0.0')]);
    const accepted = await installWithTerrane(server, directory, { ...required(), env });
    expect(accepted.problems).toEqual([]);
  });

  it('refuses an archive with another checksum', async () => {
    await server.publish(signed, [both('1.0.0')]);
    server.put(
      `/files/${signed}/${archiveName('signed', '1.0.0', PLATFORM)}`,
      archiveOf('x', '1.0.0', PLATFORM),
    );
    // The registry answers with the checksum that it has published.
    await server.publish('acme/wrong', [{ ...both('1.0.0'), shasum: '1'.repeat(64) }]);
    expect(await problem(required('acme/wrong'))).toContain(
      'checksum list has unexpected SHA-256 hash',
    );
    expect(await problem()).toContain('checksum list has unexpected SHA-256 hash');
    const sums = new TextDecoder().decode(server.file(`/files/${signed}/1.0.0_SHA256SUMS`));
    await server.publish(signed, [{ ...both('1.0.0'), sums, shasum: sums.slice(0, 64) }]);
    server.put(
      `/files/${signed}/${archiveName('signed', '1.0.0', PLATFORM)}`,
      archiveOf('x', '1.0.0', PLATFORM),
    );
    expect(await problem()).toContain('archive has incorrect checksum zh:');
  });

  it('refuses a list without the archive, or with something else', async () => {
    await server.publish(signed, [{ ...both('1.0.0'), sums: `${'0'.repeat(64)}  other.zip\n` }]);
    expect(await problem()).toContain(
      'checksum list has no SHA-256 hash for "terraform-provider-signed_1.0.0',
    );
    await server.publish(signed, [{ ...both('1.0.0'), shasum: 'short' }]);
    expect(await problem()).toContain('registry response includes invalid SHA256 hash "short"');
  });

  it('rejects a package that is not in the lock file', async () => {
    await server.publish(signed, [both('1.0.0')]);
    const { problems } = await install([required(), required()], async (step, directory) => {
      if (step === 0) return;
      const file = join(directory, '.terraform.lock.hcl');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll(/"(h1|zh):.{10}/g, '"$1:0000000000'));
      await discard(join(directory, '.terraform'));
    });
    expect(problems[0]?.detail).toContain("doesn't match any of the checksums previously recorded");
  });
});

describe('archives', () => {
  const withArchive = async (archive: Uint8Array): Promise<Result> => {
    await server.publish('acme/packed', [
      { ...both('1.0.0'), platforms: [PLATFORM], archives: { [PLATFORM]: archive } },
    ]);
    const directory = join(base, 'own');
    await mkdir(directory, { recursive: true });
    return await installWithTerrane(server, directory, { required: { [at('acme/packed')]: '' } });
  };
  const zip = (files: Zippable): Uint8Array => zipSync(files);
  const program = new TextEncoder().encode('#!/bin/sh\n');
  const NAME = 'terraform-provider-packed';

  it.each([
    [
      'that are cut short',
      archiveOf('packed', '1.0.0', PLATFORM).subarray(0, -30),
      'zip: not a valid zip file',
    ],
    ['that are none', new TextEncoder().encode('text'), 'zip: not a valid zip file'],
    ['without files', zip({}), 'empty archive'],
    [
      'that leave their directory',
      zip({ [NAME]: program, '../evil': program }),
      "entry contains '..': ../evil",
    ],
    [
      'with absolute names',
      zip({ [NAME]: program, '/evil': program }),
      'an entry outside of its directory: /evil',
    ],
    [
      'with links',
      zip({ [NAME]: program, link: [program, { os: 3, attrs: 0o120777 << 16 }] }),
      'archive has a link, which packages must not have: link',
    ],
    [
      'with a name twice',
      zip({ [NAME]: program, [NAME.toUpperCase()]: program }),
      'two entries with the same name',
    ],
    [
      'without a program',
      zip({ other: program }),
      'could not find executable file starting with terraform-provider-packed',
    ],
    [
      'that unpack to far more',
      zip({ [NAME]: program, zeros: [new Uint8Array(300 * 1024 ** 2), { level: 9 }] }),
      'which is far more than a package can have',
    ],
  ])('%s are rejected, and leave no files', async (_what, archive, text) => {
    const { problems } = await withArchive(archive);
    expect(problems.map(({ detail }) => detail).join()).toContain(text);
    expect(await readdir(join(base, 'own', '.terraform', 'providers')).catch(() => [])).toEqual([]);
    expect(existsSync(join(base, 'evil'))).toBe(false);
  });

  it('keep their permissions, and run where they have none', async () => {
    await withArchive(
      zip({
        [NAME]: program,
        'bin/tool': [program, { os: 3, attrs: 0o100750 << 16 }],
      }),
    );
    const place = join(
      base,
      'own/.terraform/providers',
      server.host,
      'acme/packed/1.0.0',
      PLATFORM,
    );
    const mode = async (name: string): Promise<number> =>
      (await stat(join(place, name))).mode & 0o777;
    expect(await mode('bin/tool')).toBe(0o750);
    expect((await mode(NAME)) & 0o111).toBe(0o111);
  });
});

describe('registries', () => {
  const here = (extra: Partial<Wanted> = {}, constraint = ''): Wanted => ({
    ...extra,
    required: { [at('acme/plain')]: constraint },
  });
  const detail = async (wanted: Wanted = here()): Promise<string> =>
    (await install([wanted])).problems.map((each) => `${each.summary}: ${each.detail}`).join('\n');
  beforeEach(() => server.publish('acme/plain', [both('1.0.0')]));

  it('may not know a provider', async () => {
    expect(await detail({ required: { [at('acme/nothing')]: '' } })).toContain(
      'does not have a provider named',
    );
  });

  it('may require credentials', async () => {
    const guard: Fault = (request, response) => {
      if (request.headers.authorization === 'Bearer good') return false;
      response.writeHead(request.headers.authorization === undefined ? 401 : 403).end();
      return true;
    };
    server.faults.set('/providers/v1/acme/plain/versions', guard);
    expect(await detail()).toContain('requires authentication credentials');
    expect(await detail(here({ tokens: { [server.host]: 'bad' } }))).toContain(
      'rejected the given authentication credentials',
    );
    expect(await detail(here({ tokens: { [server.host]: 'good' } }))).toBe('');
  });

  it('are requested again after a server error', async () => {
    server.faults.set('/providers/v1/acme/plain/versions', failing(503, terraform ? 2 : 1));
    const env = { TF_REGISTRY_DISCOVERY_RETRY: '2' };
    expect(await detail(here({ env }))).toBe('');
    server.faults.set('/providers/v1/acme/plain/versions', failing(500));
    expect(await detail()).toContain(
      'the request failed after 2 attempts, please try again later: 500 Internal Server Error returned from',
    );
  });

  it.each([
    [
      '/.well-known/terraform.json',
      500,
      'failed to request discovery document: 500 Internal Server Error',
    ],
    ['/.well-known/terraform.json', 404, 'does not offer a Terraform provider registry'],
    ['/providers/v1/acme/plain/versions', 409, '409 Conflict'],
    [
      `/providers/v1/acme/plain/1.0.0/download/${PLATFORM.replace('_', '/')}`,
      404,
      'does not have a package available for your current platform',
    ],
    [
      '/files/acme/plain/1.0.0_SHA256SUMS',
      404,
      'failed to retrieve authentication checksums for provider: 404 Not Found returned from',
    ],
    [
      '/files/acme/plain/1.0.0_SHA256SUMS.sig',
      403,
      'failed to retrieve cryptographic signature for provider: 403 Forbidden returned from',
    ],
    [`/files/acme/plain/${archiveName('plain', '1.0.0', PLATFORM)}`, 404, 'bad response code: 404'],
  ])('may answer %s with %i', async (path, code, text) => {
    server.faults.set(path, failing(code));
    expect(await detail()).toContain(text);
  });

  it.each([
    ['text/html', '{}', 'unsupported Content-Type "text/html"'],
    ['application/json', '{"modules.v1": "/"}', 'does not offer a Terraform provider registry'],
    [
      'application/json',
      '{"providers.v9": "/"}',
      'not offer a Terraform provider registry that is compatible',
    ],
    ['application/json', '{"providers.v1": "ftp://x/"}', 'unsupported scheme ftp'],
  ])('may offer something else: %s %s', async (type, body, text) => {
    server.faults.set('/.well-known/terraform.json', (_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    });
    expect(await detail()).toContain(text);
  });

  it('may have warnings', async () => {
    server.warnings.set('acme/plain', ['This provider moved.']);
    expect(await detail()).toContain('- This provider moved.');
    server.warnings.clear();
  });

  it('may have only versions that are too new or too old', async () => {
    await server.publish('acme/plain', [
      { ...both('1.0.0'), protocols: ['4.0'] },
      { ...both('2.0.0'), protocols: ['7.0'] },
    ]);
    expect(await detail()).toContain('No compatible versions of provider');
    await server.publish('acme/plain', [both('1.0.0'), { ...both('2.0.0'), protocols: ['7.0'] }]);
    expect(await detail()).toContain('You need to downgrade to v1.0.0 or earlier.');
    await server.publish('acme/plain', [{ ...both('1.0.0'), protocols: ['4.0'] }, both('2.0.0')]);
    expect(await detail(here({}, '1.0.0'))).toContain(
      'Provider version 2.0.0 is the latest compatible version.',
    );
  });

  it('may send elsewhere, and credentials stay', async () => {
    const elsewhere = await RegistryServer.start(server);
    try {
      const name = archiveName('plain', '1.0.0', PLATFORM);
      const path = `/files/acme/plain/${name}`;
      elsewhere.put(path, server.file(path));
      server.faults.set(path, (_request, response) => {
        response.writeHead(302, { location: `https://localhost:${elsewhere.port}${path}` }).end();
        return true;
      });
      const directory = join(base, 'own');
      await mkdir(directory);
      const result = await installWithTerrane(
        server,
        directory,
        here({ tokens: { [server.host]: 'secret' } }),
      );
      expect(result.problems).toEqual([]);
      expect(elsewhere.asked.length).toBeGreaterThan(0);
      for (const { headers } of elsewhere.asked) expect(headers.authorization).toBeUndefined();
      expect(server.asked.some(({ headers }) => headers.authorization === 'Bearer secret')).toBe(
        true,
      );
      expect(JSON.stringify(result)).not.toContain('secret');
    } finally {
      await elsewhere.close();
    }
  });
});

describe('downloads', () => {
  const PATH = `/files/acme/large/${archiveName('large', '1.0.0', PLATFORM)}`;
  let archive: Uint8Array;
  beforeEach(async () => {
    const bytes = Uint8Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 251);
    archive = zipSync({ 'terraform-provider-large': [bytes, { level: 0 }] });
    await server.publish('acme/large', [
      { ...both('1.0.0'), platforms: [PLATFORM], archives: { [PLATFORM]: archive } },
    ]);
  });
  const installAlone = async (
    env: Readonly<Record<string, string>> = {},
    more: Partial<InstallOptions> = {},
  ): Promise<Result> => {
    const directory = join(base, 'own');
    await mkdir(directory, { recursive: true });
    return await installWithTerrane(
      server,
      directory,
      { required: { [at('acme/large')]: '' }, env },
      more,
    );
  };

  it('continue after an interruption', async () => {
    server.faults.set(PATH, breakingOff(archive, 150_000, 2));
    const seen: number[] = [];
    const { problems } = await installAlone(
      {},
      {
        events: (event) => {
          if (event.kind === 'progress') seen.push(event.received);
        },
      },
    );
    expect(problems).toEqual([]);
    const ranges = server.asked
      .filter(({ path }) => path === PATH)
      .map(({ headers }) => headers.range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.length).toBe(3);
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(archive.length);
  });

  it('are requested with the login of the netrc file', async () => {
    const [step] = [{ required: { [at('acme/large')]: '' } }];
    await install([step], async (_step, directory) => {
      await writeFile(
        join(directory, '.netrc'),
        `machine ${server.host} login me password secret\n`,
      );
    });
    const asked = server.asked.filter(({ path, method }) => path === PATH && method === 'GET');
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(asked.map(() => basic));
  });

  it('restart if the file has changed', async () => {
    const first = breakingOff(archive, 100_000, 1);
    server.faults.set(PATH, (request, response) => {
      if (first(request, response)) return true;
      response.writeHead(200, { 'content-length': archive.length, etag: '"another"' });
      response.end(archive);
      return true;
    });
    expect((await installAlone()).problems).toEqual([]);
  });

  it('that are never complete leave no files', async () => {
    server.faults.set(PATH, breakingOff(archive, 1000, 99));
    const { problems, lock } = await installAlone({ TF_PROVIDER_DOWNLOAD_RETRY: '1' });
    expect(problems[0]?.detail).toBe(
      `Error while installing ${at('acme/large')} v1.0.0: ${server.host}: unexpected EOF`,
    );
    expect(lock).toBeUndefined();
    expect(server.count('large_1.0.0')).toBe(2);
    expect(await readdir(join(base, 'own/.terraform/providers'))).toEqual([]);
  });

  it('are aborted with the run', async () => {
    server.faults.set(PATH, (_request, response) => {
      response.writeHead(200, { 'content-length': archive.length });
      response.write(archive.subarray(0, 1000));
      return true;
    });
    const abort = new AbortController();
    const { problems } = await installAlone(
      {},
      {
        signal: abort.signal,
        events: (event) => {
          if (event.kind === 'progress') abort.abort(new Error('stop'));
        },
      },
    );
    expect(problems[0]?.summary).toBe('Provider installation was canceled by an interrupt signal.');
    expect(await readdir(join(base, 'own/.terraform/providers'))).toEqual([]);
  });
});
