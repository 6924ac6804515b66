/** Parses the fields of a JSON object; empty for other input. */
export function jsonFields(body: Uint8Array): ReadonlyMap<string, unknown> {
  try {
    return fieldsOf(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return new Map();
  }
}

/** Returns the members of an object by name; empty for other values. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** Returns a string member; empty if it is missing. */
export function textIn(fields: ReadonlyMap<string, unknown>, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
