// The packages of a release, installed from a registry on this machine into empty homes.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readIdentity } from '../../scripts/release/identity.ts';
import { packExecutable } from '../../scripts/release/libraries.ts';
import { PLATFORMS } from '../../scripts/release/platforms.ts';
import { freePort } from '../interop/free-port.ts';
import { requireBuiltPackages } from './built-packages.ts';

const root = resolve(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'terrane-install-'));
const release = join(place, 'release');
const here = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
const identity = readIdentity();
let managers: string;
let registry: string;
let server: ChildProcess | undefined;
let work: string;

interface Done {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program asynchronously, with a given environment and nothing else. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Done> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', failed);
    child.on('close', (status) => done({ status, output }));
  });
}

/** The environment of a user who has Node.js and nothing else. */
const environment = (): Record<string, string> => ({
  PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  HOME: work,
  CI: '1',
  CHECKPOINT_DISABLE: '1',
  npm_config_registry: registry,
  npm_config_update_notifier: 'false',
  YARN_NPM_REGISTRY_SERVER: registry,
  YARN_UNSAFE_HTTP_WHITELIST: 'localhost',
  YARN_ENABLE_TELEMETRY: '0',
  // The packages were published a moment ago.
  YARN_NPM_MINIMAL_AGE_GATE: '0',
  YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
});

/** Runs a package manager in the project; throws if it fails. */
async function manage(manager: string, args: readonly string[], cwd = work): Promise<string> {
  const script = {
    npm: 'npm/bin/npm-cli.js',
    npx: 'npm/bin/npx-cli.js',
    pnpm: 'pnpm/bin/pnpm.mjs',
    yarn: '@yarnpkg/cli-dist/bin/yarn.js',
  }[manager];
  const path = join(managers, 'node_modules', script ?? manager);
  const { status, output } = await run(process.execPath, [path, ...args], cwd, environment());
  if (status !== 0) throw new Error(`${manager} ${args.join(' ')} failed: ${output}`);
  return output;
}

async function startRegistry(): Promise<void> {
  const port = await freePort();
  registry = `http://localhost:${port}/`;
  const upstream = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' });
  writeFileSync(
    join(place, 'registry.yaml'),
    `storage: ${join(place, 'storage')}
max_body_size: 500mb
uplinks:
  upstream: { url: ${upstream.stdout.trim()} }
packages:
  'terrane': { access: $all, publish: $all }
  'create-terrane-provider': { access: $all, publish: $all }
  '@terrane/*': { access: $all, publish: $all }
  '**': { access: $all, proxy: upstream }
log: { type: stdout, level: error }
`,
  );
  const program = join(managers, 'node_modules/verdaccio/bin/verdaccio');
  const args = [program, '--config', join(place, 'registry.yaml'), '--listen', `localhost:${port}`];
  server = spawn(process.execPath, args, { stdio: 'ignore', cwd: place });
  const isReady = (): Promise<boolean> =>
    fetch(`${registry}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const end = Date.now() + 240_000; !(await isReady());) {
    if (Date.now() > end) throw new Error('the registry does not start');
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Publishes an archive as npm does. */
async function publish(archive: string): Promise<void> {
  const { host } = new URL(registry);
  const args = [
    'publish',
    archive,
    '--tag',
    'latest',
    '--ignore-scripts',
    `--//${host}/:_authToken=x`,
  ];
  await manage('npm', args, place);
}

beforeAll(async () => {
  if (here === undefined) throw new Error('this platform has no executable');
  requireBuiltPackages();
  managers = spawnSync('bash', [join(root, 'scripts/install-package-managers.sh')], {
    encoding: 'utf8',
  }).stdout.trim();
  const build = spawn(
    process.execPath,
    [
      '--conditions=terrane-source',
      'scripts/release/release.ts',
      '--no-build',
      '--platform',
      here.build,
      '--out',
      release,
    ],
    { cwd: root, stdio: 'ignore' },
  );
  const built = new Promise((done) => build.on('close', done));
  work = place;
  await startRegistry();
  expect(await built).toBe(0);
  for (const platform of PLATFORMS.filter((each) => each !== here)) {
    const { file, contents } = await packExecutable(platform, Buffer.from('stub'), '', identity);
    writeFileSync(join(release, 'npm', file), contents);
  }
  const archives = readdirSync(join(release, 'npm')).map((name) => join(release, 'npm', name));
  const next = async (): Promise<void> => {
    for (let archive = archives.pop(); archive !== undefined; archive = archives.pop())
      await publish(archive);
  };
  await Promise.all([next(), next(), next()]);
}, 900_000);

// Installations are many files.
afterAll(() => {
  server?.kill();
  rmSync(place, { recursive: true, force: true });
});

beforeEach(() => {
  work = mkdtempSync(join(place, 'home-'));
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(work, '.npmrc'), `registry=${registry}\n`);
  writeFileSync(join(work, 'pnpm-workspace.yaml'), 'minimumReleaseAge: 0\n');
});

/** Runs the quickstart by a command of a package manager. */
async function quickstart(terrane: (...args: readonly string[]) => Promise<string>): Promise<void> {
  cpSync(join(root, 'examples/quickstart'), work, {
    recursive: true,
    filter: (source) => !/\.terraform|\.tfstate|[\\/]output$/.test(source),
  });
  await terrane('init', '-input=false');
  await terrane('apply', '-input=false', '-auto-approve');
  expect(await terrane('plan', '-input=false', '-detailed-exitcode')).toContain('No changes');
  await terrane('destroy', '-auto-approve');
}

test.each(['npm', 'pnpm', 'yarn'])(
  '%s installs the program, runs the quickstart and uninstalls',
  { timeout: 300_000 },
  async (manager) => {
    if (manager === 'yarn') writeFileSync(join(work, '.yarnrc.yml'), 'nodeLinker: node-modules\n');
    const began = performance.now();
    await manage(manager, [manager === 'npm' ? 'install' : 'add', 'terrane']);
    const bin = join(work, 'node_modules/.bin/terrane');
    expect(existsSync(bin)).toBe(true);
    const command = {
      npm: ['npx', 'terrane'],
      pnpm: ['pnpm', 'exec', 'terrane'],
      yarn: ['yarn', 'terrane'],
    }[manager] ?? [manager];
    const [program = '', ...first] = command;
    await quickstart((...args) => manage(program, [...first, ...args]));
    console.log(
      `${manager}: ${Math.round(performance.now() - began)} ms, with a second plan and a destroy`,
    );
    await manage(manager, [manager === 'npm' ? 'uninstall' : 'remove', 'terrane']);
    expect(existsSync(bin)).toBe(false);
    expect(existsSync(join(work, 'node_modules/terrane'))).toBe(false);
  },
);

test('npx runs the program without an installation', async () => {
  writeFileSync(join(work, 'main.tf'), 'output "a" { value = 1 }\n');
  expect(await manage('npx', ['--yes', 'terrane', 'plan'])).toContain('+ a = 1');
});

test('without the executable the JavaScript program runs', async () => {
  await manage('npm', ['install', '--omit=optional', 'terrane']);
  expect(readdirSync(join(work, 'node_modules'))).not.toContain('@terrane');
  expect(await manage('npx', ['terrane', 'version'])).toContain(`Terrane v${identity.version}`);
});

test('the archive of the JavaScript program runs as the image for Alpine starts it', async () => {
  const [archive = ''] = readdirSync(release).filter((name) => name.endsWith('_node.tar.gz'));
  const unpacked = await run('tar', ['-xzf', join(release, archive)], work, environment());
  expect(unpacked).toEqual({ status: 0, output: '' });
  const version = await run(join(work, 'dist/terrane.js'), ['version'], work, environment());
  expect(version.output).toContain(`Terrane v${identity.version}`);
});

/** Returns the size of all files in a directory. */
function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(directory, path)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

test(
  'the library is small, and names the package that a backend lacks',
  { timeout: 300_000 },
  async () => {
    await manage('npm', ['install', '@terrane/ops']);
    const size = sizeOf(join(work, 'node_modules'));
    console.log(`@terrane/ops: ${(size / 1e6).toFixed(1)} MB`);
    expect(size).toBeLessThan(15e6);
    mkdirSync(join(work, 'state'));
    writeFileSync(
      join(work, 'state/main.tf'),
      `data "terraform_remote_state" "a" {
  backend = "s3"
  config  = { bucket = "b", key = "k", region = "eu-west-1" }
}
`,
    );
    writeFileSync(
      join(work, 'program.js'),
      `import { openWorkingDirectory } from '@terrane/ops';
await openWorkingDirectory('state').plan().catch(({ message }) => console.log(message));
`,
    );
    const { output } = await run(process.execPath, ['program.js'], work, environment());
    expect(output).toContain(
      'requires the package "@aws-sdk/client-s3", which is not installed. Install it with: npm install @aws-sdk/client-s3',
    );
  },
);

test('types are found by every module resolution', { timeout: 300_000 }, async () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  await manage('npm', [
    'install',
    '@terrane/ops',
    '@terrane/hcl',
    '@terrane/plugin',
    '@terrane/provider-testing',
    `typescript@${devDependencies['typescript']}`,
    `@types/node@${devDependencies['@types/node']}`,
  ]);
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const samples = Array.from(page.matchAll(/```ts\n([^]*?)```/g), ([, sample = ''], index) => {
    const name = `sample-${index}.mts`;
    writeFileSync(join(work, name), sample);
    return name;
  });
  expect(samples.length).toBeGreaterThan(5);
  writeFileSync(
    join(work, 'others.mts'),
    `import { toJson } from '@terrane/hcl';
import { serve } from '@terrane/plugin/server';
import { defineProvider, resource, string } from '@terrane/provider/sdk';
import * as testing from '@terrane/provider-testing';
void [serve, defineProvider, resource, string, testing];
console.log(JSON.stringify(toJson('a = 1')));
`,
  );
  const settings = { node16: 'node16', nodenext: 'nodenext', bundler: 'esnext' };
  for (const [moduleResolution, module] of Object.entries(settings)) {
    const options = [
      '--moduleResolution',
      moduleResolution,
      '--module',
      module,
      '--target',
      'es2023',
    ];
    const args = [
      'tsc',
      ...options,
      '--strict',
      '--noEmit',
      '--skipLibCheck',
      '--types',
      'node',
      ...samples,
      'others.mts',
    ];
    await manage('npx', args);
  }
  const { output } = await run(process.execPath, ['others.mts'], work, environment());
  expect(output).toBe('{"a":1}\n');
  // A provider starts as a plugin: it prints where it listens, and waits for calls.
  writeFileSync(
    join(work, 'plugin.mjs'),
    `import { serve } from '@terrane/plugin/server';
import { defineProvider } from '@terrane/provider/sdk';
void serve(defineProvider({}), { address: 'registry.terraform.io/acme/thing' });
`,
  );
  const plugin = spawn(process.execPath, ['plugin.mjs'], {
    cwd: work,
    env: {
      ...environment(),
      TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
      PLUGIN_PROTOCOL_VERSIONS: '6',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void plugin.kill('SIGKILL'));
  const line = await new Promise<string>((done) => {
    let output = '';
    for (const stream of [plugin.stdout, plugin.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('\n')) done(output);
      });
    plugin.once('close', () => done(output));
  });
  expect(line).toMatch(/^1\|6\|unix\|/);
});
