import { describe, expect, it } from 'vitest';
import {
  add,
  and,
  BOOL,
  convert,
  CtyError,
  divide,
  double,
  equal,
  FALSE,
  formatPath,
  greaterThan,
  hasIndex,
  index,
  infiniteAsNull,
  infinitePaths,
  integer,
  lengthOf,
  lessOrEqual,
  lessThan,
  list,
  listType,
  map,
  mapType,
  membershipIn,
  modulo,
  multiply,
  not,
  notEqual,
  NULL,
  nullOf,
  NUMBER,
  number,
  object,
  or,
  refine,
  refineNotNull,
  set,
  setType,
  str,
  STRING,
  subtract,
  TRUE,
  tuple,
  tupleType,
  UNKNOWN,
  unknownAsNull,
  unknownOf,
  unrefined,
  type Value,
} from './index.ts';

const unknownBool = unknownOf(BOOL, { notNull: true });
const same = (a: Value, b: Value): void => expect(a.rawEquals(b)).toBe(true);

describe('arithmetic', () => {
  it('is unknown, but not null, for unknown operands, even if known ones would decide', () => {
    const unknown = unknownOf(NUMBER, { notNull: true });
    same(add(unknownOf(NUMBER), number(1)), unknown);
    same(multiply(number(0), UNKNOWN), unknown);
  });

  it('unites the marks of its operands', () => {
    const result = add(number(1).mark('sensitive'), number(2).mark('ephemeral'));
    expect(result.unmark().asInt()).toBe(3);
    expect(result.hasMark('sensitive') && result.hasMark('ephemeral')).toBe(true);
  });

  it.each<[string, () => unknown, string]>([
    ['null', () => add(nullOf(NUMBER), number(1)), 'argument must not be null'],
    ['untyped null', () => add(number(1), NULL), 'argument must not be null'],
    ['strings', () => add(str('1'), number(1)), 'number required, but received string'],
  ])('refuses %s', (_, run, message) => {
    expect(run).toThrow(CtyError);
    expect(run).toThrow(message);
  });

  it('leaves the first number if the divisor of a remainder is zero', () => {
    expect(modulo(number(5), number(0)).asInt()).toBe(5);
  });
});

describe('logic', () => {
  it('does not decide before both operands are known', () => {
    same(and(FALSE, unknownOf(BOOL)), unknownBool);
    same(or(unknownOf(BOOL), TRUE), unknownBool);
    same(not(UNKNOWN), unknownBool);
  });

  it('works on known operands', () => {
    expect([and(TRUE, FALSE), or(TRUE, FALSE), not(TRUE)]).toEqual([FALSE, TRUE, FALSE]);
    expect(and(TRUE.mark('sensitive'), TRUE).hasMark('sensitive')).toBe(true);
    expect(() => and(nullOf(BOOL), TRUE)).toThrow('argument must not be null');
  });
});

describe('comparison', () => {
  const atLeast5 = unknownOf(NUMBER, { notNull: true, min: { value: 5, inclusive: true } });
  it('uses refinements of unknown numbers', () => {
    expect(lessThan(number(4), atLeast5)).toBe(TRUE);
    expect(lessThan(atLeast5, number(4))).toBe(FALSE);
    same(lessThan(atLeast5, number(5)), unknownBool);
    same(lessThan(atLeast5, unknownOf(NUMBER)), unknownBool);
    same(lessOrEqual(UNKNOWN, number(1)), unknownBool);
  });
});

describe('equality', () => {
  const prefixed = unknownOf(STRING, { notNull: true, prefix: 'ami-' });
  const cases: [string, Value, Value, Value][] = [
    ['nulls of all types', nullOf(STRING), nullOf(NUMBER), TRUE],
    ['null and a value', NULL, str('a'), FALSE],
    ['null and what can not be null', NULL, prefixed, FALSE],
    ['null and what may be', NULL, unknownOf(STRING), unknownBool],
    ['another prefix', str('vpc-1'), prefixed, FALSE],
    ['the same prefix', prefixed, str('ami-1'), unknownBool],
    ['another type', number(1), unknownOf(STRING), FALSE],
    ['no type', number(1), UNKNOWN, unknownBool],
    ['other lengths', list(STRING, [str('a')]), list(STRING, []), FALSE],
    [
      'a length out of range',
      list(STRING, []),
      unknownOf(listType(STRING), { minLength: 1 }),
      FALSE,
    ],
    [
      'a difference before the unknown',
      tuple([TRUE, unknownOf(BOOL)]),
      tuple([FALSE, TRUE]),
      FALSE,
    ],
    [
      'a difference after the unknown',
      tuple([unknownOf(BOOL), TRUE]),
      tuple([TRUE, FALSE]),
      unknownBool,
    ],
    [
      'a difference beside what has no type',
      tuple([TRUE, UNKNOWN]),
      tuple([FALSE, TRUE]),
      unknownBool,
    ],
    ['different kinds', list(STRING, [str('a')]), tuple([str('a')]), FALSE],
    [
      'a set in another order',
      set(STRING, [str('a'), str('b')]),
      set(STRING, [str('b'), str('a')]),
      TRUE,
    ],
    [
      'a set with an unknown',
      set(STRING, [unknownOf(STRING)]),
      set(STRING, [str('a')]),
      unknownBool,
    ],
    [
      'a map with another key',
      map(STRING, [['a', str('x')]]),
      map(STRING, [['b', str('x')]]),
      FALSE,
    ],
    [
      'a known attribute',
      object({ a: unknownOf(BOOL), b: TRUE }),
      object({ a: TRUE, b: FALSE }),
      FALSE,
    ],
  ];
  it.each(cases)('of %s', (_, a, b, want) => {
    same(equal(a, b), want);
    same(notEqual(b, a), not(want));
  });

  it('finds members of sets', () => {
    const isMember = membershipIn([object({ a: number(1) }), object({ a: nullOf(NUMBER) })]);
    expect(isMember(object({ a: number(1) }))).toBe(true);
    expect(isMember(object({ a: nullOf(NUMBER) }))).toBe(true);
    expect(isMember(object({ a: number(2) }))).toBe(false);
    expect(isMember(object({ a: unknownOf(NUMBER) }))).toBe(false);
  });

  it('has all marks of both sides, from any depth', () => {
    const result = equal(tuple([str('a').mark('sensitive')]), tuple([str('a')]).mark('ephemeral'));
    expect(result.hasMark('sensitive') && result.hasMark('ephemeral')).toBe(true);
    expect(result.unmark().asBool()).toBe(true);
  });
});

describe('indexing', () => {
  const letters = list(STRING, [str('a'), str('b')]);
  it('takes elements by number or key, with marks of both', () => {
    expect(index(letters, number(1)).asString()).toBe('b');
    expect(index(map(STRING, [['k', str('v')]]), str('k')).asString()).toBe('v');
    expect(index(letters.mark('sensitive'), number(0)).hasMark('sensitive')).toBe(true);
    expect(index(letters, number(0).mark('sensitive')).hasMark('sensitive')).toBe(true);
  });

  it('returns unknown elements of the element type', () => {
    same(index(letters, unknownOf(NUMBER)), unknownOf(STRING));
    same(index(unknownOf(listType(STRING)), number(3)), unknownOf(STRING));
    same(index(unknownOf(tupleType([STRING])), number(0)), unknownOf(STRING));
    same(index(tuple([TRUE]), unknownOf(NUMBER)), UNKNOWN);
    same(index(UNKNOWN, str('x')), UNKNOWN);
  });

  it('rejects missing elements', () => {
    expect(() => index(letters, number(2))).toThrow('value does not have given index key');
    expect(() => index(letters, number(-1))).toThrow(CtyError);
    expect(() => index(letters, number(0.5))).toThrow(CtyError);
    expect(() => index(letters, str('0'))).toThrow('element key for list must be number');
    expect(() => index(set(STRING, []), str('0'))).toThrow('not a list, map, or tuple type');
    expect(() => index(nullOf(listType(STRING)), number(0))).toThrow(CtyError);
  });

  it('is known if the value or its type determines it', () => {
    expect(hasIndex(letters, number(1))).toBe(TRUE);
    expect(hasIndex(letters, number(2))).toBe(FALSE);
    expect(hasIndex(letters, str('1'))).toBe(FALSE);
    expect(hasIndex(unknownOf(tupleType([STRING])), number(0))).toBe(TRUE);
    same(hasIndex(unknownOf(mapType(STRING)), str('k')), unknownBool);
  });
});

describe('length', () => {
  it('is known if possible', () => {
    expect(lengthOf(object({ a: TRUE })).asInt()).toBe(1);
    expect(lengthOf(unknownOf(tupleType([STRING, BOOL]))).asInt()).toBe(2);
    expect(lengthOf(set(STRING, [unknownOf(STRING)])).asInt()).toBe(1);
  });

  it('is within bounds if unknown', () => {
    const two = set(STRING, [unknownOf(STRING), str('a')]);
    const { min, max } = lengthOf(two).refinement ?? {};
    expect([min?.value, max?.value]).toEqual([1, 2]);
    expect(lengthOf(UNKNOWN).refinement?.min).toEqual({ value: 0, inclusive: true });
    expect(() => lengthOf(nullOf(listType(STRING)))).toThrow(CtyError);
  });
});

describe('refinement', () => {
  it('returns a known value if only one remains', () => {
    const five = { value: 5, inclusive: true };
    same(unknownOf(NUMBER, { notNull: true, min: five, max: five }), number(5));
    same(unknownOf(setType(STRING), { notNull: true, maxLength: 0 }), set(STRING, []));
    const three = unknownOf(listType(STRING), { notNull: true, minLength: 3, maxLength: 3 });
    expect(three.isKnown && three.length).toBe(3);
    expect(unknownOf(NUMBER, { min: five, max: five }).isKnown).toBe(false);
  });

  it('narrows step by step and keeps marks', () => {
    const once = refine(unknownOf(STRING).mark('sensitive'), { prefix: 'ab' });
    const twice = refine(refineNotNull(once), { prefix: 'a' });
    expect(twice.refinement).toEqual({ notNull: true, prefix: 'ab' });
    expect(twice.hasMark('sensitive')).toBe(true);
  });

  it('leaves known and untyped values unchanged', () => {
    expect(refine(UNKNOWN, { notNull: true })).toBe(UNKNOWN);
    expect(refine(TRUE, { notNull: true })).toBe(TRUE);
  });

  it('must make sense', () => {
    expect(() => unknownOf(NUMBER, { prefix: 'a' })).toThrow('refinement does not fit');
    expect(() => unknownOf(listType(STRING), { minLength: 2, maxLength: 1 })).toThrow();
    expect(() => refine(unknownOf(STRING, { prefix: 'a' }), { prefix: 'b' })).toThrow();
  });

  it('can be dropped, or unknowns turned to null, at all depths', () => {
    const v = tuple([unknownOf(STRING, { prefix: 'a' }), integer(1)]);
    same(unrefined(v), tuple([unknownOf(STRING), integer(1)]));
    same(unknownAsNull(v), tuple([nullOf(STRING), integer(1)]));
  });
});

describe('infinite numbers', () => {
  const quotient = divide(number(1), number(0));

  it.each([
    ['a quotient', quotient],
    ['an integer operation', subtract(integer(1), quotient)],
    ['a function with doubles', double(Infinity)],
    ['text', convert(str('-Inf'), NUMBER)],
    ['a marked value', quotient.mark('sensitive')],
  ])('are found in %s and above it', (_, value) => {
    const above = object({ a: tuple([str('x'), value]) });
    expect([value, above, above.unmarkDeep().value].map((v) => v.containsInfinity())).toEqual([
      true,
      true,
      true,
    ]);
    expect(infinitePaths(above).map(formatPath)).toEqual(['.a[1]']);
    expect(infiniteAsNull(above).containsInfinity()).toBe(false);
  });

  it('are not found in finite and unknown values', () => {
    const finite = tuple([number(1e300), unknownOf(NUMBER), nullOf(NUMBER)]);
    expect(finite.containsInfinity()).toBe(false);
    expect(infinitePaths(finite)).toEqual([]);
    expect(infiniteAsNull(finite)).toBe(finite);
    expect(greaterThan(quotient, number(1)).containsInfinity()).toBe(false);
  });
});
