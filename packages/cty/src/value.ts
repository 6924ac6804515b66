import { Bug } from './bug.ts';
import {
  DEPRECATED_BIT,
  EPHEMERAL_BIT,
  MARKED_BIT,
  type Mark,
  type Marks,
  markBits,
  NO_MARKS,
  SENSITIVE_BIT,
  unionMarks,
} from './marks.ts';
import { marksAtPaths, withoutMarks, withoutMarksWithPaths } from './marks-deep.ts';
import type { Num } from './number.ts';
import { PathError } from './path-error.ts';
import { rawEqual } from './raw-equal.ts';
import { hashOf } from './set-order.ts';
import { normalizeText } from './text.ts';
import { DYNAMIC, hasDynamic, nodeOf, NUMBER, STRING, type Type, type TypeCaches } from './type.ts';
import { type Refinement, TOTALLY_UNKNOWN, Unknown, UNKNOWN_NOT_NULL } from './unknown.ts';
import type { MarksAt } from './value-data.ts';

/** Set if this value or a part of it is unknown. */
const UNKNOWN_IN = 1;
/** An unknown value in it has refinements. */
export const REFINED_IN = 32;
/** An unknown value in it has a type that is not wholly known. */
const UNTYPED_IN = 64;
/** Set for an infinite number and for a value with one in it. */
export const INFINITE_IN = 1024;
/** The bits that a compound value inherits from its parts (with the mark bits 2 to 16 of marks.ts). */
const INHERITED = 127 | INFINITE_IN;
/** Set if this value itself is unknown. */
export const UNKNOWN_SELF = 128;
/** Set for a number stored as a JavaScript number with the precision of machine integers (64 bits). */
export const PRECISION_64 = 256;
/** Set for a number stored as a JavaScript number with the precision of doubles (53 bits). */
export const PRECISION_53 = 512;

/** The paths of values without marks. */
const NO_PATHS: readonly MarksAt<Value>[] = [];

const MARK_BITS = MARKED_BIT | SENSITIVE_BIT | EPHEMERAL_BIT | DEPRECATED_BIT;

/**
 * The content of a value by type: boolean, string or number; the elements of a list or tuple; those of a set in
 * canonical order; the attributes of an object by their index in the type; a map from sorted keys; null; an `Unknown`;
 * the content of a capsule.
 */
export type Payload =
  | boolean
  | string
  | Num
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | null
  | Unknown
  | object;

/**
 * A value of the language: it has a type, and may be unknown, null or marked. Immutable. Values are numerous, so all
 * have the same four fields, and the results of deep queries (unknown parts, marks) are summarized in `flags` when the
 * value is created. `declare` avoids that each field is first initialized as undefined, and there are no private
 * methods, for which JavaScript engines add a field to each object.
 */
export class Value {
  declare readonly type: Type;
  /** Marks of this value, without those of its parts. */
  declare readonly marks: Marks;
  /** See {@link Payload}; for codecs and hot paths of this package and of trusted callers. */
  declare readonly payload: unknown;
  /** Bits as declared above. */
  declare readonly flags: number;

  constructor(type: Type, payload: unknown, marks: Marks, flags: number) {
    this.type = type;
    this.marks = marks;
    this.payload = payload;
    this.flags = flags;
  }

  /** Returns true if the value is null. An unknown value is not, though it may become null. */
  get isNull(): boolean {
    return this.payload === null;
  }

  /** Returns true if the value itself is known; parts of it may not be. Null is known. */
  get isKnown(): boolean {
    return (this.flags & UNKNOWN_SELF) === 0;
  }

  /** Returns true if the value itself is marked. */
  get isMarked(): boolean {
    // Nearly all values share the same empty set, whose size need not be read.
    return this.marks !== NO_MARKS && this.marks.size > 0;
  }

  /** Returns true if the value and all its parts are known. Takes constant time. */
  isWhollyKnown(): boolean {
    return (this.flags & UNKNOWN_IN) === 0;
  }

  /** Returns true if all types in the value are known: no part is unknown and of dynamic type. Takes constant time. */
  hasWhollyKnownType(): boolean {
    return (this.flags & UNTYPED_IN) === 0;
  }

  /** Returns true if the value or a part of it is an infinite number, which JSON does not have. Takes constant time. */
  containsInfinity(): boolean {
    return (this.flags & INFINITE_IN) !== 0;
  }

  /** Returns true if the value or any part of it is marked. Takes constant time. */
  containsMarked(): boolean {
    return (this.flags & MARKED_BIT) !== 0;
  }

  /** Returns true if the value itself has a mark of that kind. */
  hasMark(kind: 'sensitive' | 'ephemeral' | 'deprecated'): boolean {
    return this.marks.size > 0 && (markBits(this.marks) & bitOfKind(kind)) !== 0;
  }

  /** Returns true if the value or any part of it has a mark of that kind. Takes constant time. */
  hasMarkDeep(kind: 'sensitive' | 'ephemeral' | 'deprecated'): boolean {
    return (this.flags & bitOfKind(kind)) !== 0;
  }

  /** The value with one more mark. */
  mark(mark: Mark): Value {
    return this.withMarks(new Set([mark]));
  }

  /** The value with these marks added to its own. */
  withMarks(marks: Marks): Value {
    if (marks === NO_MARKS || marks.size === 0) return this;
    const united = unionMarks(this.marks, marks);
    if (united === this.marks) return this;
    return new Value(this.type, this.payload, united, this.flags | markBits(united));
  }

  /** The value with the own marks of the others added. */
  withSameMarks(...others: Value[]): Value {
    let result: Value = this;
    for (const other of others) result = result.withMarks(other.marks);
    return result;
  }

  /** Returns the value without its own marks; marks of its parts are preserved. */
  unmark(): Value {
    if (this.marks === NO_MARKS || this.marks.size === 0) return this;
    const flags = (this.flags & ~MARK_BITS) | (inheritedFlags(this.payload) & MARK_BITS);
    return new Value(this.type, this.payload, NO_MARKS, flags);
  }

  /** The value without any marks, and the union of all marks that were in it. */
  unmarkDeep(): { readonly value: Value; readonly marks: Marks } {
    if ((this.flags & MARKED_BIT) === 0) return { value: this, marks: NO_MARKS };
    return withoutMarks<Value>(this);
  }

  /** Returns the value without any marks, and the removed marks with their paths. Outer paths come first. */
  unmarkDeepWithPaths(): { readonly value: Value; readonly paths: readonly MarksAt<Value>[] } {
    if ((this.flags & MARKED_BIT) === 0) return { value: this, paths: NO_PATHS };
    return withoutMarksWithPaths<Value>(this);
  }

  /**
   * Returns the value with the marks at `paths` restored. Paths that do not exist are ignored; marks inside a set go to
   * the set, since elements of sets carry none.
   */
  markWithPaths(paths: readonly MarksAt<Value>[]): Value {
    return paths.length === 0 ? this : marksAtPaths<Value>(this, paths);
  }

  /** Returns the text of a known, unmarked string. */
  asString(): string {
    if (typeof this.payload !== 'string' || this.type !== STRING) rejectKind(this, 'string');
    needUnmarked(this);
    return this.payload;
  }

  /** The truth of a known, unmarked bool. */
  asBool(): boolean {
    if (typeof this.payload !== 'boolean') rejectKind(this, 'bool');
    needUnmarked(this);
    return this.payload;
  }

  /** The number of a known, unmarked number. */
  asNum(): Num {
    if (this.type !== NUMBER || this.payload === null || !this.isKnown) rejectKind(this, 'number');
    needUnmarked(this);
    return this.payload as Num;
  }

  /** The number of a known, unmarked number that is a safe integer. */
  asInt(): number {
    const n = this.asNum();
    if (typeof n !== 'number' || !Number.isFinite(n)) rejectKind(this, 'safe integer');
    return n;
  }

  /** The hidden object of a known, unmarked capsule. */
  asCapsule(): unknown {
    if (this.type.kind !== 'capsule' || this.payload === null || !this.isKnown) {
      rejectKind(this, 'capsule');
    }
    needUnmarked(this);
    return this.payload;
  }

  /**
   * Key and element of each part of a known, unmarked value, in order: index, canonical order of sets, code point order
   * of keys. Elements of sets are their own keys.
   */
  entries(): readonly (readonly [Value, Value])[] {
    const elements = this.elements();
    switch (this.type.kind) {
      case 'set':
        return elements.map((v) => [v, v]);
      case 'map':
        return [...(this.payload as ReadonlyMap<string, Value>)].map(([k, v]) => [textValue(k), v]);
      case 'object': {
        const names = this.type.names;
        return elements.map((v, i) => [textValue(names[i] as string), v]);
      }
      default:
        return elements.map((v, i) => [indexValue(i), v]);
    }
  }

  /** The elements of a known, unmarked collection, tuple or object, in the order of {@link entries}. */
  elements(): readonly Value[] {
    if (this.marks !== NO_MARKS) needUnmarked(this);
    const payload = this.payload;
    if (Array.isArray(payload)) return payload as readonly Value[];
    if (payload instanceof Map && this.type.kind === 'map') {
      return [...(payload as ReadonlyMap<string, Value>).values()];
    }
    return rejectKind(this, 'value with elements');
  }

  /**
   * The number of elements of a known collection (unknown elements of a set count as distinct); always defined for a
   * tuple or object.
   */
  get length(): number {
    switch (this.type.kind) {
      case 'tuple':
        return this.type.elements.length;
      case 'object':
        return this.type.names.length;
      case 'map':
        if (this.payload instanceof Map) return this.payload.size;
        break;
      default:
        if (Array.isArray(this.payload)) return this.payload.length;
    }
    return rejectKind(this, 'value with elements');
  }

  /** An attribute of an object; its marks are joined by the object's. Of an unknown object it is unknown. */
  attr(name: string): Value {
    const type = this.type;
    if (type === DYNAMIC) return plainUnknown(DYNAMIC).withMarks(this.marks);
    if (type.kind !== 'object') throw new PathError('not an object type');
    if (this.payload === null) throw new PathError('cannot access attributes on a null value');
    const i = type.indexOf(name) ?? type.indexOf(normalizeText(name));
    if (i === undefined) throw new PathError(`object has no attribute ${JSON.stringify(name)}`);
    const value = this.isKnown
      ? ((this.payload as readonly Value[])[i] as Value)
      : plainUnknown(type.types[i] as Type);
    return this.marks.size === 0 ? value : value.withMarks(this.marks);
  }

  /** The attribute of an object or element of a map, if the value is known, not null, unmarked and has it. */
  get(key: string): Value | undefined {
    if (this.marks !== NO_MARKS && this.marks.size > 0) return undefined;
    const { type, payload } = this;
    if (type.kind === 'object') {
      if (!Array.isArray(payload)) return undefined;
      const i = type.indexOf(key);
      return i === undefined ? undefined : (payload as readonly Value[])[i];
    }
    if (type.kind === 'map' && payload instanceof Map) {
      return (payload as ReadonlyMap<string, Value>).get(key);
    }
    return undefined;
  }

  /** The element of a list, set or tuple at a position, if the value is known, not null, unmarked and long enough. */
  at(i: number): Value | undefined {
    const sequence =
      this.type.kind === 'list' || this.type.kind === 'set' || this.type.kind === 'tuple';
    if (!sequence || this.marks.size > 0 || !Array.isArray(this.payload)) return undefined;
    return (this.payload as readonly Value[])[i];
  }

  /** Returns true if both are the same value in every respect: type, content, unknowns with refinements, nulls, marks. */
  rawEquals(other: Value): boolean {
    return rawEqual(this, other);
  }

  /** A number that equal values share. Marks do not count. */
  hash(): number {
    return hashOf(this);
  }

  /** The refinement of an unknown value. */
  get refinement(): Refinement | undefined {
    return this.payload instanceof Unknown ? this.payload.refinement : undefined;
  }

  /** Returns a value with other parts of the same types in the same order; marks are preserved. */
  withParts(payload: readonly Value[] | ReadonlyMap<string, Value>): Value {
    const flags = inheritedFlags(payload) | markBits(this.marks);
    return new Value(this.type, payload, this.marks, flags);
  }
}

function needUnmarked(v: Value): void {
  if (v.marks.size > 0) throw new Bug('value is marked, so it must be unmarked first');
}

function rejectKind(v: Value, expected: string): never {
  const state = !v.isKnown ? 'unknown ' : v.payload === null ? 'null ' : '';
  throw new Bug(`${state}${v.type.kind} is no known ${expected}`);
}

function bitOfKind(kind: 'sensitive' | 'ephemeral' | 'deprecated'): number {
  if (kind === 'sensitive') return SENSITIVE_BIT;
  return kind === 'ephemeral' ? EPHEMERAL_BIT : DEPRECATED_BIT;
}

/** The flags that a value with this payload has from its parts. */
function inheritedFlags(payload: unknown): number {
  let flags = 0;
  if (Array.isArray(payload)) {
    const parts = payload as readonly Value[];
    for (let i = 0; i < parts.length; i++) flags |= (parts[i] as Value).flags;
  } else if (payload instanceof Map) {
    for (const part of (payload as ReadonlyMap<string, Value>).values()) flags |= part.flags;
  }
  return flags & INHERITED;
}

/** A known compound value of a type that fits the payload. */
export function compound(
  type: Type,
  payload: readonly Value[] | ReadonlyMap<string, Value>,
): Value {
  return new Value(type, payload, NO_MARKS, inheritedFlags(payload));
}

/** Returns the cached values of a type. */
export function cachesOf(type: Type): TypeCaches<Value> {
  return nodeOf(type).caches as TypeCaches<Value>;
}

/** The null value of a type. */
export function nullOf(type: Type): Value {
  const caches = cachesOf(type);
  return (caches.nullValue ??= new Value(type, null, NO_MARKS, 0));
}

/** The unknown value of a type, without refinements. */
export function plainUnknown(type: Type): Value {
  const caches = cachesOf(type);
  return (caches.unknownValue ??= new Value(
    type,
    TOTALLY_UNKNOWN,
    NO_MARKS,
    UNKNOWN_SELF | UNKNOWN_IN | (hasDynamic(type) ? UNTYPED_IN : 0),
  ));
}

/** Returns the unknown value of a type, refined as not null. Dynamic values carry no refinements. */
export function unknownNotNull(type: Type): Value {
  if (type === DYNAMIC) return plainUnknown(type);
  const caches = cachesOf(type);
  return (caches.notNullValue ??= unknownWith(type, UNKNOWN_NOT_NULL));
}

/** An unknown value with that payload; the refinement must fit the type. */
export function unknownWith(type: Type, payload: Unknown): Value {
  const flags = UNKNOWN_SELF | UNKNOWN_IN | REFINED_IN | (hasDynamic(type) ? UNTYPED_IN : 0);
  return new Value(type, payload, NO_MARKS, flags);
}

/** The value of a number; `precision` is 0 for the precision of text or of the {@link BigFloat} itself. */
export function numberValue(
  n: Num,
  precision: 0 | typeof PRECISION_64 | typeof PRECISION_53,
): Value {
  const isInfinite = n === Infinity || n === -Infinity;
  return new Value(NUMBER, n, NO_MARKS, isInfinite ? precision | INFINITE_IN : precision);
}

/** Smaller integers, which most are, share their values. */
const SHARED_INTEGERS = 1024;
const machineIntegers = new Array<Value | undefined>(SHARED_INTEGERS);
const textIntegers = new Array<Value | undefined>(SHARED_INTEGERS);

/**
 * The value of a number stored as a JavaScript number with the precision of text (`flags` 0) or of machine integers
 * ({@link PRECISION_64}).
 */
export function integerValue(n: number, flags: 0 | typeof PRECISION_64): Value {
  if (n >= 0 && n < SHARED_INTEGERS && !Object.is(n, -0)) {
    const shared = flags === 0 ? textIntegers : machineIntegers;
    return (shared[n] ??= new Value(NUMBER, n, NO_MARKS, flags));
  }
  return numberValue(n, flags);
}

/** A non-negative integer as a key. */
export function indexValue(i: number): Value {
  return integerValue(i, PRECISION_64);
}

/** Returns the string value of normalised text. */
export function textValue(s: string): Value {
  return new Value(STRING, s, NO_MARKS, 0);
}
