import { expect, it } from 'vitest';
import type { Cause } from './model.ts';
import { Visited } from './visited.ts';

const CAUSE: Cause = { kind: 'local', address: 'local.a', causes: [] };

it('follows a key once', () => {
  const visited = new Visited();
  expect(visited.once('a', () => [CAUSE])).toEqual({ causes: [CAUSE] });
  expect(visited.once('a', () => [CAUSE])).toEqual({ causes: [], isExplainedElsewhere: true });
  expect(visited.once('b', () => [CAUSE])).toEqual({ causes: [CAUSE] });
});

it('does not follow a chain without end', () => {
  const visited = new Visited();
  let depth = 0;
  const follow = (): readonly Cause[] => {
    depth++;
    return [{ ...CAUSE, ...visited.once(`level ${depth}`, follow) }];
  };
  follow();
  expect(depth).toBe(61);
  // The depth is that of a chain, not of everything.
  expect(visited.once('another', () => [CAUSE])).toEqual({ causes: [CAUSE] });
});
