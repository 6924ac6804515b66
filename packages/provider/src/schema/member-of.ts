/**
 * Returns the own member of a record for an untrusted name; undefined if absent. Names such as "constructor" must not
 * resolve to inherited members.
 */
export function memberOf<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
