// From an empty directory to a provider that runs in Terraform and Terrane, with the packages as they are packed.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readIdentity } from '../../scripts/release/identity.ts';
import {
  packLibrary,
  publicPackages,
  type SourcePackage,
} from '../../scripts/release/libraries.ts';
import { findTerraform } from '../differential/program.ts';
import { requireBuiltPackages } from '../install/built-packages.ts';

const root = resolve(import.meta.dirname, '../..');
const terrane = join(root, 'bin/terrane');
const terraform = findTerraform();
const MINUTE = 60_000;
let work: string;
let packages: string;

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Ran {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TF_'));
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), CHECKPOINT_DISABLE: '1', PATH, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, text: `${stdout}${stderr}` };
}

function succeed(...args: Parameters<typeof run>): string {
  const { status, text } = run(...args);
  expect(status, text).toBe(0);
  return text;
}

/** Returns packages with everything that they depend on in the repository. */
function closure(names: readonly string[]): readonly SourcePackage[] {
  const sources = new Map(publicPackages().map((source) => [source.manifest.name, source]));
  const found = new Map<string, SourcePackage>();
  const add = (name: string): void => {
    const source = sources.get(name);
    if (source === undefined || found.has(name)) return;
    found.set(name, source);
    Object.keys(source.manifest.dependencies ?? {}).forEach(add);
  };
  names.forEach(add);
  return [...found.values()];
}

beforeAll(async () => {
  work = mkdtempSync(join(realpathSync(tmpdir()), 'terrane-create-'));
  packages = join(work, 'packages');
  mkdirSync(packages);
  requireBuiltPackages();
  const names = ['create-terrane-provider', '@terrane/plugin', '@terrane/provider-testing'];
  const identity = readIdentity();
  for (const source of closure(names)) {
    const { file, contents } = await packLibrary(source, identity);
    writeFileSync(join(packages, file), contents);
  }
}, 10 * MINUTE);

// A hundred packages are many files.
afterAll(() => rmSync(work, { recursive: true, force: true }));

test.skipIf(terraform === undefined && process.env['CI'] !== 'true')(
  'a generated provider is tested, packaged and run',
  { timeout: 20 * MINUTE },
  () => {
    const tarballs = readdirSync(packages).map((name) => join(packages, name));
    const durations: Record<string, number> = {};
    let since = Date.now();
    const lap = (step: string): void => {
      durations[step] = Date.now() - since;
      since = Date.now();
    };

    // Does as `npm create terrane-provider`: installs the generator in a directory of its own.
    const generator = join(work, 'generator');
    mkdirSync(generator);
    writeFileSync(join(generator, 'package.json'), '{}');
    const own = tarballs.filter((path) => /create-terrane-provider|terrane-host/.test(path));
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    succeed('npm', ['install', ...quiet, ...own], generator);
    const program = join(generator, 'node_modules/.bin/create-terrane-provider');
    succeed(program, ['acme/my-cloud'], work);
    lap('create');

    const project = join(work, 'terraform-provider-my-cloud');
    succeed('npm', ['install', ...quiet, '--no-save', ...tarballs], project);
    lap('npm install');
    expect(succeed('npm', ['test'], project)).toMatch(/pass 3\n/);
    lap('npm test');
    succeed('npm', ['run', 'types'], project);
    lap('npm run types');
    succeed('npm', ['run', 'package'], project);
    lap('npm run package');

    const env = { TF_CLI_CONFIG_FILE: 'dist/dev.tfrc' };
    const applied = succeed(
      terraform?.command ?? '',
      ['-chdir=examples', 'apply', '-auto-approve', '-no-color'],
      project,
      env,
    );
    expect(applied).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    lap('terraform apply');
    const planned = succeed(terrane, ['-chdir=examples', 'plan', '-no-color'], project, env);
    expect(planned).toContain('No changes. Your infrastructure matches the configuration.');
    const destroyed = succeed(
      terrane,
      ['-chdir=examples', 'destroy', '-auto-approve', '-no-color'],
      project,
      env,
    );
    expect(destroyed).toContain('Destroy complete! Resources: 1 destroyed.');
    lap('terrane plan and destroy');
    const total = Object.values(durations).reduce((sum, each) => sum + each, 0);
    console.log({ ...durations, total });

    checkLibrarySamples(project);
  },
);

/** Checks the types of the samples of docs/library.md against the installed packages, in every module resolution. */
function checkLibrarySamples(project: string): void {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const samples = join(project, 'samples');
  mkdirSync(samples);
  for (const [i, [, code = '']] of [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].entries()) {
    writeFileSync(join(samples, `sample-${i}.ts`), code);
  }
  const compilerOptions = { target: 'ES2023', types: ['node'], strict: true, noEmit: true };
  for (const resolution of ['node16', 'nodenext', 'bundler']) {
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const options = { ...compilerOptions, lib: ['ES2023', 'ESNext.Disposable'], module };
    const config = { compilerOptions: { ...options, moduleResolution: resolution } };
    writeFileSync(join(samples, 'tsconfig.json'), JSON.stringify({ ...config, include: ['*.ts'] }));
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    const { text } = run(process.execPath, [tsc, '-p', samples], project);
    expect(text, resolution).toBe('');
  }
}
