import type { InstanceAddr } from '@terrane/addresses';
import type { StoredObject } from '@terrane/engine';
import type { HistoryIndex } from '../record/history-store.ts';
import { schemaKey } from '../record/run-facts.ts';

/** Returns the sensitive parts of an object; undefined if the history does not contain its schema. */
export function sensitiveOf(
  { resource: { resource } }: InstanceAddr,
  object: StoredObject | undefined,
  schemas: HistoryIndex['schemas'],
): HistoryIndex['schemas'][string] | undefined {
  if (object === undefined) return undefined;
  const key = schemaKey(object.provider.provider.text, `${resource.mode}.${resource.type}`);
  return Object.hasOwn(schemas, key) ? schemas[key] : undefined;
}
