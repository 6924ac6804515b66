import { type InstanceKey, UNKNOWN_KEY } from '@terrane/addresses';
import {
  DYNAMIC,
  integer,
  NUMBER,
  STRING,
  str,
  unknownOf,
  UNKNOWN,
  type Value,
} from '@terrane/cty';

/** The instances of a resource or module call, determined by its `count`, `for_each` or `enabled`. */
export type Expansion =
  | { readonly kind: 'single' }
  /** `enabled` is false: there is no instance, and the resource or module is null */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'forEach'; readonly each: ReadonlyMap<string, Value> }
  /** The instances are not known yet: during validation, or where the change is deferred. */
  | { readonly kind: 'unknown'; readonly by: 'count' | 'forEach' };

/** The values of `count` and `each` in one instance; undefined parts cannot be referenced there. */
export interface Repetition {
  readonly countIndex?: Value;
  readonly eachKey?: Value;
  readonly eachValue?: Value;
}

/** Neither `count` nor `each` can be used. */
export const NO_REPETITION: Repetition = {};

/** During validation no index or key is known. */
const UNKNOWN_COUNT: Repetition = { countIndex: unknownOf(NUMBER, { notNull: true }) };
const UNKNOWN_EACH: Repetition = {
  eachKey: unknownOf(STRING, { notNull: true }),
  eachValue: unknownOf(DYNAMIC),
};

/** One instance, without a key. */
export const SINGLE: Expansion = { kind: 'single' };
/** The expansion without instances of an object that is not enabled. */
export const DISABLED: Expansion = { kind: 'disabled' };

/** Returns the keys of the instances, in order. An unknown expansion has one placeholder for all of them. */
export function keysOf(expansion: Expansion): readonly InstanceKey[] {
  switch (expansion.kind) {
    case 'single':
      return [undefined];
    case 'unknown':
      return [UNKNOWN_KEY];
    case 'disabled':
      return [];
    case 'count':
      return indicesBelow(expansion.count);
    case 'forEach':
      return [...expansion.each.keys()];
  }
}

/** Returns true if an instance has the given key. An unknown expansion only has the placeholder. */
export function hasInstance(expansion: Expansion, key: InstanceKey): boolean {
  switch (expansion.kind) {
    case 'single':
      return key === undefined;
    case 'unknown':
      return key === UNKNOWN_KEY;
    case 'disabled':
      return false;
    case 'count':
      return Number.isInteger(key) && Number(key) >= 0 && Number(key) < expansion.count;
    case 'forEach':
      return typeof key === 'string' && expansion.each.has(key);
  }
}

/** A loop takes a tenth of the time of `Array.from`. */
function indicesBelow(count: number): readonly number[] {
  const indices: number[] = [];
  for (let index = 0; index < count; index++) indices.push(index);
  return indices;
}

/** Returns the repetition of the instance of an expansion with the given key. */
export function repetitionOf(expansion: Expansion, key: InstanceKey): Repetition {
  switch (expansion.kind) {
    case 'single':
    case 'disabled':
      return NO_REPETITION;
    case 'unknown':
      return expansion.by === 'count' ? UNKNOWN_COUNT : UNKNOWN_EACH;
    case 'count':
      return typeof key === 'number' ? { countIndex: integer(key) } : NO_REPETITION;
    case 'forEach':
      if (typeof key !== 'string') return NO_REPETITION;
      return { eachKey: str(key), eachValue: expansion.each.get(key) ?? UNKNOWN };
  }
}

/** Returns the repetition of an instance with known key: `each.value` is unknown. */
export function repetitionOfKey(key: InstanceKey): Repetition {
  if (typeof key === 'number') return { countIndex: integer(key) };
  if (typeof key === 'string') return { eachKey: str(key), eachValue: UNKNOWN };
  return NO_REPETITION;
}
