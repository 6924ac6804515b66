import { map, transform } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';

/** Returns a value without null entries of maps, which the older SDK omits: `{ Env = null }` is `{}`. */
export function withoutNullEntries(v: Value): Value {
  if (!hasMaps(v.type)) return v;
  return transform(v, (_, part) => {
    const { type } = part;
    if (type.kind !== 'map' || part.isNull || !part.isKnown) return part;
    const entries = part.entries();
    const nonNull = entries.filter(([, entry]) => !entry.isNull);
    if (nonNull.length === entries.length) return part;
    return map(
      type.element,
      nonNull.map(([key, entry]) => [key.asString(), entry] as const),
    ).withMarks(part.marks);
  });
}

const answers = new WeakMap<Type, boolean>();

function hasMaps(type: Type): boolean {
  let answer = answers.get(type);
  if (answer === undefined) {
    answer = mapsIn(type);
    answers.set(type, answer);
  }
  return answer;
}

function mapsIn(type: Type): boolean {
  switch (type.kind) {
    case 'map':
    case 'dynamic':
      return true;
    case 'list':
    case 'set':
      return hasMaps(type.element);
    case 'object':
      return type.types.some(hasMaps);
    case 'tuple':
      return type.elements.some(hasMaps);
    default:
      return false;
  }
}
