import { conforms } from './conformance.ts';
import { FALSE, TRUE } from './constants.ts';
import { unionMarks } from './marks.ts';
import { equalNum, type Num } from './number.ts';
import { definitelyNotNull, excludes } from './range.ts';
import { hashText } from './set-order.ts';
import { BOOL, hasDynamic } from './type.ts';
import { unknownNotNull, type Value } from './value.ts';

/** True, false, or undefined for "not known yet". */
export type Tristate = boolean | undefined;

/** The bool value for a three-valued truth: unknown (but not null) for undefined. */
export function fromTristate(t: Tristate): Value {
  if (t === undefined) return unknownNotNull(BOOL);
  return t ? TRUE : FALSE;
}

/**
 * Compares two values like the `==` operator. Nulls of all types are equal; values of different types are not. If the
 * result depends on unknown parts, it is an unknown bool, unless their refinements exclude equality. The result has all
 * marks of both values, at every depth.
 */
export function equal(a: Value, b: Value): Value {
  if (!a.containsMarked() && !b.containsMarked()) return fromTristate(equality(a, b));
  const x = a.unmarkDeep();
  const y = b.unmarkDeep();
  return fromTristate(equality(x.value, y.value)).withMarks(unionMarks(x.marks, y.marks));
}

/** {@link equal} for values without marks. */
export function equality(a: Value, b: Value): Tristate {
  if (a.isKnown && b.isKnown) return knownEquality(a, b);
  if (a.isNull && definitelyNotNull(b)) return false;
  if (b.isNull && definitelyNotNull(a)) return false;
  if (a.isKnown) return equalityWithUnknown(a, b);
  if (b.isKnown) return equalityWithUnknown(b, a);
  return undefined;
}

function equalityWithUnknown(known: Value, unknown: Value): Tristate {
  if (excludes(unknown, known)) return false;
  if (known.isNull || hasDynamic(unknown.type)) return undefined;
  return known.type === unknown.type ? undefined : false;
}

function knownEquality(a: Value, b: Value): Tristate {
  if (a.isNull || b.isNull) return a.isNull && b.isNull;
  if (!a.hasWhollyKnownType() || !b.hasWhollyKnownType()) {
    return conforms(a.type, b.type) || conforms(b.type, a.type) ? undefined : false;
  }
  if (a.type !== b.type) return false;
  const x = a.payload;
  const y = b.payload;
  if (x === y && a.isWhollyKnown()) return true;
  switch (a.type.kind) {
    case 'number':
      return equalNum(x as Num, y as Num);
    case 'list':
    case 'tuple':
      return sequenceEquality(x as readonly Value[], y as readonly Value[]);
    case 'object':
      return partsEquality(x as readonly Value[], y as readonly Value[]);
    case 'set':
      return setEquality(x as readonly Value[], y as readonly Value[]);
    case 'map':
      return mapEquality(x as ReadonlyMap<string, Value>, y as ReadonlyMap<string, Value>);
    default:
      return x === y;
  }
}

/** Compares two sequences in order. A difference counts only if everything before it is known. */
function sequenceEquality(x: readonly Value[], y: readonly Value[]): Tristate {
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) {
    const equals = equality(x[i] as Value, y[i] as Value);
    if (equals !== true) return equals;
  }
  return true;
}

/** Compares parts without order: one known difference decides, even if other parts are unknown. */
function partsEquality(x: readonly Value[], y: readonly Value[]): Tristate {
  let result: Tristate = true;
  for (let i = 0; i < x.length; i++) {
    const equals = equality(x[i] as Value, y[i] as Value);
    if (equals === false) return false;
    if (equals === undefined) result = undefined;
  }
  return result;
}

function mapEquality(x: ReadonlyMap<string, Value>, y: ReadonlyMap<string, Value>): Tristate {
  if (x.size !== y.size) return false;
  let result: Tristate = true;
  for (const [key, value] of x) {
    const other = y.get(key);
    if (other === undefined) return false;
    const equals = equality(value, other);
    if (equals === false) return false;
    if (equals === undefined) result = undefined;
  }
  return result;
}

/**
 * Compares two sets as cty does: only an element that is unknown as a whole leaves the result open; an element with
 * unknown parts counts as different from all others, including itself.
 */
function setEquality(x: readonly Value[], y: readonly Value[]): Tristate {
  if (x.some((v) => !v.isKnown) || y.some((v) => !v.isKnown)) return undefined;
  if (x.length !== y.length) return false;
  if (sequenceEquality(x, y) === true) return true;
  // Elements with equal hash texts may be in a different order, so search for each.
  return x.every(membershipIn(y)) && y.every(membershipIn(x));
}

/**
 * Returns a membership test for unmarked elements, for set operations. Its cost is independent of the number of
 * elements. A value with unknown parts is never a member.
 */
export function membershipIn(elements: readonly Value[]): (v: Value) => boolean {
  const elementsByHash = new Map<string, Value[]>();
  for (const element of elements) {
    const text = hashText(element);
    const same = elementsByHash.get(text);
    if (same === undefined) elementsByHash.set(text, [element]);
    else same.push(element);
  }
  return (v) =>
    (elementsByHash.get(hashText(v)) ?? []).some((other) => equality(v, other) === true);
}
