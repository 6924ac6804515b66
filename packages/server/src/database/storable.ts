/** NUL and halves of surrogate pairs, which PostgreSQL stores neither in a text nor in JSON. */
const UNSTORABLE = /[\0\ud800-\udfff]/u;
const ALL_UNSTORABLE = new RegExp(UNSTORABLE, 'gu');

/** Returns true if PostgreSQL stores the text as it is. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/**
 * Returns the JSON value with U+FFFD for characters that PostgreSQL does not store: output of programs, which agents
 * send, may have any. The depth of the value is limited.
 */
export function storable<T>(value: T): T;
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(ALL_UNSTORABLE, '\ufffd');
  if (Array.isArray(value)) return value.map((each: unknown) => storable(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storable(key), storable(each)]),
  );
}
