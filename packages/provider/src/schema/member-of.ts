/**
 * The member of a record by a name from outside; undefined where the record itself has none. Names such as
 * "constructor" would find what every object inherits.
 */
export function memberOf<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
