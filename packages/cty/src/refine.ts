import { Bug } from './bug.ts';
import { compareNum, equalNum } from './number.ts';
import { normalizeText } from './text.ts';
import { DYNAMIC, isCollection, NUMBER, STRING, type Type } from './type.ts';
import { friendlyName } from './type-name.ts';
import {
  type Bound,
  equalRefinement,
  higherBound,
  lowerBound,
  type Refinement,
  Unknown,
} from './unknown.ts';
import { nullOf, plainUnknown, REFINED_IN, unknownNotNull, unknownWith, Value } from './value.ts';
import { list, map, set } from './values.ts';
import { transform } from './walk.ts';
import { NO_MARKS } from './marks.ts';

/** Returns the unknown value of a type, narrowed by an optional refinement; see {@link refine}. */
export function unknownOf(type: Type, refinement?: Refinement): Value {
  const unknown = plainUnknown(type);
  return refinement === undefined ? unknown : refine(unknown, refinement);
}

/**
 * Narrows an unknown value by what is given, in addition to what was known of it before. If only one value remains, or
 * the number of elements is settled, the result is known. Known values, and the unknown value without a type, are
 * returned as they are. Marks stay. A refinement that does not fit the type, or contradicts an earlier one, is a Bug.
 * A prefix is taken as it is; see `safePrefix` for text that may be followed by anything.
 */
export function refine(v: Value, r: Refinement): Value {
  const payload = v.payload;
  if (!(payload instanceof Unknown) || v.type === DYNAMIC) return v;
  checkFits(v.type, r);
  const merged = merge(payload.refinement, r);
  if (equalRefinement(merged, payload.refinement)) return v;
  return narrowedUnknown(v.type, merged).withMarks(v.marks);
}

/** Refines a value as not null. Unknown values without a type are unchanged. */
export function refineNotNull(v: Value): Value {
  if (v.isKnown || v.type === DYNAMIC) return v;
  const refinement = v.refinement;
  if (refinement === undefined) return unknownNotNull(v.type).withMarks(v.marks);
  return refinement.notNull === true ? v : refine(v, { notNull: true });
}

function checkFits(type: Type, r: Refinement): void {
  const misfit =
    (r.prefix !== undefined && type !== STRING) ||
    ((r.min !== undefined || r.max !== undefined) && type !== NUMBER) ||
    ((r.minLength !== undefined || r.maxLength !== undefined) && !isCollection(type));
  if (misfit) throw new Bug(`refinement does not fit an unknown ${friendlyName(type)}`);
}

function merge(old: Refinement | undefined, more: Refinement): Refinement | undefined {
  const notNull = old?.notNull === true || more.notNull === true;
  const prefix = mergePrefix(old?.prefix, more.prefix);
  const min = finite(higherBound(old?.min, more.min), -Infinity);
  const max = finite(lowerBound(old?.max, more.max), Infinity);
  const minLength = Math.max(old?.minLength ?? 0, more.minLength ?? 0);
  const maxLength = Math.min(old?.maxLength ?? Infinity, more.maxLength ?? Infinity);
  if (min !== undefined && max !== undefined && isEmptyRange(min, max)) {
    throw new Bug('refined number bounds exclude every number');
  }
  if (minLength > maxLength) throw new Bug('refined length bounds exclude every length');
  const merged: { -readonly [Key in keyof Refinement]: Refinement[Key] } = {};
  if (notNull) merged.notNull = notNull;
  if (prefix !== undefined && prefix !== '') merged.prefix = prefix;
  if (min !== undefined) merged.min = min;
  if (max !== undefined) merged.max = max;
  if (minLength !== 0) merged.minLength = minLength;
  if (maxLength < Number.MAX_SAFE_INTEGER) merged.maxLength = maxLength;
  return notNull || isNarrow(merged) ? merged : undefined;
}

/** Returns true if a refinement constrains more than whether the value is null. */
function isNarrow({ prefix, min, max, minLength, maxLength }: Refinement): boolean {
  return (
    prefix !== undefined ||
    min !== undefined ||
    max !== undefined ||
    minLength !== undefined ||
    maxLength !== undefined
  );
}

function finite(bound: Bound | undefined, unbounded: number): Bound | undefined {
  return bound?.value === unbounded ? undefined : bound;
}

function isEmptyRange(min: Bound, max: Bound): boolean {
  const order = compareNum(min.value, max.value);
  return order > 0 || (order === 0 && min.inclusive !== max.inclusive);
}

function mergePrefix(old: string | undefined, more: string | undefined): string | undefined {
  if (more === undefined) return old;
  const normal = normalizeText(more);
  if (old === undefined) return normal;
  const longer = normal.length > old.length ? normal : old;
  const shorter = longer === normal ? old : normal;
  if (!longer.startsWith(shorter)) throw new Bug('refined prefixes contradict each other');
  return longer;
}

function narrowedUnknown(type: Type, r: Refinement | undefined): Value {
  if (r === undefined) return plainUnknown(type);
  if (r.notNull === true) {
    const { min, max } = r;
    if (min?.inclusive === true && max?.inclusive === true && equalNum(min.value, max.value)) {
      return new Value(NUMBER, min.value, NO_MARKS, 0);
    }
    if (isCollection(type) && (r.minLength ?? 0) === r.maxLength) {
      const fixedValue = ofLength(type.kind, type.element, r.maxLength);
      if (fixedValue !== undefined) return fixedValue;
    }
    if (!isNarrow(r)) return unknownNotNull(type);
  }
  return unknownWith(type, new Unknown(r));
}

function ofLength(kind: 'list' | 'set' | 'map', element: Type, length: number): Value | undefined {
  if (kind === 'list') {
    return list(element, new Array<Value>(length).fill(plainUnknown(element)));
  }
  if (length === 0) return kind === 'set' ? set(element, []) : map(element, []);
  return kind === 'set' && length === 1 ? set(element, [plainUnknown(element)]) : undefined;
}

/** The value with the refinements of all unknown values in it dropped. */
export function unrefined(v: Value): Value {
  if ((v.flags & REFINED_IN) === 0) return v;
  return transform(v, (_, part) =>
    part.isKnown ? part : plainUnknown(part.type).withMarks(part.marks),
  );
}

/** Replaces every unknown value in a value by null. */
export function unknownAsNull(v: Value): Value {
  if (v.isWhollyKnown()) return v;
  return transform(v, (_, part) => (part.isKnown ? part : nullOf(part.type).withMarks(part.marks)));
}
