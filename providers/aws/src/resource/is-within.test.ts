import { expect, it } from 'vitest';
import { isWithin } from './is-within.ts';

const rule = { ID: 'a', Filter: { Prefix: 'x/' }, Expiration: { Date: new Date(0) } };

it.each([
  ['the same', rule, structuredClone(rule), true],
  ['more in the answer', { ID: 'a' }, rule, true],
  ['less in the answer', rule, { ID: 'a' }, false],
  ['another value', rule, { ...rule, Filter: { Prefix: 'y/' } }, false],
  ['another date', rule, { ...rule, Expiration: { Date: new Date(1) } }, false],
  ['members left out', { ID: 'a', Filter: undefined }, { ID: 'a' }, true],
  ['lists in another order', [{ Key: 'a' }, { Key: 'b' }], [{ Key: 'b' }, { Key: 'a' }], true],
  ['longer lists', ['a'], ['a', 'b'], false],
  ['no list', ['a'], 'a', false],
  ['nothing', { ID: 'a' }, undefined, false],
])('finds a request in an answer: %s', (_, wanted, answer, same) => {
  expect(isWithin(wanted, answer)).toBe(same);
});
