import { createHash } from 'node:crypto';
import { ProviderSource } from '@terrane/addresses';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { installedPackage, type InstallationPlace } from './installed-package.ts';

const PACKAGE = '.terraform/providers/registry.terraform.io/acme/x/1.2.3/linux_amd64';

async function projectWith(content: Readonly<Record<string, string>>): Promise<InstallationPlace> {
  const memory = memoryHost();
  const environment = { ...memory.environment, platform: 'linux', arch: 'x64' };
  const project = { files: memory.files, environment, dataDirectory: '.terraform' };
  await project.files.makeDirectory(`${PACKAGE}/docs`);
  for (const [name, text] of Object.entries(content)) {
    await project.files.writeFile(`${PACKAGE}/${name}`, text);
  }
  return project;
}

function source(): ProviderSource {
  const parsed = ProviderSource.parse('acme/x');
  if ('error' in parsed) throw new Error('no address');
  return parsed;
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The checksum of the sorted output of `sha256sum`. */
const H1 = `h1:${createHash('sha256')
  .update(`${sha('read')}  docs/README\n${sha('run')}  terraform-provider-x_v1.2.3\n`)
  .digest('base64')}`;

const FILES = { 'terraform-provider-x_v1.2.3': 'run', 'docs/README': 'read' };
const locked = (hashes: readonly string[], version = '1.2.3') => ({
  version,
  constraints: '',
  hashes,
});

it('the package that the lock file selects is used when a checksum matches', async () => {
  const project = await projectWith(FILES);
  const installed = await installedPackage(project, source(), locked(['zh:a', 'h1:no', H1]));
  expect(installed).toMatchObject({ version: '1.2.3' });
  expect(installed !== undefined && 'executable' in installed && installed.executable).toMatch(
    /acme\/x\/1\.2\.3\/linux_amd64\/terraform-provider-x_v1\.2\.3$/,
  );
});

it('a changed package is rejected, also after it was verified', async () => {
  const project = await projectWith(FILES);
  await installedPackage(project, source(), locked([H1]));
  await project.files.writeFile(`${PACKAGE}/docs/README`, 'longer');
  expect(await installedPackage(project, source(), locked([H1]))).toEqual({
    problem:
      'the cached package for registry.terraform.io/acme/x 1.2.3 (in .terraform/providers) does not match any of the checksums recorded in the dependency lock file',
  });
});

it('a package is rejected if its bytes were changed in place, with the old size and time', async () => {
  const project = await projectWith(FILES);
  expect(await installedPackage(project, source(), locked([H1]))).toMatchObject({
    version: '1.2.3',
  });
  const { files } = project;
  const stat = files.stat.bind(files);
  const before = await stat(`${PACKAGE}/docs/README`);
  await files.writeFile(`${PACKAGE}/docs/README`, 'evil');
  files.stat = async (path) => (path.endsWith('README') ? before : await stat(path));
  expect(await installedPackage(project, source(), locked([H1]))).toHaveProperty('problem');
});

// Recorded of Terraform 1.11.4, by `plan` with such a lock file.
it.each([
  ['only of archives', [`zh:${sha('archive')}`], 'refused'],
  ['of archives and of unknown schemes', ['h2:x', `zh:${sha('archive')}`], 'refused'],
  ['empty', ['h1:'], 'refused'],
  ['only of unknown schemes', ['h2:x'], 'used'],
  ['absent', [], 'used'],
] as const)('a package is held against checksums that are %s: %s', async (_, hashes, outcome) => {
  const installed = await installedPackage(await projectWith(FILES), source(), locked(hashes));
  expect(installed).toHaveProperty(outcome === 'used' ? 'executable' : 'problem');
});

it('another version is not there, and a package may lack its program', async () => {
  const project = await projectWith({ 'terraform-provider-xy': 'other' });
  expect(await installedPackage(project, source(), locked([], '1.2.4'))).toBeUndefined();
  expect(await installedPackage(project, source(), locked([]))).toEqual({
    problem: 'could not find executable file starting with terraform-provider-x',
  });
});
