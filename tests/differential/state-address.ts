// Addresses of instances in a state file.
import { member, text } from './json.ts';
import type { Json } from './json.ts';

/** The address of an instance of a resource in a state file. */
export function instanceAddress(resource: Json, instance: Json): string {
  const module = text(member(resource, 'module'));
  const mode = member(resource, 'mode') === 'data' ? 'data.' : '';
  const key = member(instance, 'index_key');
  const base = `${mode}${text(member(resource, 'type'))}.${text(member(resource, 'name'))}`;
  const suffix = key === undefined ? '' : `[${JSON.stringify(key)}]`;
  return `${module === undefined ? '' : `${module}.`}${base}${suffix}`;
}
