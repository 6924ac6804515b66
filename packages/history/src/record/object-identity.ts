import type { StoredObject } from '@terrane/engine';
import { compactJson } from './compact-json.ts';

/**
 * Returns a text that identifies the remote object of a stored object among those of its type: its resource identity,
 * or its `id`. Returns undefined if the object has neither.
 */
export function objectIdentity(object: StoredObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  if (object.identityJson !== undefined) return compactJson(object.identityJson);
  const attributes: unknown = object.attributesFlat ?? JSON.parse(object.attributesJson ?? '{}');
  if (typeof attributes !== 'object' || attributes === null || !('id' in attributes))
    return undefined;
  const { id } = attributes;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
