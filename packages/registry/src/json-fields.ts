/** A field of a JSON object; undefined where it is none, or has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** A field that is a string; empty where it is something else. */
export function stringOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

/** A field that is an array; empty where it is something else. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

/** The entries of a field that is an object; none where it is something else. */
export function entriesOf(value: unknown, name: string): [string, unknown][] {
  const field = fieldOf(value, name);
  return typeof field === 'object' && field !== null && !Array.isArray(field)
    ? Object.entries(field)
    : [];
}
