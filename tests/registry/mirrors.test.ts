// Mirrors, shared caches and the registry that stands in; with the real terraform where it is on PATH.
import {
  type InstallOptions,
  lockProviders,
  mirrorProviders,
  ServiceDirectory,
} from '@terrane/registry';
import { build } from 'esbuild';
import { zipSync } from 'fflate';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  address,
  discard,
  hostIn,
  installWithTerraform,
  installWithTerrane,
  type Result,
  run,
  scratch,
  type Wanted,
} from './install.ts';
import {
  archiveName,
  archiveOf,
  failing,
  json,
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
const at = (name: string): string => `${server.host}/${name}`;

async function project(name: string): Promise<string> {
  const directory = join(base, name, 'project');
  await mkdir(directory, { recursive: true });
  return directory;
}

/** The same steps with both programs, each with a cache and projects of its own. */
async function install(
  steps: readonly Wanted[],
  change?: (step: number, directory: string, cache: string) => Promise<void>,
): Promise<readonly Result[]> {
  const results: Result[][] = [];
  const programs = [installWithTerrane, ...(terraform ? [installWithTerraform] : [])];
  for (const [i, program] of programs.entries()) {
    const directory = await project(`${i}`);
    const programResults: Result[] = [];
    for (const [step, wanted] of steps.entries()) {
      const cache = join(base, `${i}`, 'cache');
      await mkdir(cache, { recursive: true });
      await change?.(step, directory, cache);
      programResults.push(
        await program(server, directory, {
          ...wanted,
          ...(wanted.cache !== undefined && { cache }),
        }),
      );
    }
    results.push(programResults);
  }
  const [ours = [], theirs] = results;
  if (theirs !== undefined) {
    const neutral = (all: readonly Result[], i: number): unknown =>
      JSON.parse(JSON.stringify(all).replaceAll(join(base, `${i}`), 'BASE'));
    expect(neutral(ours, 0)).toEqual(neutral(theirs, 1));
  }
  return ours;
}

/** A mirror with the packages of a provider, packed and unpacked. */
async function mirrorDirectory(): Promise<string> {
  const mirror = join(base, 'mirror');
  const packed = join(mirror, 'example.com/acme/packed');
  await mkdir(packed, { recursive: true });
  for (const version of ['1.0.0', '1.1.0']) {
    await writeFile(
      join(packed, archiveName('packed', version, PLATFORM)),
      archiveOf('packed', version, PLATFORM),
    );
  }
  await writeFile(
    join(packed, archiveName('packed', '2.0.0', 'plan9_mips')),
    archiveOf('packed', '2.0.0', 'plan9_mips'),
  );
  await writeFile(join(packed, 'README'), 'no package');
  const unpacked = join(mirror, 'example.com/acme/unpacked/3.0.0', PLATFORM);
  await mkdir(unpacked, { recursive: true });
  await writeFile(join(unpacked, 'terraform-provider-unpacked_v3.0.0'), '#!/bin/sh\n', {
    mode: 0o755,
  });
  return mirror;
}

describe('filesystem mirrors', () => {
  it('have packed and unpacked packages', async () => {
    const path = await mirrorDirectory();
    const required = { 'example.com/acme/packed': '~> 1.0', 'example.com/acme/unpacked': '' };
    const methods = [{ kind: 'filesystem_mirror' as const, path }];
    const [first, second] = await install([
      { required, methods },
      { required, methods },
    ]);
    expect(first?.messages).toContain(
      'Installed provider version: example.com/acme/packed v1.1.0 (unauthenticated)',
    );
    expect(second?.messages.join()).toContain('previously-installed');
    const link = join(
      base,
      '0/project/.terraform/providers/example.com/acme/unpacked/3.0.0',
      PLATFORM,
    );
    expect(await readlink(link)).toBe(join(path, 'example.com/acme/unpacked/3.0.0', PLATFORM));
  });

  it('are exclusive with -plugin-dir, and if nothing else is configured', async () => {
    const path = await mirrorDirectory();
    const required = { 'example.com/acme/packed': '', [at('acme/elsewhere')]: '' };
    const [named] = await install([{ required, pluginDirectories: [path] }]);
    expect(named?.problems.map(({ detail }) => detail).join()).toContain(
      'was not found in any of the search locations',
    );
    await discard(join(base, '0'));
    await discard(join(base, '1'));
    // Version 2.0.0 is there, for another platform only.
    expect(named?.problems.map(({ detail }) => detail).join()).toContain(
      'does not have a package available for your current platform',
    );
  });

  it('may be missing', async () => {
    const methods = [{ kind: 'filesystem_mirror' as const, path: join(base, 'nowhere') }];
    const [result] = await install([{ required: { 'example.com/acme/packed': '' }, methods }]);
    expect(result?.problems[0]?.detail).toContain('no such file or directory');
  });

  it('serve the providers that their patterns name', async () => {
    await server.publish('acme/plain', [both('1.0.0')]);
    const path = await mirrorDirectory();
    const methods = [
      {
        kind: 'filesystem_mirror' as const,
        path,
        include: [{ hostname: 'example.com', namespace: '*', type: '*' }],
      },
      {
        kind: 'direct' as const,
        exclude: [{ hostname: 'example.com', namespace: 'acme', type: 'unpacked' }],
      },
    ];
    const [result] = await install([
      { required: { 'example.com/acme/unpacked': '', [at('acme/plain')]: '' }, methods },
    ]);
    expect(result?.problems).toEqual([]);
    for (const i of [0, 1]) await discard(join(base, `${i}`));
    const [none] = await install([{ required: { 'example.com/acme/unpacked': '4.0.0' }, methods }]);
    expect(none?.problems[0]?.detail).toContain(
      'no available releases match the given constraints 4.0.0',
    );
  });

  it('are searched in the default directories', async () => {
    const path = await mirrorDirectory();
    const required = { 'example.com/acme/packed': '' };
    const [result] = await install(
      [{ required: { ...required, 'example.com/acme/packed': '1.0.0' } }],
      async (_step, directory) => {
        await cp(path, join(directory, 'terraform.d/plugins'), { recursive: true });
      },
    );
    expect(result?.messages.join()).toContain(
      'Installed provider version: example.com/acme/packed v1.0.0',
    );
  });

  it('must have the packages in the lock file', async () => {
    const path = await mirrorDirectory();
    const required = { 'example.com/acme/unpacked': '', 'example.com/acme/packed': '1.0.0' };
    const methods = [{ kind: 'filesystem_mirror' as const, path }];
    const results = await install(
      [
        { required, methods },
        { required, methods },
      ],
      async (step, directory) => {
        if (step === 0) return;
        await discard(join(directory, '.terraform'));
        const file = join(directory, '.terraform.lock.hcl');
        await writeFile(
          file,
          (await readFile(file, 'utf8')).replaceAll(/"h1:.{10}/g, '"h1:0000000000'),
        );
      },
    );
    const details = results[1]?.problems.map(({ detail }) => detail).join();
    expect(details).toContain(
      "the local package for example.com/acme/unpacked 3.0.0 doesn't match",
    );
    expect(details).toContain(
      "the current package for example.com/acme/packed 1.0.0 doesn't match",
    );
  });
});

describe('network mirrors', () => {
  const put = (hashes: readonly string[]): void => {
    const bytes = archiveOf('net', '1.0.0', PLATFORM);
    const archive = { url: 'net.zip', ...(hashes.length > 0 && { hashes }) };
    server.put(
      '/mirror/example.com/acme/net/index.json',
      JSON.stringify({ versions: { '1.0.0': {}, bad: {} } }),
    );
    server.put(
      '/mirror/example.com/acme/net/1.0.0.json',
      JSON.stringify({ archives: { [PLATFORM]: archive } }),
    );
    server.put('/mirror/example.com/acme/net/net.zip', bytes);
  };
  const wanted = (extra: Partial<Wanted> = {}): Wanted => ({
    required: { 'example.com/acme/net': '' },
    methods: [{ kind: 'network_mirror', url: `https://${server.host}/mirror/` }],
    ...extra,
  });

  it('may name checksums', async () => {
    put([]);
    const [without] = await install([wanted()]);
    expect(without?.messages.join()).toContain('(unauthenticated)');
    const hash = /"(h1:[^"]+)"/.exec(without?.lock ?? '')?.[1] ?? '';
    put([hash, 'x9:other']);
    for (const i of [0, 1]) await discard(join(base, `${i}`));
    const [right] = await install([wanted()]);
    expect(right?.messages.join()).toContain('(verified checksum)');
    for (const i of [0, 1]) await discard(join(base, `${i}`));
    put(['zh:0000']);
    const [wrong] = await install([wanted()]);
    expect(wrong?.problems[0]?.detail).toContain(
      'provider package doesn\'t match the expected checksum "zh:0000"',
    );
    put(['x9:other']);
    const [unknown] = await install([wanted()]);
    expect(unknown?.problems[0]?.detail).toContain('does not support any of the checksum formats');
  });

  it.each([
    ['/mirror/example.com/acme/net/index.json', 404],
    ['/mirror/example.com/acme/net/index.json', 401],
    ['/mirror/example.com/acme/net/index.json', 409],
    ['/mirror/example.com/acme/net/index.json', 502],
    ['/mirror/example.com/acme/net/1.0.0.json', 404],
    ['/mirror/example.com/acme/net/net.zip', 404],
  ])('may answer %s with %i', async (path, code) => {
    put([]);
    server.faults.set(path, failing(code));
    const [result] = await install([wanted()]);
    expect(result?.problems.length).toBe(1);
  });

  it('may speak of something else', async () => {
    put([]);
    server.faults.set('/mirror/example.com/acme/net/index.json', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('{}');
      return true;
    });
    await install([wanted()]);
    server.faults.set('/mirror/example.com/acme/net/index.json', (_request, response) => {
      json(response, { versions: {} });
      return true;
    });
    await install([wanted()]);
    server.faults.clear();
    server.put('/mirror/example.com/acme/net/1.0.0.json', '{"archives": {}}');
    await install([wanted()]);
  });

  it('get the credentials of their host', async () => {
    put([]);
    const [result] = await install([wanted({ tokens: { [server.host]: 'secret' } })]);
    expect(result?.problems).toEqual([]);
    const index = server.asked.filter(({ path }) => path.endsWith('index.json'));
    for (const { headers } of index) expect(headers.authorization).toBe('Bearer secret');
    const archive = server.asked.filter(({ path }) => path.endsWith('.zip'));
    for (const { headers } of archive) expect(headers.authorization).toBeUndefined();
  });

  it('must be at https', async () => {
    const methods = [{ kind: 'network_mirror' as const, url: 'http://localhost/' }];
    const directory = await project('own');
    const { problems } = await installWithTerrane(server, directory, wanted({ methods }));
    expect(problems).toEqual([
      {
        severity: 'error',
        summary: 'Invalid URL for provider installation source',
        detail:
          'Cannot use "http://localhost/" as a URL for a network provider mirror: the mirror must be at an https: URL.',
      },
    ]);
  });
});

describe('the shared cache', () => {
  const wanted = (extra: Partial<Wanted> = {}): Wanted => ({
    required: { [at('acme/shared')]: '' },
    cache: 'cache',
    ...extra,
  });
  beforeEach(() => server.publish('acme/shared', [both('1.0.0')]));

  it('is used if the lock file has its checksums', async () => {
    const results = await install([wanted(), wanted(), wanted()], async (step, directory) => {
      if (step > 0) await discard(join(directory, '.terraform'));
      if (step === 2) await discard(join(directory, '.terraform.lock.hcl'));
    });
    expect(
      results.map(({ messages }) => messages.filter((text) => / v1\.0\.0/.test(text)).length),
    ).toEqual([2, 1, 2]);
    expect(results[1]?.messages.join()).toContain('v1.0.0: Using from the shared cache directory');
    const place = join(
      base,
      '0/project/.terraform/providers',
      server.host,
      'acme/shared/1.0.0',
      PLATFORM,
    );
    expect(await readlink(place)).toBe(
      join(base, '0/cache', server.host, 'acme/shared/1.0.0', PLATFORM),
    );
  });

  it('may be used without a lock file, if that is allowed', async () => {
    const may = wanted({ cacheMayBreakLock: true });
    const results = await install([wanted(), may], async (step, directory) => {
      if (step === 1) await discard(join(directory, '.terraform'));
      if (step === 1) await discard(join(directory, '.terraform.lock.hcl'));
    });
    expect(results[1]?.lock?.match(/zh:/g)).toBeNull();
  });

  it('is not used for packages that were changed there', async () => {
    const results = await install([wanted(), wanted()], async (step, directory, cache) => {
      if (step === 0) return;
      await discard(join(directory, '.terraform'));
      const place = join(cache, server.host, 'acme/shared/1.0.0', PLATFORM);
      await writeFile(join(place, 'terraform-provider-shared_v1.0.0'), 'changed');
    });
    expect(results[1]?.messages.join()).toContain('Installed provider version');
    const program = join(
      base,
      '0/cache',
      server.host,
      'acme/shared/1.0.0',
      PLATFORM,
      'terraform-provider-shared_v1.0.0',
    );
    expect(await readFile(program, 'utf8')).toContain('echo shared 1.0.0');
  });

  it('is intact after ten concurrent installations', async () => {
    const names = ['a', 'b', 'c'];
    const contents = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) % 253);
    for (const name of names) {
      const archive = zipSync({ [`terraform-provider-${name}`]: contents, docs: contents });
      await server.publish(`acme/${name}`, [
        { ...both('1.0.0'), platforms: [PLATFORM], archives: { [PLATFORM]: archive } },
      ]);
    }
    const cache = join(base, 'cache');
    await writeFile(join(base, 'ca.pem'), server.certificate);
    const program = join(base, 'install-in.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'install-in.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      conditions: ['terrane-source'],
      alias: {
        openpgp: join(import.meta.dirname, '../../node_modules/openpgp/dist/node/openpgp.min.cjs'),
      },
      external: ['fs-native-extensions'],
      logLevel: 'silent',
    });
    const required = names.map((name) => at(`acme/${name}`)).join(',');
    const outputs = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const directory = await project(`ten-${i}`);
        return await run(process.execPath, [program, directory, cache, required], base, {
          PATH: process.env['PATH'] ?? '',
          HOME: base,
          SSL_CERT_FILE: join(base, 'ca.pem'),
        });
      }),
    );
    expect(outputs).toEqual(Array.from({ length: 10 }, () => 'ok\n'));
    const locks = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        readFile(join(base, `ten-${i}/project/.terraform.lock.hcl`), 'utf8'),
      ),
    );
    expect(new Set(locks).size).toBe(1);
    expect(await readdir(cache)).toEqual([server.host]);
    for (const name of names) {
      const place = join(cache, server.host, 'acme', name, '1.0.0', PLATFORM);
      expect((await lstat(place)).isDirectory()).toBe(true);
      expect(await readdir(place)).toEqual(['docs', `terraform-provider-${name}`]);
      expect(Buffer.compare(await readFile(join(place, 'docs')), contents)).toBe(0);
      expect(
        Buffer.compare(await readFile(join(place, `terraform-provider-${name}`)), contents),
      ).toBe(0);
    }
  });
});

describe('the default registry', () => {
  const installFromDefault = async (
    wanted: Wanted,
    more: Partial<InstallOptions>,
  ): Promise<Result> =>
    await installWithTerrane(server, await project('own'), wanted, {
      defaultRegistry: server.host,
      ...more,
    });
  const required = (explicitHost: boolean): Partial<InstallOptions> => ({
    required: new Map([[address('acme/standin'), { constraints: [], explicitHost }]]),
  });
  const wanted: Wanted = { required: {} };

  it('is used for addresses without a host, which are unchanged', async () => {
    await server.publish('acme/standin', [both('1.0.0')]);
    const { lock, problems } = await installFromDefault(wanted, required(false));
    expect(problems).toEqual([]);
    expect(lock).toContain('provider "registry.terraform.io/acme/standin"');
  });

  it('is not used for an explicit host', async () => {
    await server.publish('acme/standin', [both('1.0.0')]);
    const overrides = new Map([
      ['registry.terraform.io', { 'providers.v1': `https://${server.host}/providers/v9/` }],
    ]);
    await installFromDefault(wanted, {
      ...required(true),
      services: new ServiceDirectory({ host: hostIn(base, {}), overrides }),
    });
    expect(server.count('/providers/v1/')).toBe(0);
  });

  it('may have rebuilt a version, which is explained', async () => {
    await server.publish('acme/standin', [both('1.0.0')]);
    const hashes = [`zh:${'0'.repeat(64)}`];
    const lock = new Map([
      [address('acme/standin'), { version: '1.0.0', constraints: '', hashes }],
    ]);
    const { problems } = await installFromDefault(wanted, { ...required(false), lock });
    const detail = problems[0]?.detail ?? '';
    expect(detail).toContain(
      "doesn't match any of the checksums previously recorded in the dependency lock file",
    );
    expect(detail).toContain(
      `This package came from ${server.host}, the default registry for addresses without a host`,
    );
    expect(detail).toContain('set TERRANE_DEFAULT_REGISTRY=registry.terraform.io');
  });
});

describe('providers lock and mirror', () => {
  const PLATFORMS = [
    { os: PLATFORM.split('_')[0] ?? '', arch: PLATFORM.split('_')[1] ?? '' },
    { os: 'plan9', arch: 'mips' },
  ];
  beforeEach(() => server.publish('acme/several', ['1.0.0', '1.1.0'].map(both)));

  const options = async () => {
    await writeFile(join(base, 'ca.pem'), server.certificate);
    const host = hostIn(base, { SSL_CERT_FILE: join(base, 'ca.pem') });
    return {
      host,
      services: new ServiceDirectory({ host }),
      required: new Map([[address(at('acme/several')), { constraints: ['~> 1.0'] }]]),
      platforms: PLATFORMS,
    };
  };
  const configuration = (): string =>
    `terraform {\n  required_providers {\n    several = {\n      source  = "${at('acme/several')}"\n      version = "~> 1.0"\n    }\n  }\n}\n`;
  const env = (): Readonly<Record<string, string>> => ({
    PATH: process.env['PATH'] ?? '',
    HOME: base,
    CHECKPOINT_DISABLE: '1',
    SSL_CERT_FILE: join(base, 'ca.pem'),
  });

  it('lock collects the checksums of all platforms', async () => {
    const events: string[] = [];
    const { lock, changed, diagnostics } = await lockProviders({
      ...(await options()),
      lock: new Map(),
      events: (event) => events.push(event.kind),
    });
    expect(diagnostics).toEqual([]);
    expect(changed).toBe(true);
    expect(events).toEqual([
      'fetching',
      'retrieved',
      'fetching',
      'retrieved',
      'obtained',
      'obtained',
    ]);
    const again = await lockProviders({ ...(await options()), lock });
    expect(again.changed).toBe(false);
    if (!terraform) return;
    const directory = await project('theirs');
    await writeFile(join(directory, 'main.tf'), configuration());
    await run(
      'terraform',
      ['providers', 'lock', ...PLATFORMS.map(({ os, arch }) => `-platform=${os}_${arch}`)],
      directory,
      env(),
    );
    const { lockFileText } = await import('@terrane/registry');
    expect(lockFileText(lock)).toBe(await readFile(join(directory, '.terraform.lock.hcl'), 'utf8'));
  });

  it('lock reports missing packages', async () => {
    const { diagnostics } = await lockProviders({
      ...(await options()),
      lock: new Map(),
      platforms: [{ os: 'none', arch: 'such' }],
    });
    expect(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual([
      `Could not retrieve providers for locking: Terraform failed to fetch the requested providers for none_such in order to calculate their checksums: some providers could not be installed:\n- ${at('acme/several')}: provider ${at('acme/several')} 1.1.0 is not available for none_such.`,
    ]);
  });

  it('mirror makes a mirror, with its indexes', async () => {
    const target = join(base, 'ours');
    const diagnostics = await mirrorProviders({ ...(await options()), lock: undefined, target });
    expect(diagnostics).toEqual([]);
    const place = join(target, server.host, 'acme/several');
    expect((await readdir(place)).sort()).toEqual(
      [
        '1.1.0.json',
        'index.json',
        ...['plan9_mips', PLATFORM].map((each) => archiveName('several', '1.1.0', each)),
      ].sort(),
    );
    if (!terraform) return;
    const directory = await project('theirs');
    await writeFile(join(directory, 'main.tf'), configuration());
    await run(
      'terraform',
      [
        'providers',
        'mirror',
        ...PLATFORMS.map(({ os, arch }) => `-platform=${os}_${arch}`),
        join(base, 'theirs-mirror'),
      ],
      directory,
      env(),
    );
    for (const name of await readdir(place)) {
      const theirs = join(base, 'theirs-mirror', server.host, 'acme/several', name);
      expect(Buffer.compare(await readFile(join(place, name)), await readFile(theirs))).toBe(0);
    }
    await rm(join(place, archiveName('several', '1.1.0', PLATFORM)));
    const lock = new Map([
      [address(at('acme/several')), { version: '1.0.0', constraints: '', hashes: [] }],
    ]);
    await mirrorProviders({ ...(await options()), lock, target });
    const index: unknown = JSON.parse(await readFile(join(place, 'index.json'), 'utf8'));
    expect(index).toEqual({ versions: { '1.0.0': {}, '1.1.0': {} } });
  });
});
