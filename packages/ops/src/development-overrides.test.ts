import { expect, it } from 'vitest';
import { developmentOverridesIn } from './development-overrides.ts';

it.each([
  [
    'provider_installation {\n  dev_overrides {\n    "hashicorp/null" = "/a b" # "x" = "y"\n    "e.com/a/b"="C:\\\\x"\n  }\n  direct {}\n}',
    { 'hashicorp/null': '/a b', 'e.com/a/b': 'C:\\x' },
  ],
  ['provider_installation { dev_overrides = { "a/b" = "/x" } }', { 'a/b': '/x' }],
  ['dev_overrides { "a/b" = "/x" }\n/* provider_installation { */', {}],
  [
    'provider_installation { filesystem_mirror { path = "/m" include = ["a/b"] } dev_overrides { "a/b" = "/x" } }',
    { 'a/b': '/x' },
  ],
  ['credentials "app.terraform.io" { token = "t" }\nplugin_cache_dir = "/c"', {}],
  ['', {}],
])('of the configuration %j these are in effect', (text, expected) => {
  expect(Object.fromEntries(developmentOverridesIn(text))).toEqual(expected);
});
