import {
  indexStep,
  NUMBER,
  nullOf,
  number,
  object,
  type Path,
  str,
  STRING,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { valueFromPlain } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { nameOfStep } from './value-parts.ts';
import { alike, differingPaths, isOfOtherKind, partOf, unknownPaths } from './values.ts';

type Plain = Parameters<typeof valueFromPlain>[0];

const names = (paths: readonly Path[]): readonly string[] =>
  paths.map((path) => path.map(nameOfStep).join('.'));

describe('the paths at which values differ', () => {
  it.each<readonly [Plain, Plain, readonly string[]]>([
    [{ a: 'x' }, { a: 'x' }, []],
    [{ a: 'x', b: 'y' }, { a: 'z', b: 'y' }, ['a']],
    [{ a: 'x' }, { a: 'x', b: 'y' }, ['b']],
    [{ a: 'x', b: 'y' }, { a: 'x' }, ['b']],
    [{ a: { b: ['x', 'y'] } }, { a: { b: ['x', 'z'] } }, ['a.b.1']],
    [{ a: ['x'] }, { a: ['x', 'y'] }, ['a']],
    [{ a: null }, { a: null }, []],
    [{ a: null }, { a: 'x' }, ['a']],
    ['x', 'y', ['']],
  ])('of %j and %j are %j', (before, after, expected) => {
    expect(names(differingPaths(valueFromPlain(before), valueFromPlain(after)))).toEqual(expected);
  });

  it('include unknown parts, and no marks', () => {
    const before = object({ a: str('x').mark('sensitive'), b: str('y') });
    const after = object({ a: str('x'), b: unknownOf(STRING) });
    expect(names(differingPaths(before, after))).toEqual(['b']);
  });
});

describe('whether a value is like an earlier one', () => {
  it.each<readonly [Value, Value, boolean]>([
    [str('x'), str('x').mark('sensitive'), true],
    [number(1), str('1'), true],
    [str('x'), number(1), false],
    [nullOf(STRING), nullOf(NUMBER), true],
    [object({ a: str('x') }), object({ a: str('x') }), true],
    // A conversion to the earlier type would drop the new attribute.
    [object({ a: str('x'), b: str('y') }), object({ a: str('x') }), false],
    [valueFromPlain([{ a: 'x', b: 'y' }]), valueFromPlain([{ a: 'x' }]), false],
  ])('%s and %s: %s', (value, earlier, expected) => {
    expect(alike(value, earlier)).toBe(expected);
  });

  it.each<readonly [Value, Value, boolean]>([
    [str('x'), number(1), true],
    [str('2'), number(1), false],
    [unknownOf(STRING), number(1), false],
    [str('x'), nullOf(NUMBER), false],
  ])('%s is of another kind than %s: %s', (value, earlier, expected) => {
    expect(isOfOtherKind(value, earlier)).toBe(expected);
  });
});

describe('the part of a value', () => {
  const value = valueFromPlain({ a: { b: ['x'] } });

  it.each<readonly [string, Path, string | undefined]>([
    [
      'an attribute by name',
      [{ kind: 'attr', name: 'a' }, { kind: 'attr', name: 'b' }, indexStep(0)],
      'x',
    ],
    ['an attribute by index', [indexStep('a'), indexStep('b'), indexStep(0)], 'x'],
    ['a missing attribute', [{ kind: 'attr', name: 'z' }], undefined],
    ['a missing element', [indexStep('a'), indexStep('b'), indexStep(7)], undefined],
  ])('is found for %s', (_name, path, expected) => {
    expect(partOf(value, path)?.asString()).toBe(expected);
  });

  it('keeps the marks around it', () => {
    const marked = object({ a: str('x') }).mark('sensitive');
    expect(partOf(marked, [{ kind: 'attr', name: 'a' }])?.isMarked).toBe(true);
  });
});

it('finds the unknown parts of a value', () => {
  const value = object({
    a: unknownOf(STRING),
    b: object({ c: unknownOf(NUMBER).mark('sensitive'), d: str('x') }),
    e: nullOf(STRING),
  });
  expect(names(unknownPaths(value))).toEqual(['a', 'b.c']);
});
