import { list, map, object, set, tuple } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type { CompiledObject } from './compile.ts';

/** Maps the objects in a nested value; returns the value itself if none changes. */
export function overElements(
  inner: CompiledObject,
  nesting: string,
  v: Value,
  f: (element: Value, key: Value | undefined, index: number) => Value,
): Value {
  if (v.isNull || !v.isKnown) return v;
  if (nesting === 'single' || nesting === 'group') return f(v, undefined, 0);
  const keys: Value[] = [];
  const before: Value[] = [];
  for (const [key, element] of v.entries()) {
    keys.push(key);
    before.push(element);
  }
  const after = before.map((element, i) => f(element, keys[i], i));
  if (after.every((element, i) => element === before[i])) return v;
  const type = after[0]?.type ?? inner.layout.type;
  switch (v.type.kind) {
    case 'list':
      return list(type, after);
    case 'set':
      return set(type, after);
    case 'tuple':
      return tuple(after);
    default: {
      const entries = after.map((element, i) => [keys[i]?.asString() ?? '', element] as const);
      return v.type.kind === 'map' ? map(type, entries) : object(new Map(entries));
    }
  }
}

/** The counterpart of an element in another value of the same nesting. */
export function elementAt(nesting: string, v: Value, key: Value | undefined): Value | undefined {
  if (v.isNull || !v.isKnown) return undefined;
  if (nesting === 'single' || nesting === 'group' || key === undefined) return v;
  return nesting === 'map' ? v.get(key.asString()) : v.elements()[key.asInt()];
}
