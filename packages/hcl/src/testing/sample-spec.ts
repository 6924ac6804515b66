import {
  DYNAMIC,
  listType,
  NUMBER,
  object,
  objectType,
  str,
  STRING,
  type Type,
} from '@terrane/cty';
import type { Spec } from '../decode/spec.ts';

function attr(name: string, type: Type, required = false): Spec {
  return { kind: 'attr', name, type, required };
}

/** An object spec from the specs of its attributes. */
export function objectSpec(attributes: Readonly<Record<string, Spec>>): Spec {
  return { kind: 'object', attributes: new Map(Object.entries(attributes)) };
}

const onlyA = objectSpec({ a: attr('a', STRING) });
const onlyD = objectSpec({ d: attr('d', DYNAMIC) });

/** The spec that the recorded bodies were decoded by: every kind there is. */
export const sampleSpec: Spec = objectSpec({
  s: attr('s', STRING),
  n: attr('n', NUMBER, true),
  l: attr('l', listType(STRING)),
  ob: attr('ob', objectType({ a: STRING, b: NUMBER })),
  one: {
    kind: 'block',
    type: 'one',
    required: false,
    nested: objectSpec({ a: attr('a', STRING), b: attr('b', DYNAMIC) }),
  },
  req: { kind: 'block', type: 'req', required: true, nested: onlyA },
  many: {
    kind: 'blockList',
    type: 'many',
    min: 1,
    max: 2,
    nested: objectSpec({
      a: attr('a', STRING),
      sub: {
        kind: 'blockSet',
        type: 'sub',
        min: 0,
        max: 0,
        nested: objectSpec({ x: attr('x', STRING) }),
      },
    }),
  },
  tup: { kind: 'blockTuple', type: 'tup', min: 0, max: 0, nested: onlyD },
  mp: { kind: 'blockMap', type: 'mp', labelNames: ['key'], nested: onlyA },
  oj: { kind: 'blockObject', type: 'oj', labelNames: ['k1', 'k2'], nested: onlyD },
  grp: {
    kind: 'default',
    primary: { kind: 'block', type: 'grp', required: false, nested: onlyA },
    fallback: object({ a: str('dflt') }),
  },
});
