import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import type { OwnProcess } from '@terrane/host';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { main } from './main.ts';
import { packageProvider, platformOf } from './package-provider.ts';
import type { PackageOptions } from './package-provider.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'publish-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A fake provider: prints its arguments and needs the files of a bundle. */
const BUNDLE = `#!/usr/bin/env node
const { basename } = require('node:path');
module.exports = 1;
(() => console.log(JSON.stringify([basename(process.argv[1]), ...process.argv.slice(2)])))();
`;

const pack = (options: Partial<PackageOptions> = {}) => {
  writeFileSync(join(directory, 'bundle.js'), BUNDLE);
  return packageProvider(
    { address: 'acme/thing', version: 'v1.2.0', bundle: 'bundle.js', ...options },
    nodeHost({ cwd: directory }),
    process.execPath,
  );
};

const sha256 = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

it('archives, manifest and checksums meet the requirements of a registry', async () => {
  const { out, checksums, archives } = await pack({ protocols: ['5.0', '6.0'] });
  expect(readdirSync(out).sort()).toEqual([
    'dev.tfrc',
    'local',
    'mirror',
    'terraform-provider-thing_1.2.0_SHA256SUMS',
    'terraform-provider-thing_1.2.0_darwin_amd64.zip',
    'terraform-provider-thing_1.2.0_darwin_arm64.zip',
    'terraform-provider-thing_1.2.0_linux_amd64.zip',
    'terraform-provider-thing_1.2.0_linux_arm64.zip',
    'terraform-provider-thing_1.2.0_manifest.json',
    'terraform-registry-manifest.json',
  ]);
  expect(JSON.parse(readFileSync(join(out, 'terraform-registry-manifest.json'), 'utf8'))).toEqual({
    version: 1,
    metadata: { protocol_versions: ['5.0', '6.0'] },
  });
  const lines = readFileSync(checksums, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    const [digest, name = ''] = line.split('  ');
    expect(digest).toBe(sha256(join(out, name)));
  }
  const before = archives.map(sha256);
  expect((await pack()).archives.map(sha256)).toEqual(before);
});

it('the mirror lists every version that was packaged into it', async () => {
  await pack();
  const { mirror, archives } = await pack({ version: '1.10.0' });
  const folder = join(mirror, 'registry.terraform.io', 'acme', 'thing');
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  expect(read('index.json')).toEqual({ versions: { '1.10.0': {}, '1.2.0': {} } });
  expect(read('1.10.0.json')).toMatchObject({
    archives: {
      linux_amd64: {
        url: 'terraform-provider-thing_1.10.0_linux_amd64.zip',
        hashes: [`zh:${sha256(archives[2] ?? '')}`],
      },
    },
  });
});

it.skipIf(process.platform === 'win32')(
  'an executable runs from any directory if Node is installed',
  async () => {
    // Node would interpret this as an unknown file extension.
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    const { executable = '' } = await pack({ platforms: [platformOf(nodeHost().environment)] });
    expect(statSync(executable).mode & 0o777).toBe(0o755);
    const run = (env: NodeJS.ProcessEnv) =>
      spawnSync(executable, ['-debug', 'a b'], { encoding: 'utf8', env });
    const result = run(process.env);
    expect(result.stderr).toBe('');
    expect(result.stdout).toBe('["terraform-provider-thing_v1.2.0","-debug","a b"]\n');
    const missing = run({ PATH: '/nonexistent' });
    expect(missing.status).toBe(1);
    expect(missing.stderr).toBe('The provider acme/thing needs Node.js 22.18 or later on PATH.\n');
    const pretend = join(directory, 'pretend.cjs');
    writeFileSync(
      pretend,
      `Object.defineProperty(process, 'version', { value: 'v22.17.3' });
      Object.defineProperty(process, 'versions', { value: { node: '22.17.3' } });\n`,
    );
    const older = run({ ...process.env, NODE_OPTIONS: `--require=${pretend}` });
    expect(older.status).toBe(1);
    expect(older.stderr).toBe(
      'This provider needs Node.js 22.18 or later, and this is v22.17.3.\n',
    );
  },
);

it('errors of esbuild are reported', async () => {
  const problem = packageProvider(
    { address: 'acme/thing', version: '1.0.0', entry: 'missing.ts' },
    nodeHost({ cwd: directory }),
    process.execPath,
  );
  await expect(problem).rejects.toThrow(/esbuild can't bundle .*missing\.ts/);
});

it.each([
  [{ address: 'thing' }, '"thing" is no source address'],
  [{ address: 'a/b/c/d' }, 'is no source address'],
  [{ address: 'acme/Thing' }, 'must be of small letters, digits and single dashes'],
  [{ version: '1.2' }, '"1.2" is no version'],
  [{ platforms: ['linux'] }, '"linux" is no platform'],
  [{ platforms: ['windows_amd64'] }, 'windows_amd64 needs an executable with Node inside'],
] as const)('%o is refused', async (options, message) => {
  await expect(pack(options as Partial<PackageOptions>)).rejects.toThrow(message);
});

async function run(
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const program: OwnProcess = {
    args,
    executable: process.execPath,
    parentPid: () => 1,
    write: (stream, text) => {
      written[stream] += text;
    },
    divert: () => {},
    onSignal: () => {},
    onUncaught: () => {},
    exit: () => {},
  };
  const code = await main(program, nodeHost({ cwd: directory }));
  return { code, ...written };
}

it('the command prints its output files and the next steps', async () => {
  writeFileSync(join(directory, 'bundle.js'), BUNDLE);
  const common = ['--address', 'example.com/acme/thing', '--version', '1.0.0'];
  const { code, stdout } = await run('package', ...common, '--bundle', 'bundle.js', '--out', 'o');
  expect(code).toBe(0);
  expect(stdout).toContain('Packaged example.com/acme/thing 1.0.0');
  expect(stdout).toContain(
    `gpg --detach-sign ${join(directory, 'o', 'terraform-provider-thing_1.0.0_SHA256SUMS')}`,
  );
  expect(stdout).toContain('filesystem_mirror');
  expect(await run('package', ...common)).toMatchObject({
    code: 1,
    stderr: 'Error: either --entry or --bundle is needed\n',
  });
  expect(await run('package', '--nonsense')).toMatchObject({ code: 1, stdout: '' });
  expect((await run('sign')).stderr).toContain('There is no command sign.');
  expect((await run()).stdout).toContain('Usage: terrane-provider package');
});
