import { quoteText } from '../text.ts';
import {
  type CollectionType,
  isCollection,
  type ObjectType,
  type TupleType,
  type Type,
} from '../type.ts';
import { friendlyNameForConstraint } from '../type-name.ts';
import type { FindConversion } from './find-conversion.ts';

/**
 * Describes why values of type `got` cannot be converted to `want`, using this conversion table. Requires that no
 * conversion exists.
 */
export function describeMismatch(got: Type, want: Type, find: FindConversion): string {
  if (got.kind === 'object' && want.kind === 'object') return objectMismatch(got, want, find);
  if (isCollection(want)) {
    if (want.element.kind === 'dynamic') {
      if (got.kind === 'tuple' && want.kind !== 'map') {
        return `all ${want.kind} elements must have the same type`;
      }
      if (got.kind === 'object' && want.kind === 'map') {
        return 'all map elements must have the same type';
      }
    }
    if (got.kind === 'tuple' || got.kind === 'object') return structuralMismatch(got, want, find);
    if (isCollection(got)) return collectionMismatch(got, want, find);
  }
  return requiredText(want);
}

function requiredText(want: Type): string {
  return `${friendlyNameForConstraint(want)} required`;
}

function converts(got: Type, want: Type, unsafe: boolean, find: FindConversion): boolean {
  return got === want || find(got, want, unsafe) !== undefined;
}

/**
 * Reports missing attributes first, then an attribute that cannot be converted, then one that cannot be converted
 * safely.
 */
function objectMismatch(got: ObjectType, want: ObjectType, find: FindConversion): string {
  const missing = want.names.filter(
    (name) => got.indexOf(name) === undefined && !want.optional.has(name),
  );
  if (missing.length > 0) return missingMessage(missing.map(quoteText));
  for (const unsafe of [true, false]) {
    for (let i = 0; i < want.names.length; i++) {
      const name = want.names[i] as string;
      const j = got.indexOf(name);
      if (j === undefined) continue;
      const from = got.types[j] as Type;
      const to = want.types[i] as Type;
      if (!converts(from, to, unsafe, find)) {
        return `attribute ${quoteText(name)}: ${describeMismatch(from, to, find)}`;
      }
    }
  }
  return 'incorrect object attributes';
}

function missingMessage(names: readonly string[]): string {
  if (names.length === 1) return `attribute ${names[0]} is required`;
  if (names.length === 2) return `attributes ${names[0]} and ${names[1]} are required`;
  return `attributes ${names.slice(0, -1).join(', ')}, and ${names.at(-1)} are required`;
}

function structuralMismatch(
  got: TupleType | ObjectType,
  want: CollectionType,
  find: FindConversion,
): string {
  if ((want.kind === 'map') !== (got.kind === 'object')) return requiredText(want);
  const types = got.kind === 'tuple' ? got.elements : got.types;
  for (let i = 0; i < types.length; i++) {
    const type = types[i] as Type;
    if (converts(type, want.element, true, find)) continue;
    const key = got.kind === 'tuple' ? String(i) : quoteText(got.names[i] as string);
    return `element ${key}: ${describeMismatch(type, want.element, find)}`;
  }
  return `all elements must be ${friendlyNameForConstraint(want.element)}`;
}

function collectionMismatch(
  got: CollectionType,
  want: CollectionType,
  find: FindConversion,
): string {
  if ((want.kind === 'map') !== (got.kind === 'map')) return requiredText(want);
  return `incorrect ${want.kind} element type: ${describeMismatch(got.element, want.element, find)}`;
}
