import { objectTypeBySortedNames } from '../object-type.ts';
import { collectionType, DYNAMIC, tupleType, type Type } from '../type.ts';
import type { FindConversion } from './find-conversion.ts';
import { unifyTypes } from './unify.ts';

/**
 * Replaces each dynamic in the target type of a conversion with the corresponding part of the source type. The
 * conversion must exist. Without a corresponding part, dynamic remains.
 */
export function replaceDynamic(from: Type, to: Type, find: FindConversion): Type {
  if (from === DYNAMIC || from === to) return to;
  switch (to.kind) {
    case 'dynamic':
      return from;
    case 'map':
      if (from.kind === 'map')
        return collectionType('map', replaceDynamic(from.element, to.element, find));
      return from.kind === 'object' ? replaceWithUnified('map', from.types, to.element, find) : to;
    case 'list':
    case 'set':
      if (from.kind === 'set' || from.kind === 'list') {
        return collectionType(to.kind, replaceDynamic(from.element, to.element, find));
      }
      return from.kind === 'tuple'
        ? replaceWithUnified(to.kind, from.elements, to.element, find)
        : to;
    case 'object': {
      const types = to.types.map((type, i) => {
        if (from.kind === 'map') return replaceDynamic(from.element, type, find);
        const j = from.kind === 'object' ? from.indexOf(to.names[i] as string) : undefined;
        return j === undefined || from.kind !== 'object'
          ? type
          : replaceDynamic(from.types[j] as Type, type, find);
      });
      return objectTypeBySortedNames(to.names, types);
    }
    case 'tuple':
      if (from.kind !== 'tuple') return to;
      return tupleType(
        to.elements.map((type, i) => replaceDynamic(from.elements[i] ?? DYNAMIC, type, find)),
      );
    default:
      return to;
  }
}

function replaceWithUnified(
  kind: 'list' | 'set' | 'map',
  types: readonly Type[],
  element: Type,
  find: FindConversion,
): Type {
  const unified = unifyTypes(types, true, find);
  return collectionType(
    kind,
    unified === undefined ? element : replaceDynamic(unified, element, find),
  );
}
