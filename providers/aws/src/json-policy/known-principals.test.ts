import { expect, it } from 'vitest';
import { hasKnownPrincipals } from './known-principals.ts';

const policy = (Principal: unknown, more: object = {}): string =>
  JSON.stringify({ Statement: [{ Effect: 'Allow', Principal, Action: '*', ...more }] });

it.each([
  ['no policy', '', true],
  ['no statement', '{}', true],
  ['everybody', policy('*'), true],
  ['a service', policy({ Service: 'ec2.amazonaws.com' }), true],
  ['an account', policy({ AWS: '123456789012' }), true],
  ['a role', policy({ AWS: 'arn:aws:iam::123456789012:role/x' }), true],
  ['several', policy({ AWS: ['*', 'arn:aws:iam::123456789012:root'] }), true],
  ['the number of a role', policy({ AWS: 'AROA0123456789EXAMPLE' }), false],
  ['a number among others', policy({ AWS: ['*', 'AIDA0123456789EXAMPLE'] }), false],
  ['a number that is excluded', policy(undefined, { NotPrincipal: { AWS: 'AIDA1' } }), false],
  [
    'a single statement',
    JSON.stringify({ Statement: { Principal: { AWS: 'AROA0123456789EXAMPLE' } } }),
    false,
  ],
])('knows principals that IAM has not made known: %s', (_, text, known) => {
  expect(hasKnownPrincipals(text)).toBe(known);
});
