import {
  Bug,
  DYNAMIC,
  emptyCollection,
  FALSE,
  integer,
  nullOf,
  object,
  str,
  type Type,
  type Value,
} from '@terrane/cty';
import { attributeType } from '../schema/implied-type.ts';
import type { AttributeSchema } from '../schema/model.ts';

/** Returns this number of random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** Bytes that look random and are the same for the same seed, of four bytes. */
export function repeatableBytes(seed: Uint8Array): RandomBytes {
  // A Xorshift generator stays at zero once it is zero.
  let state = seed.reduce((sum, byte) => (sum << 8) | byte, 0) || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
  return (count) => Uint8Array.from({ length: count }, next);
}

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** Generates a value for an attribute without a mock value (mocking.GenerateValueForAttribute). */
export function generatedAttribute(attribute: AttributeSchema, random: RandomBytes): Value {
  const { nested } = attribute;
  if (nested === undefined) return generatedValue(attribute.type ?? DYNAMIC, random);
  if (nested.nesting === 'single') {
    const members = Object.keys(nested.attributes).sort();
    return object(
      new Map(
        members.flatMap((name) => {
          const member = nested.attributes[name];
          return member === undefined ? [] : [[name, generatedAttribute(member, random)] as const];
        }),
      ),
    );
  }
  return emptyCollection(attributeType(attribute));
}

/** A value of a type: texts are random, numbers zero, truth values false, collections empty. */
export function generatedValue(type: Type, random: RandomBytes): Value {
  switch (type.kind) {
    case 'string':
      return str(randomText(random));
    case 'number':
      return integer(0);
    case 'bool':
      return FALSE;
    case 'list':
    case 'set':
    case 'map':
      return emptyCollection(type);
    case 'object': {
      const members = [...type.names].sort();
      return object(
        new Map(
          members.map((name) => [
            name,
            generatedValue(type.types[type.indexOf(name) ?? -1] ?? DYNAMIC, random),
          ]),
        ),
      );
    }
    case 'dynamic':
      // No generated value is certainly valid; null is at least unambiguous.
      return nullOf(DYNAMIC);
    default:
      throw new Bug(`no value is made up for a ${type.kind}`);
  }
}

function randomText(random: RandomBytes): string {
  return Array.from(random(LENGTH), (byte) => CHARACTERS[byte % CHARACTERS.length]).join('');
}
