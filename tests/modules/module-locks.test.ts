// Locks of modules: recorded by init, verified before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readFile, rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { zipSync } from 'fflate';
import { modulePackageHash } from '@terrane/registry';
import { nodeHost } from '@terrane/host';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectDocumented } from '../documented.ts';
import { Place, type Outcome, type Scenario } from './both-programs.ts';
import { ModuleServer, pointingTo } from './module-server.ts';

const LOCK = '.terraform.modules.lock.hcl';
const init = ['init', '-no-color'] as const;
const readonly = [...init, '-lockfile=readonly'] as const;
const upgrade = [...init, '-upgrade'] as const;

let place: Place;
let server: ModuleServer;
let env: Record<string, string>;

const zip = (text: string): Uint8Array =>
  zipSync({
    'main.tf': Buffer.from(`output "v" {\n  value = "${text}"\n}\n`),
    'sub/main.tf': Buffer.from(''),
  });
const ONE = zip('one');
const TWO = zip('two');

beforeAll(async () => {
  place = await Place.make();
  server = await ModuleServer.start();
  await place.write({
    'ca.pem': server.certificate,
    rc: `host "example.com" {\n  services = {\n    "modules.v1" = "${server.url}/v1/"\n  }\n}\n`,
  });
  env = {
    SSL_CERT_FILE: place.path('ca.pem'),
    TF_CLI_CONFIG_FILE: place.path('rc'),
    TF_REGISTRY_DISCOVERY_RETRY: '0',
  };
});
afterAll(async () => {
  await server.close();
  await place.remove();
});
afterEach(() => {
  server.answers.clear();
  server.asked.length = 0;
});

const calling = (source: string, version?: string, name = 'm'): Scenario['files'] => ({
  'main.tf': `module "${name}" {\n  source = "${source}"\n${version === undefined ? '' : `  version = "${version}"\n`}}\n`,
});
const play = async (scenario: Scenario): Promise<Outcome> =>
  await place.ownName({ ...scenario, env: { ...env, ...scenario.env } });
const lockFile = async (name = LOCK): Promise<string> =>
  await readFile(place.path(`project/${name}`), 'utf8');
const forget = async (): Promise<void> =>
  await rm(place.path('project/.terraform'), { recursive: true, force: true });
const flat = (text: string | undefined): string => (text ?? '').replaceAll(/[\s│╷╵]+/g, ' ');
const hash = async (): Promise<string> =>
  await modulePackageHash(nodeHost().files, place.path('project/.terraform/modules/m'));

const sha = (bytes: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const serveZip = (bytes: Uint8Array): void => {
  server.answers.set('/p.zip', { body: bytes });
};
const commit = async (program: 'git' | 'hg', text: string): Promise<void> => {
  await place.write({ [`${program}/main.tf`]: `output "v" {\n  value = "${text}"\n}\n` });
  await place.shell(
    program,
    program === 'git'
      ? '[ -d .git ] || git init -q -b main .; git add -A && git commit -qm change'
      : '[ -d .hg ] || hg init .; hg addremove -q && hg commit -q -m change -u a',
  );
};
const serveGcs = (bytes: Uint8Array): void => {
  server.answers.set('/storage/v1/b/bucket/o', { body: '{"items":[]}' });
  server.answers.set('/storage/v1/b/bucket/o/p.zip', { body: bytes });
};
const serveOci = (bytes: Uint8Array): void => {
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const layer = { mediaType: 'archive/zip', digest: sha(bytes), size: bytes.length };
  const artifactType = 'application/vnd.opentofu.modulepkg';
  const body = JSON.stringify({ schemaVersion: 2, mediaType: type, artifactType, layers: [layer] });
  const headers = { 'content-type': type, 'docker-content-digest': sha(body) };
  for (const name of ['latest', sha(body)]) {
    server.answers.set(`/v2/a/mod/manifests/${name}`, { headers, body });
  }
  server.answers.set(`/v2/a/mod/blobs/${layer.digest}`, { body: bytes });
};
const publish = (bytes: Uint8Array, versions = ['1.0.0']): void => {
  serveZip(bytes);
  server.publish('ns/net/sys', versions, () => pointingTo(`${server.url}/p.zip`));
};

interface Kind {
  readonly name: string;
  readonly source: () => string;
  readonly version?: string;
  readonly serve: (isChanged: boolean) => Promise<void> | void;
  readonly env?: () => Record<string, string>;
}

const hasMercurial = spawnSync('hg', ['--version']).status === 0;
it.runIf(process.env['CI'] === 'true')(
  'Mercurial is there where everything is to be tested',
  () => {
    expect(hasMercurial).toBe(true);
  },
);

const kinds: readonly Kind[] = [
  {
    name: 'a Git repository',
    source: () => `git::file://${place.path('git')}`,
    serve: async (isChanged) => await commit('git', isChanged ? 'two' : 'one'),
  },
  ...(hasMercurial
    ? [
        {
          name: 'a Mercurial repository',
          source: () => `hg::file://${place.path('hg')}`,
          serve: async (isChanged: boolean) => await commit('hg', isChanged ? 'two' : 'one'),
        },
      ]
    : []),
  {
    name: 'an archive on a server',
    source: () => `${server.url}/p.zip`,
    serve: (isChanged) => serveZip(isChanged ? TWO : ONE),
  },
  {
    name: 'a directory in an archive',
    source: () => `${server.url}/p.zip//sub`,
    serve: (isChanged) => serveZip(isChanged ? TWO : ONE),
  },
  {
    name: 'a registry',
    source: () => 'example.com/ns/net/sys',
    version: '~> 1.0',
    serve: (isChanged) => publish(isChanged ? TWO : ONE),
  },
  {
    name: 'a bucket of Google',
    source: () => 'gcs::https://www.googleapis.com/storage/v1/bucket/p.zip',
    serve: (isChanged) => serveGcs(isChanged ? TWO : ONE),
    env: () => ({ STORAGE_EMULATOR_HOST: server.url }),
  },
  {
    name: 'an OCI registry',
    source: () => `oci://${new URL(server.url).host}/a/mod`,
    serve: (isChanged) => serveOci(isChanged ? TWO : ONE),
  },
];

describe.each(kinds)('a module from $name', ({ source, version, serve, env: own }) => {
  it('is locked, rejected when it changes, and updated by -upgrade', async () => {
    await serve(false);
    let locked = '';
    let hashed = '';
    const { runs } = await play({
      files: calling(source(), version),
      env: own?.() ?? {},
      steps: [init, readonly, readonly, upgrade, readonly],
      async before(step) {
        if (step === 1) {
          [locked, hashed] = [await lockFile(), await hash()];
          await forget();
        }
        if (step === 2) {
          await serve(true);
          await forget();
        }
        if (step === 3) {
          // Nothing of the module is there, not even for a moment in its own directory.
          expect(existsSync(place.path('project/.terraform/modules/m'))).toBe(false);
          expect(await lockFile()).toBe(locked);
        }
      },
    });
    expect(
      runs.map(({ code }) => code),
      runs.map(({ output }) => output).join('\n'),
    ).toEqual([0, 0, 1, 0, 0]);
    expect(locked).toContain(`"${hashed}"`);
    expect(runs[0]?.output).toContain(
      `- Recorded the hashes of 1 module in ${LOCK}; include this file in version control\n`,
    );
    expect(runs[1]?.output).not.toContain('hashes of');
    const failure = flat(runs[2]?.output);
    expect(failure).toContain(
      'Error: Module package does not match the lock file on main.tf line 1: 1: module "m" {',
    );
    expect(failure).toContain(`but ${LOCK} records ${hashed}.`);
    expect(failure.match(/Error:/g)).toHaveLength(1);
    expect(await lockFile()).toContain(`"${await hash()}"`);
    expect(await hash()).not.toBe(hashed);
    expect(runs[3]?.output).toContain(`- Updated the hashes of 1 module in ${LOCK}`);
  });
});

it('docs/modules.md shows the output of get', async () => {
  const get = ['get', '-no-color'];
  const serve = (bytes: Uint8Array): void => {
    serveZip(bytes);
    server.publish('example/network/aws', ['1.2.0'], () => pointingTo(`${server.url}/p.zip`));
  };
  serve(ONE);
  const { runs } = await play({
    files: calling('example.com/example/network/aws', '~> 1.0', 'network'),
    steps: [get, get],
    async before(step) {
      if (step !== 1) return;
      serve(TWO);
      await forget();
    },
  });
  await expectDocumented(
    'modules.md',
    runs.map(
      ({ output }) => `$ terrane get\n${output.trim().replaceAll('terraform ', 'terrane ')}\n`,
    ),
  );
  const page = await readFile(resolve(import.meta.dirname, '../../docs/modules.md'), 'utf8');
  // The block of the lock file.
  expect(page).toContain((await lockFile()).split('\n').slice(3).join('\n'));
});

describe('locks of modules', () => {
  it('look like those of providers', async () => {
    publish(ONE, ['1.0.0', '1.1.0']);
    await play({ files: calling('example.com/ns/net/sys//sub', '~> 1.0'), steps: [init] });
    expect(await lockFile()).toBe(`# This file is maintained automatically by "terrane init".
# Manual edits may be lost in future updates.

module "m" {
  source  = "example.com/ns/net/sys//sub"
  version = "1.1.0"
  hashes = [
    "${await hash()}",
  ]
}
`);
  });

  it('have the commits of Git repositories, and messages name them', async () => {
    await commit('git', 'a');
    const before = await place.shell('git', 'git rev-parse HEAD');
    let after = '';
    const { runs } = await play({
      files: calling(`git::file://${place.path('git')}`),
      steps: [init, init],
      async before(step) {
        if (step !== 1) return;
        expect(await lockFile()).toContain(`  commit = "${before}"\n`);
        await commit('git', 'b');
        after = await place.shell('git', 'git rev-parse HEAD');
        await forget();
      },
    });
    expect(flat(runs[1]?.output)).toContain(
      `The locked commit is ${before}, the fetched commit ${after}.`,
    );
  });

  it('keep the selected version, without asking for newer ones, until an upgrade', async () => {
    publish(ONE);
    const { runs } = await play({
      files: calling('example.com/ns/net/sys', '~> 1.0'),
      steps: [init, init, upgrade],
      changes: { 1: { '.terraform': undefined } },
      before(step) {
        if (step !== 1) return;
        publish(ONE, ['1.0.0', '1.2.0']);
        server.asked.length = 0;
      },
    });
    expect(runs[1]?.output).toContain('Downloading example.com/ns/net/sys 1.0.0 for m...');
    expect(runs[2]?.output).toContain('Downloading example.com/ns/net/sys 1.2.0 for m...');
    expect(await lockFile()).toContain('version = "1.2.0"');
  });

  it('warn about a published version that changed, even with -upgrade', async () => {
    publish(ONE);
    const { runs } = await play({
      files: calling('example.com/ns/net/sys'),
      steps: [init, upgrade],
      before(step) {
        if (step === 1) publish(TWO);
      },
    });
    expect(runs[1]?.code).toBe(0);
    expect(flat(runs[1]?.output)).toContain('Warning: Published module version changed');
  });

  it('follow changed sources and constraints, unless they are read-only', async () => {
    publish(ONE, ['1.0.0', '2.0.0']);
    const { runs } = await play({
      files: calling('example.com/ns/net/sys', '~> 1.0'),
      steps: [init, readonly, init, readonly, init],
      changes: {
        1: calling('example.com/ns/net/sys', '~> 2.0'),
        3: calling(`${server.url}/p.zip`),
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 1, 0, 1, 0]);
    expect(flat(runs[1]?.output)).toContain(
      `Error: Module not in the lock file on main.tf line 1: 1: module "m" { Module "m" (main.tf:1) from "example.com/ns/net/sys" does not match ${LOCK}, which records "example.com/ns/net/sys" version 1.0.0.`,
    );
    expect(await lockFile()).toContain(`  source = "${server.url}/p.zip"\n`);
  });

  it('reject unknown modules if they are read-only, before these are fetched', async () => {
    publish(ONE);
    const { runs } = await play({
      files: calling('example.com/ns/net/sys'),
      steps: [init, readonly, readonly, init],
      changes: {
        1: { 'more.tf': `module "other" {\n  source = "${server.url}/p.zip"\n}\n` },
        // Installed already, but not recorded.
        2: { [LOCK]: '' },
      },
      before(step) {
        if (step === 1) server.asked.length = 0;
        if (step === 2) expect(server.asked).toEqual([]);
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 1, 1, 0]);
    expect(flat(runs[1]?.output)).toContain(
      `from "${server.url}/p.zip" is not recorded in ${LOCK}.`,
    );
    expect(flat(runs[2]?.output).match(/Error: Module not in the lock file/g)).not.toBeNull();
  });

  it('are required by a read-only lock file, also before there is one', async () => {
    publish(ONE);
    const { runs } = await play({ files: calling('example.com/ns/net/sys'), steps: [readonly] });
    expect(runs[0]?.code).toBe(1);
    expect(flat(runs[0]?.output)).toContain(`is not recorded in ${LOCK}.`);
    expect(existsSync(place.path('project/.terraform/modules/m'))).toBe(false);
    expect(existsSync(place.path(`project/${LOCK}`))).toBe(false);
  });

  it('replace an installed module that differs, such as after another user changed the locks', async () => {
    publish(ONE);
    const { runs } = await play({
      files: calling('example.com/ns/net/sys'),
      steps: [init, init, init],
      changes: { 1: { '.terraform/modules/m/main.tf': '# edited\n' } },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs[1]?.output).toContain('Downloading');
    expect(runs[2]?.output).not.toContain('Downloading');
    expect(await lockFile()).toContain(await hash());
  });

  it('lock modules that were installed before, and drop those that are no longer called', async () => {
    publish(ONE);
    const { runs } = await play({
      files: calling('example.com/ns/net/sys'),
      steps: [init, init, init],
      changes: {
        1: { [LOCK]: undefined },
        2: { 'main.tf': 'module "here" {\n  source = "./here"\n}\n', 'here/main.tf': '' },
      },
      async before(step) {
        if (step === 2) expect(await lockFile()).toContain(await hash());
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs[1]?.output).not.toContain('Downloading');
    expect(await lockFile()).not.toContain('module');
  });

  it('cover modules that modules call', async () => {
    const outer = zipSync({
      'main.tf': Buffer.from(`module "inner" {\n  source = "${server.url}/p.zip"\n}\n`),
    });
    serveZip(ONE);
    server.answers.set('/outer.zip', { body: outer });
    const { runs } = await play({
      files: calling(`${server.url}/outer.zip`),
      steps: [init, init],
      async before(step) {
        if (step !== 1) return;
        expect(await lockFile()).toContain('module "m.inner" {');
        serveZip(TWO);
        await forget();
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 1]);
    expect(flat(runs[1]?.output)).toContain('The package of module "inner"');
  });

  it('do not contain local modules and linked directories', async () => {
    await place.write({ 'linked/main.tf': '' });
    const { runs } = await play({
      files: {
        'main.tf': `module "a" {\n  source = "./a"\n}\nmodule "b" {\n  source = "${place.path('linked')}"\n}\n`,
        'a/main.tf': '',
      },
      steps: [init, readonly],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(runs[1]?.output).not.toContain('Warning');
    expect(existsSync(place.path(`project/${LOCK}`))).toBe(false);
  });

  it('do not contain secrets', async () => {
    serveZip(ONE);
    const { host } = new URL(server.url);
    const { runs } = await play({
      files: calling(`https://user:s3cr3t@${host}/p.zip?aws_access_token=t0k3n`),
      steps: [init, init, readonly],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await lockFile()).not.toMatch(/s3cr3t|t0k3n/);
  });

  it('are verified by get, too', async () => {
    publish(ONE);
    const get = ['get', '-no-color'];
    const { runs } = await play({
      files: calling('example.com/ns/net/sys'),
      steps: [get, get, [...get, '-update']],
      async before(step) {
        if (step !== 1) return;
        publish(TWO);
        await forget();
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 1, 0]);
  });

  it('are in the lock file of providers if the CLI configuration enables it, or if it has module locks', async () => {
    publish(ONE);
    const shared = { TERRANE_MODULE_LOCKS: 'shared' };
    const files = calling('example.com/ns/net/sys');
    await play({ files, env: shared, steps: [init] });
    const text = await lockFile('.terraform.lock.hcl');
    expect(text).toContain('module "m" {\n  source  = "example.com/ns/net/sys"\n');
    expect(existsSync(place.path(`project/${LOCK}`))).toBe(false);
    const { runs } = await play({
      files: { ...files, '.terraform.lock.hcl': text },
      steps: [init, upgrade, readonly],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await lockFile('.terraform.lock.hcl')).toBe(text);
    // The setting moves them.
    await play({
      files: { ...files, '.terraform.lock.hcl': text },
      env: { TERRANE_MODULE_LOCKS: 'separate' },
      steps: [init],
    });
    expect(await lockFile('.terraform.lock.hcl')).not.toContain('module');
    expect(await lockFile()).toContain('module "m"');
  });

  it('can be turned off', async () => {
    publish(ONE);
    const { runs } = await play({
      files: { ...calling('example.com/ns/net/sys'), [LOCK]: 'module "m" {}\n' },
      env: { TERRANE_MODULE_LOCKS: 'off' },
      steps: [init],
    });
    expect(runs[0]?.code).toBe(0);
    expect(await lockFile()).toBe('module "m" {}\n');
  });

  it('are an error if they are malformed, and the settings too', async () => {
    publish(ONE);
    const { runs } = await play({
      files: { ...calling('example.com/ns/net/sys'), [LOCK]: 'module "m" {}\n' },
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
    expect(flat(runs[0]?.output)).toContain(`Error: Missing required argument on ${LOCK} line 1`);
    const wrong = await play({
      files: calling('example.com/ns/net/sys'),
      env: { TERRANE_MODULE_LOCKS: 'yes' },
      steps: [init],
    });
    expect(flat(wrong.runs[0]?.output)).toContain('The module_locks setting "yes" is invalid.');
  });

  it('are not created under the name of another program, but followed if they exist', async () => {
    publish(ONE);
    const files = calling('example.com/ns/net/sys');
    const played = await place.terrane({ env, files, steps: [init] });
    expect(played.runs[0]?.code).toBe(0);
    expect(existsSync(place.path(`project/${LOCK}`))).toBe(false);
    await play({ files, steps: [init] });
    const locked = await lockFile();
    publish(TWO);
    const { runs } = await place.terrane({
      env,
      files: { ...files, [LOCK]: locked },
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
  });
});
