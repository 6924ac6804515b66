import { describe, expect, it } from 'vitest';
import {
  BOOL,
  Bug,
  bool,
  capsule,
  capsuleType,
  CtyError,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  FALSE,
  integer,
  list,
  listType,
  map,
  mapType,
  NULL,
  nullOf,
  NUMBER,
  number,
  object,
  objectOf,
  objectType,
  set,
  setType,
  str,
  STRING,
  TRUE,
  tuple,
  tupleType,
  type Type,
  UNKNOWN,
  unknownOf,
  type Value,
} from './index.ts';

const strings = (...texts: string[]): Value[] => texts.map(str);
const texts = (v: Value): string[] => v.elements().map((e) => e.asString());

describe('types', () => {
  it('are interned, so that equal types are one object', () => {
    expect(listType(STRING)).toBe(listType(STRING));
    expect(tupleType([STRING, BOOL])).toBe(tupleType([STRING, BOOL]));
    expect(tupleType([STRING])).not.toBe(tupleType([STRING, BOOL]));
    expect(objectType({ a: STRING, b: BOOL })).toBe(objectType({ b: BOOL, a: STRING }));
    expect(objectType({ a: STRING })).not.toBe(objectType({ a: STRING }, ['a']));
    expect(objectType({ a: STRING }, ['a'])).toBe(objectType({ a: STRING }, ['a']));
    expect(objectType({ a: STRING })).not.toBe(objectType({ b: STRING }));
    expect(capsuleType('x')).not.toBe(capsuleType('x'));
  });

  it('order attribute names by code point and normalise them', () => {
    const type = objectType({ '\u{1F600}': STRING, '\uffee': STRING, z: STRING, 'e\u0301': BOOL });
    expect(type.names).toEqual(['z', 'é', '\uffee', '\u{1F600}']);
    expect(type.types[type.indexOf('é') ?? -1]).toBe(BOOL);
    expect(type.indexOf('nothing')).toBeUndefined();
  });

  it('find attributes among many', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a${i}`, STRING]));
    const type = objectType(many);
    for (const [i, name] of type.names.entries()) expect(type.indexOf(name)).toBe(i);
  });

  it('reject unknown optional attributes', () => {
    expect(() => objectType({ a: STRING }, ['b'])).toThrow(Bug);
  });
});

describe('objects', () => {
  it('keep attributes by index, independent of the input order', () => {
    const fromRecord = object({ b: TRUE, a: str('x') });
    const other = object(
      new Map<string, Value>([
        ['a', str('x')],
        ['b', TRUE],
      ]),
    );
    expect(fromRecord.type).toBe(other.type);
    expect(fromRecord.rawEquals(other)).toBe(true);
    expect(fromRecord.attr('a').asString()).toBe('x');
    expect(fromRecord.get('b')).toBe(TRUE);
    expect(fromRecord.get('c')).toBeUndefined();
  });

  it('take their type from the values if the declared type is a constraint', () => {
    const constraint = objectType({ a: DYNAMIC, b: STRING }, ['b']);
    const value = objectOf(constraint, [number(1), str('x')]);
    expect(value.type).toBe(objectType({ a: NUMBER, b: STRING }));
  });

  it('return unknown, marked or missing attributes', () => {
    const type = objectType({ a: STRING });
    expect(unknownOf(type).attr('a').rawEquals(unknownOf(STRING))).toBe(true);
    expect(
      object({ a: str('x') })
        .mark('sensitive')
        .attr('a')
        .hasMark('sensitive'),
    ).toBe(true);
    expect(UNKNOWN.attr('a')).toBe(UNKNOWN);
    expect(() => object({ a: TRUE }).attr('b')).toThrow(CtyError);
    expect(() => nullOf(type).attr('a')).toThrow(CtyError);
    expect(() => TRUE.attr('a')).toThrow('not an object type');
  });
});

describe('collections', () => {
  it('assign the type of the others to untyped elements', () => {
    const values = list(STRING, [str('a'), NULL, UNKNOWN]);
    expect(values.at(1)).toBe(nullOf(STRING));
    expect(values.at(2)).toBe(unknownOf(STRING));
    expect(values.type).toBe(listType(STRING));
  });

  it('refuse elements of another type', () => {
    expect(() => list(STRING, [TRUE])).toThrow(Bug);
    expect(() => map(STRING, [['a', TRUE]])).toThrow(Bug);
  });

  it('sort maps by code point, keep the last of equal keys, normalise', () => {
    const value = map(STRING, [
      ['\u{1F600}', str('1')],
      ['\uffee', str('2')],
      ['e\u0301', str('3')],
      ['é', str('4')],
      ['a', str('5')],
    ]);
    expect(value.entries().map(([key, v]) => key.asString() + v.asString())).toEqual([
      'a5',
      'é4',
      '\uffee2',
      '\u{1F600}1',
    ]);
    expect(value.type).toBe(mapType(STRING));
  });

  it('know their lengths', () => {
    expect(list(STRING, strings('a', 'b')).length).toBe(2);
    expect(set(STRING, strings('a', 'a')).length).toBe(1);
    expect(map(STRING, [['a', str('b')]]).length).toBe(1);
    expect(unknownOf(tupleType([STRING])).length).toBe(1);
    expect(() => unknownOf(listType(STRING)).length).toThrow(Bug);
  });
});

describe('sets', () => {
  it('hold each value once, in order of code points', () => {
    const value = set(STRING, strings('b', '\u{1F600}', '\uffee', 'a', 'b'));
    expect(texts(value)).toEqual(['a', 'b', '\uffee', '\u{1F600}']);
  });

  it('put unknown elements after known ones and null last', () => {
    const value = set(NUMBER, [nullOf(NUMBER), unknownOf(NUMBER), number(2), number(1)]);
    expect(value.elements().map((v) => (v.isNull ? 'null' : v.isKnown ? v.asInt() : '?'))).toEqual([
      1,
      2,
      '?',
      'null',
    ]);
  });

  it('take unknown elements for different, each being able to become anything', () => {
    expect(set(STRING, [unknownOf(STRING), unknownOf(STRING)]).length).toBe(2);
    const part = object({ a: unknownOf(STRING) });
    expect(set(part.type, [part, part]).length).toBe(2);
  });

  it('order numbers by size, but objects by their filing text', () => {
    expect(
      set(NUMBER, [number(10), number(9)])
        .elements()
        .map((v) => v.asInt()),
    ).toEqual([9, 10]);
    const objects = [10, 9, -1].map((n) => object({ a: number(n) }));
    const value = set((objects[0] as Value).type, objects);
    expect(value.elements().map((v) => v.attr('a').asInt())).toEqual([-1, 10, 9]);
  });

  it('distinguish numbers that agree in ten digits', () => {
    const objects = [12345678902, 12345678901].map((n) => object({ a: number(n) }));
    expect(set((objects[0] as Value).type, objects).length).toBe(2);
  });

  it('carry the marks of their elements themselves', () => {
    const value = set(listType(STRING), [list(STRING, [str('a').mark('sensitive')])]);
    expect(value.hasMark('sensitive')).toBe(true);
    expect(value.unmark().containsMarked()).toBe(false);
  });
});

describe('strings', () => {
  it('are normalised', () => {
    expect(str('e\u0301')).toEqual(str('é'));
    expect(str('e\u0301').asString()).toBe('é');
  });
});

describe('reading', () => {
  it.each<[string, () => unknown]>([
    ['a string of a number', () => number(1).asString()],
    ['a string of null', () => nullOf(STRING).asString()],
    ['a string of an unknown', () => unknownOf(STRING).asString()],
    ['a marked string', () => str('a').mark('sensitive').asString()],
    ['a bool of a string', () => str('true').asBool()],
    ['a number of null', () => nullOf(NUMBER).asNum()],
    ['an integer of a fraction', () => number(1.5).asInt()],
    ['elements of a string', () => str('a').elements()],
    ['elements of a marked list', () => list(STRING, []).mark('sensitive').elements()],
    ['a string of a capsule that hides one', () => capsule(capsuleType('c'), 'x').asString()],
  ])('access to a missing member is a bug: %s', (_, run) => {
    expect(run).toThrow(Bug);
  });

  it('returns the content of a capsule', () => {
    expect(capsule(capsuleType('c'), 'x').asCapsule()).toBe('x');
  });

  it('returns entries with keys', () => {
    const keys = (v: Value): unknown[] => v.entries().map(([key]) => key.payload);
    expect(keys(tuple([TRUE, FALSE]))).toEqual([0, 1]);
    expect(keys(object({ b: TRUE, a: TRUE }))).toEqual(['a', 'b']);
    expect(keys(set(STRING, strings('x')))).toEqual(['x']);
    expect(keys(EMPTY_TUPLE_VALUE)).toEqual([]);
  });
});

describe('a property of parts', () => {
  const deep = (v: Value): Value => object({ a: tuple([list(v.type, [v])]), b: bool(true) });

  it('holds for the value that contains them', () => {
    expect(deep(str('a')).isWhollyKnown()).toBe(true);
    expect(deep(unknownOf(STRING)).isWhollyKnown()).toBe(false);
    expect(deep(unknownOf(STRING)).isKnown).toBe(true);
    expect(tuple([UNKNOWN]).hasWhollyKnownType()).toBe(false);
    expect(tuple([NULL]).hasWhollyKnownType()).toBe(true);
    expect(deep(str('a').mark('ephemeral')).hasMarkDeep('ephemeral')).toBe(true);
    expect(deep(str('a').mark('ephemeral')).hasMarkDeep('sensitive')).toBe(false);
    expect(deep(str('a').mark('ephemeral')).isMarked).toBe(false);
  });

  it('is removed after its last use', () => {
    const marked = deep(str('a').mark('sensitive')).mark('ephemeral');
    expect(marked.unmark().hasMarkDeep('ephemeral')).toBe(false);
    expect(marked.unmark().hasMarkDeep('sensitive')).toBe(true);
    expect(marked.unmarkDeep().value.containsMarked()).toBe(false);
    expect([...marked.unmarkDeep().marks].map(String).sort()).toEqual(['ephemeral', 'sensitive']);
  });
});

describe('exact equality', () => {
  const different: [string, Value, Value][] = [
    ['types', number(1), str('1')],
    ['nulls of two types', nullOf(STRING), nullOf(NUMBER)],
    ['null and unknown', nullOf(STRING), unknownOf(STRING)],
    ['refinements', unknownOf(STRING), unknownOf(STRING, { notNull: true })],
    ['marks', str('a'), str('a').mark('sensitive')],
    ['marks inside', tuple([str('a')]), tuple([str('a').mark('sensitive')])],
    ['list and tuple', list(STRING, strings('a')), tuple(strings('a'))],
    ['maps', map(STRING, [['a', str('x')]]), map(STRING, [['b', str('x')]])],
  ];
  it.each(different)('distinguishes: %s', (_, a, b) => {
    expect(a.rawEquals(b)).toBe(false);
  });

  it('does not depend on the origin of a number', () => {
    expect(number(3).rawEquals(integer(3))).toBe(true);
  });

  it('finds the empty values one', () => {
    const empty: [Value, Value][] = [
      [EMPTY_OBJECT_VALUE, object({})],
      [list(STRING, []), list(STRING, [])],
      [set(STRING, []), set(STRING, [])],
    ];
    for (const [a, b] of empty) expect(a.rawEquals(b)).toBe(true);
    const type: Type = setType(STRING);
    expect(set(STRING, []).type).toBe(type);
  });
});
