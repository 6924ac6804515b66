import { equalNum, type Num } from './number.ts';
import { internMarks } from './marks.ts';
import { equalRefinement, Unknown } from './unknown.ts';
import type { ValueData } from './value-data.ts';

/** Exact equality of two values; see {@link Value.rawEquals}. */
export function rawEqual(a: ValueData, b: ValueData): boolean {
  if (a === b) return true;
  if (a.type !== b.type || !sameMarks(a, b)) return false;
  const x = a.payload;
  const y = b.payload;
  if (x === null || y === null) return x === y;
  if (x instanceof Unknown || y instanceof Unknown) {
    return (
      x instanceof Unknown && y instanceof Unknown && equalRefinement(x.refinement, y.refinement)
    );
  }
  switch (a.type.kind) {
    case 'number':
      return equalNum(x as Num, y as Num);
    case 'list':
    case 'set':
    case 'tuple':
    case 'object':
      return equalParts(x as readonly ValueData[], y as readonly ValueData[]);
    case 'map':
      return equalMaps(x as ReadonlyMap<string, ValueData>, y as ReadonlyMap<string, ValueData>);
    default:
      return x === y;
  }
}

function sameMarks(a: ValueData, b: ValueData): boolean {
  return a.marks === b.marks || internMarks(a.marks) === internMarks(b.marks);
}

function equalParts(a: readonly ValueData[], b: readonly ValueData[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!rawEqual(a[i] as ValueData, b[i] as ValueData)) return false;
  }
  return true;
}

function equalMaps(a: ReadonlyMap<string, ValueData>, b: ReadonlyMap<string, ValueData>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !rawEqual(value, other)) return false;
  }
  return true;
}
