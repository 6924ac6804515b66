import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFolders, readPackage, thirdPartyNotices } from './third-party-notices.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'terrane-notices-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('packages are found by the inputs of a bundle, nested ones too', () => {
  const inputs = [
    'packages/cli/src/terrane.ts',
    'node_modules/ms/index.js',
    'node_modules/@a/b/lib/x.js',
    'node_modules/c/node_modules/ms/index.js',
  ];
  expect(packageFolders(inputs)).toEqual([
    'node_modules/@a/b',
    'node_modules/c/node_modules/ms',
    'node_modules/ms',
  ]);
});

test('each package is listed once with its licence, copyleft licences also at the top', () => {
  const root = folderWith({
    'node_modules/ms/package.json': '{"name":"ms","version":"2.1.3","license":"MIT"}',
    'node_modules/ms/license.md': 'The MIT License of ms',
    'node_modules/pgp/package.json': '{"name":"pgp","version":"6.0.0","license":"LGPL-3.0+"}',
    'node_modules/pgp/LICENSE': 'The LGPL of pgp',
    'node_modules/pgp/NOTICE.txt': 'Notice of pgp',
  });
  const inputs = ['node_modules/ms/index.js', 'node_modules/ms/b.js', 'node_modules/pgp/a.js'];
  const text = thirdPartyNotices(root, inputs);
  expect(text.match(/ms 2\.1\.3: MIT/g)).toHaveLength(1);
  for (const part of ['The MIT License of ms', 'The LGPL of pgp', 'Notice of pgp']) {
    expect(text).toContain(part);
  }
  expect(text.indexOf('pgp 6.0.0 is under LGPL-3.0+')).toBeLessThan(text.indexOf('ms 2.1.3'));
});

test('a package that is also under another licence is not listed as copyleft', () => {
  const root = folderWith({
    'node_modules/f/package.json': '{"name":"f","version":"1.0.0","license":"(MIT OR GPL-2.0)"}',
  });
  expect(thirdPartyNotices(root, ['node_modules/f/a.js'])).not.toContain('Its source is');
});

test('licences of old manifests count', () => {
  const root = folderWith({
    'package.json': '{"name":"x","version":"1.0.0","licenses":[{"type":"MIT"},{"type":"BSD"}]}',
  });
  expect(readPackage(root).license).toBe('MIT OR BSD');
});

test('a package without a licence fails the build', () => {
  const root = folderWith({ 'package.json': '{"name":"x","version":"1.0.0"}' });
  expect(() => readPackage(root)).toThrow('names no licence');
});
