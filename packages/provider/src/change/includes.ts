import { compareNum, conforms } from '@terrane/cty';
import type { Num, Refinement, Value } from '@terrane/cty';

/**
 * Returns true if a value is in the range of another (cty `ValueRange.Includes`): undefined if that is unknown. The
 * range of a known value is its type and whether it is null; of an unknown one its type and refinement.
 */
export function includes(range: Value, v: Value): boolean | undefined {
  if (range.isKnown) {
    if (range.isNull) return v.isNull;
    if (v.isNull) return false;
  } else {
    if (v.isNull) return range.refinement?.notNull !== true;
    if (range.type.kind === 'dynamic') return undefined;
  }
  if (!conforms(v.type, range.type)) return false;
  if (v.type.kind === 'dynamic') return undefined;
  const bounds = range.isKnown ? boundsOfKnown(range) : range.refinement;
  return bounds !== undefined && outside(bounds, v) ? false : undefined;
}

function boundsOfKnown(v: Value): Refinement | undefined {
  switch (v.type.kind) {
    case 'string':
      return { prefix: v.asString() };
    case 'number': {
      const bound = { value: v.asNum(), inclusive: true };
      return { min: bound, max: bound };
    }
    case 'list':
    case 'set':
    case 'map':
      return { minLength: v.length, maxLength: v.length };
    default:
      return undefined;
  }
}

function outside(r: Refinement, v: Value): boolean {
  switch (v.type.kind) {
    case 'string':
      return v.isKnown && r.prefix !== undefined && !v.asString().startsWith(r.prefix);
    case 'number':
      return v.isKnown && outsideNumbers(r, v.asNum());
    case 'list':
    case 'set':
    case 'map':
      return outsideLengths(r, v);
    default:
      return false;
  }
}

function outsideNumbers({ min, max }: Refinement, n: Num): boolean {
  if (min !== undefined) {
    const order = compareNum(n, min.value);
    if (order < 0 || (order === 0 && !min.inclusive)) return true;
  }
  if (max === undefined) return false;
  const order = compareNum(n, max.value);
  return order > 0 || (order === 0 && !max.inclusive);
}

function outsideLengths(r: Refinement, v: Value): boolean {
  const [low, high] = lengthRange(v);
  return high < (r.minLength ?? 0) || low > (r.maxLength ?? Infinity);
}

function lengthRange(v: Value): readonly [number, number] {
  if (!v.isKnown) return [v.refinement?.minLength ?? 0, v.refinement?.maxLength ?? Infinity];
  // Unknown elements of a set may become equal.
  if (v.type.kind === 'set' && !v.isWhollyKnown()) return [Math.min(1, v.length), v.length];
  return [v.length, v.length];
}
