import { expect, it } from 'vitest';
import { proxyFor } from './proxy-for.ts';

const PROXY = 'http://proxy.example:3128';

function chosen(url: string, variables: Readonly<Record<string, string>>): string | undefined {
  return proxyFor(new URL(url), { get: (name) => variables[name] });
}

it.each([
  ['https://a.example/', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://a.example/', { https_proxy: PROXY }, PROXY],
  ['http://a.example/', { HTTPS_PROXY: PROXY }, undefined],
  ['http://a.example/', { HTTP_PROXY: 'proxy.example:3128' }, PROXY],
  ['https://localhost:8443/', { HTTPS_PROXY: PROXY }, undefined],
  ['https://127.0.0.5/', { HTTPS_PROXY: PROXY }, undefined],
  ['https://[::1]/', { HTTPS_PROXY: PROXY }, undefined],
] as const)('goes to %s by %j through %s', (url, variables, expected) => {
  expect(chosen(url, variables)).toBe(expected);
});

it.each([
  ['a.example', 'a.example', true],
  ['b.a.example', 'a.example', true],
  ['xa.example', 'a.example', false],
  ['a.example', '.a.example', false],
  ['b.a.example', '.a.example', true],
  ['b.a.example', '*.a.example', true],
  ['a.example', 'other, A.Example', true],
  ['a.example:8443', 'a.example:8443', true],
  ['a.example', 'a.example:8443', false],
  ['a.example', 'a.example:443', true],
  ['a.example', '*', true],
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['a.example', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['[2001:db8::1]', '2001:db8::/32', true],
  ['a.example', '', false],
])('bypasses the proxy for %s with NO_PROXY %j: %s', (host, exceptions, straight) => {
  const proxy = chosen(`https://${host}/`, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions });
  expect(proxy === undefined).toBe(straight);
});
