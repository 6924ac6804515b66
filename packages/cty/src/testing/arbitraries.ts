import fc from 'fast-check';
import { bool, NULL, UNKNOWN } from '../constants.ts';
import { parseNumber } from '../number-text.ts';
import { unknownOf } from '../refine.ts';
import { objectType } from '../object-type.ts';
import {
  BOOL,
  DYNAMIC,
  isCollection,
  listType,
  mapType,
  NUMBER,
  setType,
  STRING,
  tupleType,
  type Type,
} from '../type.ts';
import type { Refinement } from '../unknown.ts';
import { nullOf, type Value } from '../value.ts';
import { list, map, number, objectOf, set, str, tuple } from '../values.ts';

/** Attribute names and map keys, some of which UTF-16 and UTF-8 order differently. */
export const names: fc.Arbitrary<string> = fc.constantFrom(
  'a',
  'b',
  'foo',
  'id',
  'é',
  '\u{1F600}',
  '\uffee',
);

/** Numbers of all sizes, as text. */
export const numberTexts: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.maxSafeInteger().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: -60, max: 60 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`),
);

/** Numbers with 512 bits. */
export const numbers: fc.Arbitrary<Value> = numberTexts.map((text) =>
  number(parseNumber(text) ?? 0),
);

const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'true', '12', 'é', '\u{1F600}x', '\uffee', 'a\nb"\\<>&\u2028'),
  fc.string({ maxLength: 5 }),
);

const { anyType } = fc.letrec<{ anyType: Type }>((tie) => ({
  anyType: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(BOOL, NUMBER, STRING),
    fc.constant<Type>(DYNAMIC),
    tie('anyType').map(listType),
    tie('anyType').map(setType),
    tie('anyType').map(mapType),
    fc.array(tie('anyType'), { maxLength: 3 }).map(tupleType),
    fc.dictionary(names, tie('anyType'), { maxKeys: 3 }).map((types) => objectType(types)),
  ),
}));

/** Types of all kinds but capsules, without optional attributes. */
export const types: fc.Arbitrary<Type> = anyType;

function refinementsOf(type: Type): fc.Arbitrary<Refinement> {
  const range = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
  const notNull = fc.boolean().map((yes): Refinement => (yes ? { notNull: true } : {}));
  if (type === STRING) {
    const prefix = fc.constantFrom('', 'a', 'ab');
    return fc.tuple(notNull, prefix).map(([r, text]) => ({ ...r, prefix: text }));
  }
  if (type === NUMBER) {
    return fc.tuple(notNull, range).map(([r, [min, more]]) => ({
      ...r,
      min: { value: min, inclusive: true },
      max: { value: min + more, inclusive: true },
    }));
  }
  if (isCollection(type)) {
    return fc.tuple(notNull, range).map(([r, [min, more]]) => {
      return { ...r, minLength: min, maxLength: min + more };
    });
  }
  return type === DYNAMIC ? fc.constant({}) : notNull;
}

function knownOf(type: Type, unknowns: boolean): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'bool':
      return fc.boolean().map(bool);
    case 'number':
      return numbers;
    case 'string':
      return texts.map(str);
    case 'list':
    case 'set': {
      const make = type.kind === 'list' ? list : set;
      const elements = fc.array(valuesOf(type.element, unknowns), { maxLength: 4 });
      return elements.map((values) => make(type.element, values));
    }
    case 'map':
      return fc
        .dictionary(names, valuesOf(type.element, unknowns), { maxKeys: 3 })
        .map((entries) => map(type.element, Object.entries(entries)));
    case 'tuple':
      return fc.tuple(...type.elements.map((t) => valuesOf(t, unknowns))).map(tuple);
    case 'object':
      return fc
        .tuple(...type.types.map((t) => valuesOf(t, unknowns)))
        .map((values) => objectOf(type, values));
    default:
      return unknowns ? fc.constantFrom(NULL, UNKNOWN) : fc.constant(NULL);
  }
}

/** Values of a type, including null, and unknown ones if requested. */
export function valuesOf(type: Type, unknowns: boolean): fc.Arbitrary<Value> {
  const choices = [
    { weight: 8, arbitrary: knownOf(type, unknowns) },
    { weight: 1, arbitrary: fc.constant(nullOf(type)) },
  ];
  if (unknowns) {
    choices.push({ weight: 2, arbitrary: refinementsOf(type).map((r) => unknownOf(type, r)) });
  }
  return fc.oneof(...choices);
}

/** Values of any type. */
export function values(unknowns: boolean): fc.Arbitrary<Value> {
  return types.chain((type) => valuesOf(type, unknowns));
}
