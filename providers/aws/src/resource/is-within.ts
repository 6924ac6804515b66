/**
 * Returns true if a response contains all of a request. Members that are undefined in the request match any value, and
 * lists match in any order.
 */
export function isWithin(wanted: unknown, answer: unknown): boolean {
  if (wanted === undefined) return true;
  if (wanted instanceof Date) return answer instanceof Date && +answer === +wanted;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(answer) &&
      answer.length === wanted.length &&
      wanted.every((each) => answer.some((other) => isWithin(each, other)))
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return Object.entries(wanted).every(([name, value]) =>
      isWithin(value, Reflect.get(Object(answer), name)),
    );
  }
  return wanted === answer;
}
