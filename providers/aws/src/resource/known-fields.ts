import { isUnknown } from '@terrane/provider/sdk';
import type { Fields } from './fields.ts';

/** Returns a plan with null for unknown values. */
export function knownOf(plan: Fields): Fields {
  return Object.fromEntries(
    Object.entries(plan).map(([name, value]) => [name, knownIn(value)] as const),
  );
}

function knownIn(value: unknown): unknown {
  if (isUnknown(value) || value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(knownIn);
  return knownOf(Object.fromEntries(Object.entries(value)));
}

/** Returns a member if it is a known, non-empty string. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a member that is a map of texts, without unknown values. */
export function textsIn(fields: Fields, name: string): Readonly<Record<string, string>> {
  const value = fields[name];
  if (typeof value !== 'object' || value === null || isUnknown(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
