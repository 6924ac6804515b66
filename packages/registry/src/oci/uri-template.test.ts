import { expect, it } from 'vitest';
import { parseUriTemplate } from './uri-template.ts';

const VALUES = { hostname: 'example.com:8080', namespace: 'acme', type: 'ü' };

function expand(text: string): string {
  const template = parseUriTemplate(text);
  return 'error' in template ? `error: ${template.error}` : template.expand(VALUES);
}

it.each([
  ['reg.example/{namespace}/x', 'reg.example/acme/x'],
  ['{hostname}{type}', 'example.com%3a8080%c3%bc'],
  ['a{none}b', 'ab'],
  ['{__proto__}{constructor}', ''],
  ['%2fé', '%2f%c3%a9'],
  ['', ''],
])('expands %j', (text, expanded) => {
  expect(expand(text)).toBe(expanded);
});

// Messages of OpenTofu 1.13-dev.
it.each([
  ['{a', 'unclosed URI template expression'],
  ['a}', "disallowed character '}' in literal"],
  ['a b', "disallowed character ' ' in literal"],
  ['{}', 'zero-length expression sequence'],
  ['%zz{type}', 'invalid percent-encoded character'],
  ['{hostname*}', "level 4 modifier '*' not allowed"],
  ['{hostname,type}', 'expression may include only one variable name'],
  [
    '{+hostname}',
    "level 2 template expression operator '+' not allowed; only level 1 templates are supported",
  ],
  [
    '{/hostname}',
    "level 3 template expression operator '/' not allowed; only level 1 templates are supported",
  ],
  ['{!hostname}', "reserved template expression operator '!' not allowed"],
])('rejects %j', (text, error) => {
  expect(expand(text)).toBe(`error: ${error}`);
});
