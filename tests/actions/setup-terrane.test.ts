// The action setup-terrane, with a release on a local server.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archiveFor, releaseApi } from '../../actions/setup-terrane/src/install.ts';
import { checksumsOf, releasedVersion } from '../../actions/setup-terrane/src/versions.ts';
import {
  findVersions,
  toolVersions,
  versionLine,
} from '../../actions/setup-terrane/src/versions.ts';
import { tarGz } from '../../scripts/release/archive.ts';
import { root } from '../../scripts/root.ts';
import { buildAction, Job } from './run-action.ts';

const place = mkdtempSync(join(tmpdir(), 'terrane-actions-'));
const action = join(place, 'setup-terrane');
const files = new Map<string, Uint8Array | string>();
let server: Server;
let address: string;
let job: Job;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const machine = { platform: process.platform, arch: process.arch, hasGlibc: true };

beforeAll(async () => {
  await buildAction('setup-terrane', action);
  // Stands for an executable: it runs the built program, by the name that it is called.
  const program = `#!/bin/sh
name=terrane
case "$1" in --called-as=*) name=\${1#--called-as=}; shift ;; esac
exec ${process.execPath} ${root}/packages/cli/dist/$name.js "$@"
`;
  const archive = await tarGz([
    { path: 'terrane', contents: Buffer.from(program), executable: true },
  ]);
  const scripts = ['terrane', 'terraform'].map((name) => ({
    path: `dist/${name}.js`,
    contents: Buffer.from(
      `await import(${JSON.stringify(`${root}/packages/cli/dist/${name}.js`)});`,
    ),
  }));
  const node = await tarGz([
    ...scripts,
    { path: 'package.json', contents: Buffer.from('{"type":"module"}') },
  ]);
  const name = archiveFor('1.2.3', machine);
  const sums = `${digest(archive)}  ${name}\n${digest(node)}  terrane_1.2.3_node.tar.gz\n`;
  files.set(`/good/${name}`, archive);
  files.set('/good/terrane_1.2.3_node.tar.gz', node);
  files.set('/good/SHA256SUMS', sums);
  files.set(`/bad/${name}`, Buffer.concat([archive, Buffer.from('x')]));
  files.set('/bad/SHA256SUMS', sums);
  server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file === undefined) response.writeHead(404).end();
    else response.end(file);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
});

afterAll(() => {
  server.close();
  rmSync(place, { recursive: true, force: true });
});

beforeEach(() => {
  job = new Job(place);
});

const setUp = (inputs: Readonly<Record<string, string>> = {}) =>
  job.use(action, { download_url: `${address}/good`, ...inputs });

describe('the list of releases', () => {
  const REPOSITORY = 'https://github.com/terrane-dev/terrane';

  test('is that of the server of the workflow, with its token', () => {
    const environment = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_API_URL: 'https://api.github.com',
    };
    const api = { api: 'https://api.github.com', token: 'secret' };
    expect(releaseApi(REPOSITORY, environment, 'secret')).toEqual(api);
    expect(releaseApi(REPOSITORY, {}, 'secret')).toEqual(api);
  });

  test('is that of github.com on GitHub Enterprise, without the token of its workflow', () => {
    const environment = {
      GITHUB_SERVER_URL: 'https://github.example.com',
      GITHUB_API_URL: 'https://github.example.com/api/v3',
    };
    expect(releaseApi(REPOSITORY, environment, 'secret')).toEqual({
      api: 'https://api.github.com',
      token: '',
    });
    expect(releaseApi('https://github.example.com/o/terrane', environment, 'secret')).toEqual({
      api: 'https://github.example.com/api/v3',
      token: 'secret',
    });
  });
});

describe('setup-terrane', () => {
  test('installs the program with outputs of each step', async () => {
    const step = await setUp();
    expect(step.code, step.log).toBe(0);
    expect(step.outputs).toEqual({
      terrane_version: '1.2.3',
      terraform_version: '',
      cli_path: step.path[0],
    });
    const terrane = join(step.path[0] ?? '', 'terrane');
    job.write('main.tf', 'output "a" { value = "1" }\n');
    const planned = await job.run(terrane, ['plan', '-detailed-exitcode', '-no-color']);
    expect(planned).toMatchObject({ code: 0, outputs: { exitcode: '2', stderr: '' } });
    expect(planned.outputs['stdout']).toContain('+ a = "1"');
    expect(planned.log).toContain('+ a = "1"');
    const failed = await job.run(terrane, ['nonsense']);
    expect(failed).toMatchObject({ code: 1, outputs: { exitcode: '1' } });
    expect(failed.log).toContain('::error::Terrane exited with code 1.');
    // Again, from the tool cache.
    const again = await setUp();
    expect(again.log).toContain('Terrane 1.2.3 is in the tool cache.');
  });

  test('installs the program as terraform, without the wrapper', async () => {
    const step = await setUp({ shim: 'true', terraform_wrapper: 'false' });
    expect(step.code, step.log).toBe(0);
    const ran = await job.run(join(step.path[0] ?? '', 'terraform'), ['version']);
    expect(ran).toMatchObject({ code: 0, outputs: {} });
    expect(ran.log).toMatch(/^Terraform v1\./);
  });

  test('warns if Terrane does not follow the stated version', async () => {
    job.write('.terraform-version', '# pinned\n9.8.7\n');
    const step = await setUp({ working_directory: 'a/b' });
    expect(step.outputs['terraform_version']).toBe('9.8.7');
    expect(step.log).toContain('::warning::.terraform-version states Terraform 9.8.7');
    job.write('.terraform-version', '1.5.7\n');
    expect((await setUp()).log).not.toContain('::warning::');
    rmSync(join(job.workspace, '.terraform-version'));
    job.write('.opentofu-version', '1.8.3\n');
    const tofu = await setUp({ shim: 'true' });
    expect(tofu.log).not.toContain('::warning::');
    expect(tofu.log).toContain('also as tofu');
  });

  test('keeps credentials from others', async () => {
    const config = join(job.folder, 'home/.terraformrc');
    writeFileSync(config, 'disable_checkpoint = true');
    const step = await setUp({
      cli_config_credentials_token: 'a"${b}',
      cli_config_credentials_hostname: 'registry.example.com',
    });
    expect(step.code, step.log).toBe(0);
    expect(readFileSync(config, 'utf8')).toBe(
      'disable_checkpoint = true\ncredentials "registry.example.com" {\n  token = "a\\"$${b}"\n}\n',
    );
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect(step.log).toContain('::add-mask::a"${b}');
  });

  test.each([
    [
      'an archive with another checksum',
      { download_url: '/bad' },
      'The checksum of terrane_1.2.3_',
    ],
    ['a missing release', { download_url: '/none' }, '/none/SHA256SUMS cannot be downloaded'],
    ['another version', { terrane_version: '1.2.4' }, 'has version 1.2.3, not 1.2.4'],
    ['a flag with another value', { shim: 'yes' }, 'The input "shim" is "yes"'],
  ])('rejects %s', async (_, inputs, message) => {
    const given = Object.entries(inputs).map(([name, value]) => [
      name,
      name === 'download_url' ? address + value : value,
    ]);
    const step = await setUp(Object.fromEntries(given) as Record<string, string>);
    expect(step.code).toBe(1);
    expect(step.log).toContain('::error::');
    expect(step.log).toContain(message);
    expect(step.path).toEqual([]);
  });
});

test('version files of asdf, tfenv and OpenTofu are read, the nearest first', () => {
  const workspace = mkdtempSync(join(place, 'versions-'));
  mkdirSync(join(workspace, 'a/b'), { recursive: true });
  writeFileSync(join(workspace, '.tool-versions'), 'terrane 0.2.0\nterraform 1.9.0 1.8.0\n');
  writeFileSync(join(workspace, 'a/.opentofu-version'), 'v1.10.2\n');
  const product = 'opentofu';
  expect(findVersions(join(workspace, 'a/b'), workspace)).toEqual({
    terrane: '0.2.0',
    language: { version: '1.10.2', source: 'a/.opentofu-version', product },
  });
  expect(findVersions(workspace, workspace).language).toMatchObject({ version: '1.9.0' });
  expect(findVersions('/', workspace)).toEqual({});
  // As mise writes it, by an editor of Windows.
  writeFileSync(join(workspace, '.tool-versions'), '\uFEFFtofu v1.9.1\r\n');
  expect(findVersions(workspace, workspace).language).toMatchObject({ version: '1.9.1', product });
  expect(versionLine('\n# none\n')).toBeUndefined();
  expect(toolVersions('opentofu 1.8.0 # old\n\nterraform\n')).toEqual(
    new Map([['opentofu', '1.8.0']]),
  );
});

test('archives are chosen by machine, and versions read from checksums', () => {
  const archive = (platform: string, arch: string, hasGlibc = true): string =>
    archiveFor('1.0.0', { platform, arch, hasGlibc });
  expect(archive('linux', 'x64')).toBe('terrane_1.0.0_linux_amd64.tar.gz');
  expect(archive('linux', 'x64', false)).toBe('terrane_1.0.0_node.tar.gz');
  expect(archive('win32', 'x64')).toBe('terrane_1.0.0_windows_amd64.zip');
  expect(archive('win32', 'arm64')).toBe('terrane_1.0.0_node.tar.gz');
  expect(archive('darwin', 'arm64')).toBe('terrane_1.0.0_darwin_arm64.tar.gz');
  const sums = checksumsOf(`${'a'.repeat(64)}  terrane_1.0.0_node.tar.gz\nrubbish\n`);
  expect(releasedVersion(sums)).toBe('1.0.0');
  expect(releasedVersion(new Map())).toBeUndefined();
});
