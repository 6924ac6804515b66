import { expect, test } from 'vitest';
import { isStale } from './setup.mjs';

const wanted = {
  '': { version: '1.0.0' },
  'packages/cty': { version: '0.1.0' },
  'node_modules/@terrane/cty': { link: true },
  'node_modules/esbuild': { version: '1.0.0' },
  'node_modules/@esbuild/elsewhere': { version: '1.0.0', optional: true },
};

test.each([
  ['what is installed is the lock file', false, { 'node_modules/esbuild': { version: '1.0.0' } }],
  ['another version is stale', true, { 'node_modules/esbuild': { version: '0.9.0' } }],
  ['a missing package is stale', true, {}],
  [
    'another version of an optional package is stale',
    true,
    {
      'node_modules/esbuild': { version: '1.0.0' },
      'node_modules/@esbuild/elsewhere': { version: '0.9.0' },
    },
  ],
])('%s', (_, stale, installed) => {
  const link = { 'node_modules/@terrane/cty': { link: true } };
  expect(isStale(wanted, { ...link, ...installed })).toBe(stale);
});
