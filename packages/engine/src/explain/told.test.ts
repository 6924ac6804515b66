import { expect, it } from 'vitest';
import type { Cause } from './model.ts';
import { Told } from './told.ts';

const CAUSE: Cause = { kind: 'local', address: 'local.a', causes: [] };

it('follows a key once', () => {
  const told = new Told();
  expect(told.once('a', () => [CAUSE])).toEqual({ causes: [CAUSE] });
  expect(told.once('a', () => [CAUSE])).toEqual({ causes: [], told: true });
  expect(told.once('b', () => [CAUSE])).toEqual({ causes: [CAUSE] });
});

it('does not follow a chain without end', () => {
  const told = new Told();
  let depth = 0;
  const follow = (): readonly Cause[] => {
    depth++;
    return [{ ...CAUSE, ...told.once(`level ${depth}`, follow) }];
  };
  follow();
  expect(depth).toBe(61);
  // The depth is that of a chain, not of everything.
  expect(told.once('another', () => [CAUSE])).toEqual({ causes: [CAUSE] });
});
