import { expect, it } from 'vitest';
import { isWorkspaceName } from './workspace.ts';

it.each(['dev', 'a-b_c.d~e', 'x@y:z', ''])('%j may name a workspace', (name) => {
  expect(isWorkspaceName(name)).toBe(true);
});

it.each(['a/b', 'a b', 'ü', 'a?b', 'a%b', 'a;b'])('%j may not', (name) => {
  expect(isWorkspaceName(name)).toBe(false);
});
