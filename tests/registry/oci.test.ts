// Mirrors in OCI registries, as OpenTofu 1.12.6 uses them.
import { type InstallOptions, lockProviders, ServiceDirectory } from '@terrane/registry';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProviderSource } from '@terrane/addresses';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { discard, hostIn, installWithTerrane, type Result, scratch } from './install.ts';
import { archiveOf, PLATFORM, RegistryServer, sha256, type Fault } from './registry-server.ts';

let server: RegistryServer;
let base: string;

beforeAll(async () => {
  server = await RegistryServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  base = await scratch();
  server.faults.clear();
  server.asked.length = 0;
});
afterEach(() => discard(base));

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const [OS = '', ARCH = ''] = PLATFORM.split('_');

/** Serves bytes below a repository, to those who have the token. */
function serve(
  path: string,
  type: string,
  bytes: Uint8Array,
  more: Record<string, string> = {},
): void {
  const answer: Fault = (request, response) => {
    if (request.headers.authorization !== 'Bearer pull') {
      response.writeHead(401, {
        'www-authenticate': `Bearer realm="https://${server.host}/token",service="tests",scope="repository:p/acme/thing:pull"`,
      });
      response.end();
      return true;
    }
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, ...more });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return true;
  };
  server.faults.set(`/v2/p/acme/thing/${path}`, answer);
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

interface Changes {
  readonly index?: object;
  readonly manifest?: object;
  readonly descriptor?: object;
  readonly layers?: readonly object[];
  readonly archive?: Uint8Array;
}

/** Puts a version of a provider into the registry. */
function publish(version: string, changes: Changes = {}): void {
  const archive = archiveOf('thing', version, PLATFORM);
  const sent = changes.archive ?? archive;
  serve(`blobs/sha256:${sha256(archive)}`, 'application/octet-stream', sent);
  const layer = {
    mediaType: 'archive/zip',
    digest: `sha256:${sha256(archive)}`,
    size: archive.length,
  };
  const manifest = json({
    schemaVersion: 2,
    mediaType: MANIFEST,
    artifactType: 'application/vnd.opentofu.provider-target',
    config: {
      mediaType: 'application/vnd.oci.empty.v1+json',
      digest: `sha256:${sha256(json({}))}`,
      size: 2,
    },
    layers: changes.layers ?? [layer],
    ...changes.manifest,
  });
  serve(`manifests/sha256:${sha256(manifest)}`, MANIFEST, manifest);
  const index = json({
    schemaVersion: 2,
    mediaType: INDEX,
    artifactType: 'application/vnd.opentofu.provider',
    manifests: [
      {
        mediaType: MANIFEST,
        artifactType: 'application/vnd.opentofu.provider-target',
        digest: `sha256:${sha256(manifest)}`,
        size: manifest.length,
        platform: { os: OS, architecture: ARCH },
        ...changes.descriptor,
      },
    ],
    ...changes.index,
  });
  serve(`manifests/${version.replace('+', '_')}`, INDEX, index, {
    'docker-content-digest': `sha256:${sha256(index)}`,
  });
}

function tags(...names: readonly string[]): void {
  serve('tags/list', 'application/json', json({ name: 'p/acme/thing', tags: names }));
}

async function install(
  repositoryTemplate = `${server.host}/p/\${namespace}/\${type}`,
  more: Partial<InstallOptions> = {},
): Promise<Result> {
  server.faults.set('/token', (request, response) => {
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    const welcome = request.headers.authorization === basic;
    response.writeHead(welcome ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token: 'pull' }));
    return true;
  });
  const directory = join(base, 'project');
  await mkdir(directory, { recursive: true });
  return await installWithTerrane(
    server,
    directory,
    {
      required: { 'example.com/acme/thing': '' },
      methods: [{ kind: 'oci_mirror', repositoryTemplate }],
    },
    {
      ociCredentials: async () => await Promise.resolve({ username: 'me', password: 'secret' }),
      ...more,
    },
  );
}

it('a package is the layer of the manifest for this platform', async () => {
  tags('1.0.0', 'latest', '1.2.0', '1.1.0-beta_build.1');
  publish('1.2.0');
  const { messages, problems, lock } = await install();
  expect(problems).toEqual([]);
  expect(messages).toContain(
    'Installed provider version: example.com/acme/thing v1.2.0 (verified checksum)',
  );
  expect(lock).toContain('version = "1.2.0"');
  expect(JSON.stringify(server.asked.filter(({ path }) => path.includes('/v2/')))).not.toContain(
    'Basic',
  );
});

it('providers lock finds repositories by a URI template', async () => {
  tags('1.0.0');
  publish('1.0.0');
  server.faults.set('/token', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token: 'pull' }));
    return true;
  });
  await writeFile(join(base, 'ca.pem'), server.certificate);
  const host = hostIn(base, { SSL_CERT_FILE: join(base, 'ca.pem') });
  const provider = ProviderSource.parse('example.com/acme/thing');
  if ('error' in provider) throw new Error(provider.error);
  const lockFrom = (ociMirror: string) =>
    lockProviders({
      host,
      services: new ServiceDirectory({ host }),
      required: new Map([[provider, { constraints: [] }]]),
      lock: new Map(),
      platforms: [{ os: OS, arch: ARCH }],
      ociMirror,
    });
  const { lock, diagnostics } = await lockFrom(`${server.host}/p/{namespace}/{type}`);
  expect(diagnostics).toEqual([]);
  expect(lock.get(provider)?.version).toBe('1.0.0');
  expect(lock.get(provider)?.hashes).toContainEqual(expect.stringMatching(/^h1:/));
  const invalid = await lockFrom('{type');
  expect(invalid.diagnostics.map(({ detail }) => detail)).toEqual([
    'The -oci-mirror argument is not a valid URI template: unclosed URI template expression.',
  ]);
});

it('a list of tags may have several pages', async () => {
  publish('2.0.0');
  serve('tags/list', 'application/json', json({ tags: ['1.0.0'] }), {
    link: '</v2/p/acme/thing/tags/more>; rel="next"',
  });
  serve('tags/more', 'application/json', json({ tags: ['2.0.0'] }));
  expect((await install()).lock).toContain('version = "2.0.0"');
});

it.each<[string, Changes, string]>([
  [
    'another artifact',
    { index: { artifactType: 'application/x' } },
    'unexpected artifact type "application/x"',
  ],
  [
    'a module',
    { index: { artifactType: 'application/vnd.opentofu.modulepkg' } },
    'is an OpenTofu module package, not a provider package',
  ],
  [
    'a container image',
    { descriptor: { artifactType: '' } },
    'is this a container image, rather than an OpenTofu provider?',
  ],
  [
    'another platform',
    { descriptor: { platform: { os: 'plan9', architecture: 'mips' } } },
    'does not have a package available for your current platform',
  ],
  [
    'no platform',
    { descriptor: { platform: undefined } },
    'lacks the required platform constraints',
  ],
  ['no layer', { layers: [] }, 'image manifest contains no layers of type "archive/zip"'],
  [
    'layers of other types',
    { layers: [{ mediaType: 'text/plain' }] },
    'but has other unsupported formats',
  ],
  [
    'a digest of another kind',
    { layers: [{ mediaType: 'archive/zip', digest: 'md5:1', size: 1 }] },
    'invalid digest "md5:1"',
  ],
  [
    'too large a manifest',
    { descriptor: { size: 6 * 1024 ** 2 } },
    "manifest size exceeds OpenTofu's size limit of 4 MiB",
  ],
  [
    'another blob',
    { archive: archiveOf('other', '1.2.0', PLATFORM) },
    'Failed to install provider',
  ],
])('a repository with %s is rejected', async (_what, changes, text) => {
  tags('1.2.0');
  publish('1.2.0', changes);
  const { problems, lock } = await install();
  expect(problems.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n')).toContain(text);
  expect(lock).toBeUndefined();
});

it('a manifest that does not match its digest is rejected', async () => {
  tags('1.2.0');
  publish('1.2.0');
  serve('manifests/1.2.0', INDEX, json({}), {
    'docker-content-digest': `sha256:${'0'.repeat(64)}`,
  });
  expect((await install()).problems[0]?.detail).toContain(
    'manifest content does not match digest sha256:000',
  );
});

it('a registry may not know the provider, or reject the credentials', async () => {
  server.faults.set('/v2/p/acme/thing/tags/list', (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"errors":[{"code":"NAME_UNKNOWN"}]}');
    return true;
  });
  expect((await install()).problems[0]?.detail).toContain(
    'was not found in any of the search locations\n\n  - OCI registry provider mirror',
  );
  tags('1.2.0');
  const nobody = await install(undefined, { ociCredentials: undefined });
  expect(nobody.problems[0]?.detail).toContain('401: Unauthorized');
});

it.each([
  ['${nothing}/x', 'selecting OCI repository address: '],
  ['${type}', 'missing registry or repository'],
  ['${hostname}/${type}:tag', 'artifact tag or digest not allowed'],
  ['${hostname}/UPPER', 'invalid repository "UPPER"'],
])('the template %s is rejected', async (template, text) => {
  expect((await install(template)).problems[0]?.detail).toContain(text);
});
