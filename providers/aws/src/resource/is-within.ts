/**
 * Whether all of a request is in an answer, which may say more: members that are left out or undefined in the request are
 * whatever they are, and lists are in any order.
 */
export function isWithin(wanted: unknown, found: unknown): boolean {
  if (wanted === undefined) return true;
  if (wanted instanceof Date) return found instanceof Date && +found === +wanted;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((each) => found.some((other) => isWithin(each, other)))
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return Object.entries(wanted).every(([name, value]) =>
      isWithin(value, Reflect.get(Object(found), name)),
    );
  }
  return wanted === found;
}
