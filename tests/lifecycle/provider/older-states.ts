// Upgrades of stored objects from older schema versions.
import { nullOf, valueFromJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import { schemaOf } from './schemas.ts';

type Stored = Readonly<Record<string, unknown>>;

/** A stored object as one of the current schema: `life_old` had one tag in version 0, and one text of tags in 1. */
export function upgraded(type: string, version: number, stored: Stored): Value {
  const current = impliedType(schemaOf(type).block);
  const plain = type === 'life_old' ? withTags(version, stored) : stored;
  const all = Object.fromEntries(current.names.map((name) => [name, plain[name] ?? null]));
  return Object.keys(stored).length === 0
    ? nullOf(current)
    : valueFromJson(JSON.stringify(all), current);
}

function withTags(version: number, stored: Stored): Stored {
  const text = (name: string): string | undefined => {
    const value = stored[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  if (version === 0) return { ...stored, tags: text('tag') === undefined ? null : [text('tag')] };
  if (version === 1) return { ...stored, tags: text('tags')?.split(',') ?? null };
  return stored;
}
