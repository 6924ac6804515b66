/** Returns a field of a JSON object; undefined if absent or if the value is not an object. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Returns a string field; empty if absent or of another type. */
export function stringOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

/** Returns an array field; empty if absent or of another type. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

/** Returns the entries of an object field; empty if absent or of another type. */
export function entriesOf(value: unknown, name: string): [string, unknown][] {
  const field = fieldOf(value, name);
  return typeof field === 'object' && field !== null && !Array.isArray(field)
    ? Object.entries(field)
    : [];
}
