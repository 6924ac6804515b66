import {
  formatPath,
  list,
  map,
  nullOf,
  object,
  objectType,
  SENSITIVE_MARKS,
  set,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { expect, test } from 'vitest';
import { attributeType } from './implied-type.ts';
import type { AttributeSchema, BlockSchema } from './model.ts';
import {
  containsSensitive,
  containsWriteOnly,
  sensitivePaths,
  writeOnlyPaths,
} from './value-paths.ts';

const inner: BlockSchema = {
  attributes: {
    plain: { type: STRING, optional: true },
    secret: { type: STRING, optional: true, sensitive: true },
  },
  blocks: {},
};
const I = objectType({ plain: STRING, secret: STRING });
const secretObject = (text: string) => object({ plain: str(text), secret: str(text) });

const paths = (b: BlockSchema, v: Value) => sensitivePaths(b, v).map((path) => formatPath(path));
const blockOf = (nesting: 'single' | 'list' | 'set' | 'map'): BlockSchema => ({
  attributes: {},
  blocks: { b: { nesting, block: inner } },
});

test.each<['single' | 'list' | 'map', Value, string[]]>([
  ['single', secretObject('x'), ['.b.secret']],
  ['single', nullOf(I), []],
  ['single', unknownOf(I), []],
  ['list', list(I, [secretObject('x'), secretObject('y')]), ['.b[0].secret', '.b[1].secret']],
  ['list', list(I, [unknownOf(I)]), []],
  ['map', map(I, [['k', secretObject('x')]]), ['.b["k"].secret']],
])('blocks of nesting %s have the paths of their sensitive arguments', (nesting, v, expected) => {
  expect(paths(blockOf(nesting), object({ b: v }))).toEqual(expected);
});

test('elements of a set are their own keys', () => {
  const v = object({ b: set(I, [secretObject('x')]) });
  const [path] = sensitivePaths(blockOf('set'), v);
  expect(path).toHaveLength(3);
  expect(path?.[1]?.kind === 'index' && path[1].key.rawEquals(secretObject('x'))).toBe(true);
});

const attribute = (nesting: 'single' | 'list'): AttributeSchema => ({
  nested: { nesting, attributes: inner.attributes },
  optional: true,
});

test.each<['single' | 'list', Value, string[]]>([
  ['single', secretObject('x'), ['.a.secret']],
  ['single', unknownOf(I), []],
  ['list', list(I, [secretObject('x')]), ['.a[0].secret']],
  ['list', nullOf(attributeType(attribute('list'))), []],
  // An element that is unknown as a whole will have the attribute nonetheless.
  ['list', list(I, [unknownOf(I)]), ['.a[0].secret']],
])('nested attributes of nesting %s have theirs', (nesting, v, expected) => {
  const b: BlockSchema = { attributes: { a: attribute(nesting) }, blocks: {} };
  expect(paths(b, object({ a: v }))).toEqual(expected);
});

test('a sensitive attribute has its own path, before those of others', () => {
  const b: BlockSchema = {
    attributes: {
      a: { ...attribute('single'), sensitive: true },
      z: inner.attributes['secret'] ?? {},
    },
    blocks: {},
  };
  expect(paths(b, object({ a: secretObject('x'), z: str('y') }))).toEqual([
    '.a',
    '.z',
    '.a.secret',
  ]);
});

test('marks are ignored', () => {
  const v = object({
    b: list(I, [secretObject('x').withMarks(SENSITIVE_MARKS)]).withMarks(SENSITIVE_MARKS),
  });
  expect(paths(blockOf('list'), v.withMarks(SENSITIVE_MARKS))).toEqual(['.b[0].secret']);
});

test('write-only arguments are found likewise', () => {
  const b: BlockSchema = {
    attributes: { w: { type: STRING, optional: true, writeOnly: true } },
    blocks: {},
  };
  const outer: BlockSchema = { attributes: {}, blocks: { b: { nesting: 'single', block: b } } };
  const v = object({ b: object({ w: nullOf(STRING) }) });
  expect(writeOnlyPaths(outer, v).map((path) => formatPath(path))).toEqual(['.b.w']);
  expect(sensitivePaths(outer, v)).toEqual([]);
  expect([containsWriteOnly(outer), containsSensitive(outer)]).toEqual([true, false]);
  expect([containsWriteOnly(inner), containsSensitive(blockOf('set'))]).toEqual([false, true]);
});
