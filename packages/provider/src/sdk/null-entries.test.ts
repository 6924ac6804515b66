import { list, map, nullOf, object, str, STRING, unknownOf } from '@terrane/cty';
import { expect, test } from 'vitest';
import { withoutNullEntries } from './null-entries.ts';

const nothing = nullOf(STRING);

test('entries of maps that are null are left out, at any depth', () => {
  const tags = map(STRING, [
    ['a', str('1')],
    ['b', nothing],
    ['c', unknownOf(STRING)],
  ]);
  const cleaned = map(STRING, [
    ['a', str('1')],
    ['c', unknownOf(STRING)],
  ]);
  const nested = (of: typeof tags) =>
    object({ name: nothing, parts: list(object({ tags: of }).type, [object({ tags: of })]) });
  expect(withoutNullEntries(nested(tags)).rawEquals(nested(cleaned))).toBe(true);
});

test('without such an entry the value itself is returned', () => {
  const value = object({ names: list(STRING, [nothing]), tags: map(STRING, [['a', str('')]]) });
  expect(withoutNullEntries(value)).toBe(value);
  expect(withoutNullEntries(nullOf(value.type)).isNull).toBe(true);
});
