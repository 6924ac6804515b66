import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../root.ts';
import { tarGz, zip } from './archive.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { debianPackage } from './debian-package.ts';
import { readIdentity } from './identity.ts';
import { publicPackages } from './libraries.ts';
import { manualPage, manualPages } from './manual-pages.ts';
import { publishedDeclarations, publishedManifest, publishedReadme } from './manifest.ts';
import { releaseNotes } from './notes.ts';
import { packageProblems } from './package-problems.ts';
import { withVersion } from './set-version.ts';
import { fillIn, installers } from './templates.ts';

const identity = {
  repository: 'https://example.com/terrane',
  homepage: 'https://terrane.example',
  maintainer: 'A <a@terrane.example>',
  version: '1.2.3',
};
const bytes = (text: string): Uint8Array => Buffer.from(text);

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'terrane-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a published manifest names the project, and nothing that only a clone has', () => {
  const source = {
    name: '@terrane/x',
    version: '1.2.3',
    sideEffects: ['./src/a.ts', './dist/a.js'],
    exports: {
      '.': { 'terrane-source': './src/index.ts', types: './dist/index.d.ts', default: './d.js' },
      './testing': { 'terrane-source': './src/testing.ts' },
    },
    scripts: { postinstall: 'x' },
    devDependencies: { y: '1.0.0' },
    engines: { node: '>=22.18' },
  };
  expect(publishedManifest(source, 'packages/x', identity)).toEqual({
    name: '@terrane/x',
    version: '1.2.3',
    sideEffects: ['./dist/a.js'],
    exports: {
      '.': { types: './dist/index.d.ts', default: './d.js' },
      './package.json': './package.json',
    },
    engines: { node: '>=22.18' },
    homepage: 'https://terrane.example',
    repository: {
      type: 'git',
      url: 'git+https://example.com/terrane.git',
      directory: 'packages/x',
    },
    bugs: { url: 'https://example.com/terrane/issues' },
    publishConfig: { access: 'public' },
  });
});

test('links of a README lead to the repository', () => {
  const text = '[a](../../docs/a.md#b) [c](https://c.example) [d](#d) [e](src/e.ts)';
  expect(publishedReadme(text, 'packages/x', identity)).toBe(
    '[a](https://example.com/terrane/blob/v1.2.3/docs/a.md#b) [c](https://c.example) [d](#d) [e](https://example.com/terrane/blob/v1.2.3/packages/x/src/e.ts)',
  );
});

test('declarations import published modules', () => {
  const text = "import { a } from './a.ts';\ntype B = import('../b.ts').B;\n'./c.ts';";
  expect(publishedDeclarations(text)).toBe(
    "import { a } from './a.js';\ntype B = import('../b.js').B;\n'./c.ts';",
  );
});

test('all packages have one version and require each other in it', () => {
  const { version } = readIdentity();
  for (const { manifest } of publicPackages()) {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const own = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      .filter(([name]) => name.startsWith('@terrane/'))
      .map(([, wanted]) => wanted);
    expect(new Set([manifest.version, ...own]), manifest.name).toEqual(new Set([version]));
    expect(manifest.scripts, manifest.name).toBeUndefined();
    expect(manifest.engines, manifest.name).toEqual({ node: '>=22.18' });
  }
});

test('a new version replaces that of the package and of the others', () => {
  const before = '{"version": "0.1.0", "a": { "@terrane/cty": "0.1.0", "sax": "0.1.0" }}';
  expect(withVersion(before, '0.1.0', '0.2.0')).toBe(
    '{"version": "0.2.0", "a": { "@terrane/cty": "0.2.0", "sax": "0.1.0" }}',
  );
});

test('packages with wrong exports or types are found', async () => {
  const manifest = {
    name: 'wrong',
    version: '1.0.0',
    type: 'module',
    license: 'MIT',
    exports: { '.': { types: './index.d.ts', default: './missing.js' } },
  };
  const tarball = await tarGz([
    { path: 'package/package.json', contents: bytes(JSON.stringify(manifest)) },
    { path: 'package/index.d.ts', contents: bytes("export * from './absent.js';\n") },
  ]);
  const problems = (await packageProblems(tarball)).join('\n');
  expect(problems).toContain('missing.js but the file does not exist');
  expect(problems).toContain('InternalResolutionError');
});

test('archives depend on nothing but the files', async () => {
  const a = { path: 'a/b', contents: bytes('b'), executable: true };
  const b = { path: 'c', contents: bytes('c') };
  expect(Buffer.compare(await tarGz([a, b]), await tarGz([b, a]))).toBe(0);
  expect(Buffer.compare(zip([a, b]), zip([b, a]))).toBe(0);
  const folder = temporary();
  writeFileSync(join(folder, 'x.tar.gz'), await tarGz([a, b]));
  const listed = spawnSync('tar', ['-tvzf', 'x.tar.gz'], { cwd: folder, encoding: 'utf8' });
  expect(listed.stdout).toMatch(/^-rwxr-xr-x root\/root .* a\/b\n-rw-r--r-- root\/root .* c\n$/);
});

test('release notes are the section of the version or the unreleased one', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\nNew ([page](docs/a.md)).\n\n## 1.0.0\n\nOld.\n';
  expect(releaseNotes(changelog, '1.0.0', 'https://r')).toBe('Old.\n');
  expect(releaseNotes(changelog, '1.1.0', 'https://r')).toBe(
    'New ([page](https://r/blob/v1.1.0/docs/a.md)).\n',
  );
  expect(() => releaseNotes('# Changelog\n', '1.0.0', 'https://r')).toThrow('"1.0.0"');
});

test('the bill of materials names packages, licences and digests', () => {
  const text = billOfMaterials('1.2.3', [
    { name: '@a/b', version: '1.0.0', license: 'MIT', integrity: 'sha512-AAEC' },
    { name: 'c', version: '2.0.0', license: 'MIT OR Apache-2.0' },
  ]);
  expect(JSON.parse(text)).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [
      {
        purl: 'pkg:npm/%40a/b@1.0.0',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: '000102' }],
      },
      { purl: 'pkg:npm/c@2.0.0', licenses: [{ expression: 'MIT OR Apache-2.0' }] },
    ],
  });
});

test('a manual page keeps the layout of the help', () => {
  const help = 'Usage: terrane x [options]\n\n  Does x.\n\n  -a   .b\\c\n';
  const page = manualPage('terrane-x', 'Do x', help, '1.2.3');
  const formatted = spawnSync('man', ['-l', '-'], { input: page, encoding: 'utf8' });
  if (formatted.error === undefined && formatted.status === 0) {
    expect(formatted.stdout).toContain('terrane-x - Do x');
    expect(formatted.stdout).toMatch(/-a {3}\.b\\c/);
  }
  expect(page).toContain('.SH SYNOPSIS\n.nf\nterrane x [options]\n.fi');
  expect(page).toContain('  Does x.\n\n  \\-a   .b\\ec');
});

test('every command has a manual page', async () => {
  const pages = await manualPages('1.2.3');
  const names = pages.map(({ path }) => path);
  expect(names).toEqual(expect.arrayContaining(['man/man1/terrane.1', 'man/man1/terrane-plan.1']));
  for (const { path, contents } of pages)
    expect(Buffer.from(contents).toString(), path).toMatch(/\.SH SYNOPSIS\n\.nf\nterrane \S/);
});

test('dpkg reads the package for Debian', async () => {
  const deb = await debianPackage(identity, 'amd64', [
    { path: 'usr/bin/terrane', contents: bytes('#!/bin/sh\n'), executable: true },
  ]);
  const place = join(temporary(), 'a.deb');
  writeFileSync(place, deb);
  const run = (...args: readonly string[]) => spawnSync('dpkg-deb', args, { encoding: 'utf8' });
  if (run('--version').error !== undefined) return;
  expect(run('--field', place, 'Version', 'Architecture').stdout).toBe(
    'Version: 1.2.3\nArchitecture: amd64\n',
  );
  expect(run('--contents', place).stdout).toMatch(/-rwxr-xr-x root\/root .*\.\/usr\/bin\/terrane/);
});

test('templates are filled in completely', () => {
  const digests = new Map([['terrane_1.2.3_linux_amd64.tar.gz', 'abc']]);
  expect(fillIn('@VERSION@ @SHA256 terrane_@VERSION@_linux_amd64.tar.gz@', identity, digests)).toBe(
    '1.2.3 abc',
  );
  for (const { path, contents } of installers(identity, digests))
    expect(Buffer.from(contents).toString(), path).not.toMatch(/@[A-Z]+[ @]/);
});

test('images run as an ordinary user, with git, ssh and certificates, from verified files', () => {
  for (const name of ['slim', 'alpine']) {
    const path = join(root, 'scripts/release/templates/docker', `Dockerfile.${name}`);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/ca-certificates git openssh-client/);
    expect(text).toMatch(/sha256sum (?:--check|-c)/);
    const instructions = text.match(/^(?:USER|ENTRYPOINT) .*/gm);
    expect(instructions).toEqual([
      expect.stringMatching(/^USER (?!root|0)/),
      'ENTRYPOINT ["terrane"]',
    ]);
  }
});
