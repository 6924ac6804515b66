import { isUnknown } from '@terrane/provider/sdk';
import type { AttributeDefinition } from './schema-of.ts';

/** Returns true for null, and for values that the older SDK does not distinguish from it. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && !isUnknown(value) && Object.keys(value).length === 0;
}

/** The value that the older SDK stores for an unset argument: the empty text, zero, false or no elements. */
export function emptyOf({ type, writeOnly }: AttributeDefinition): unknown {
  if (writeOnly === true) return null;
  switch (type?.kind) {
    case 'string':
      return '';
    case 'number':
      return 0;
    case 'bool':
      return false;
    case 'list':
    case 'set':
      return [];
    case 'map':
      return {};
    default:
      return null;
  }
}
