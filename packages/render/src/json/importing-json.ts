import type { PlannedChange } from '@terrane/engine';
import { JsonMembers } from './json-text.ts';
import { valueJson } from './value-json.ts';

/** Formats the import key of an adopted object for plan JSON and its event stream. */
export function importingJson({ id, identity }: NonNullable<PlannedChange['importing']>): string {
  if (id === undefined && identity === undefined) return '{"unknown":true}';
  return new JsonMembers()
    .addText('id', id)
    .add('identity', identity === undefined ? undefined : valueJson(identity))
    .text();
}
