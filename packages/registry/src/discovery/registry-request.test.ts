import { expect, it } from 'vitest';
import { withAddition } from './registry-request.ts';

it.each([
  [undefined, 'Terrane/1'],
  ['', 'Terrane/1'],
  ['  ', 'Terrane/1'],
  [' ci/2 (nightly) ', 'Terrane/1 ci/2 (nightly)'],
  ['a\r\nx-evil: b', 'Terrane/1 ax-evil: b'],
])('adds TF_APPEND_USER_AGENT=%j to the user agent', (text, expected) => {
  const environment = {
    get: (name: string) => (name === 'TF_APPEND_USER_AGENT' ? text : undefined),
  };
  expect(withAddition('Terrane/1', environment)).toBe(expected);
});
