import { type Attributes, type Plain, UNKNOWN } from './plain-value.ts';

/**
 * The expectation for a value: the value itself, a regular expression for its text, or a predicate. For an object: the
 * expected attributes; other attributes are ignored. For a list, set or tuple: an expectation for each element; the
 * order of set elements is ignored.
 */
export type Expected =
  | string
  | number
  | boolean
  | null
  | typeof UNKNOWN
  | RegExp
  | ((value: Plain) => boolean)
  | readonly Expected[]
  | { readonly [name: string]: Expected };

/** Expected values of some attributes of an object. */
export type ExpectedAttributes = { readonly [name: string]: Expected };

/** Accepts any known value except null. */
export function isSet(value: Plain): boolean {
  return value !== null && value !== UNKNOWN;
}

/** Expects an array of these elements in any order, as sets are. */
export function inAnyOrder(...elements: readonly Expected[]): (value: Plain) => boolean {
  const matches = (value: Plain): boolean => {
    if (!isArray(value) || value.length !== elements.length) return false;
    const remaining = [...value];
    return elements.every((element) => {
      const at = remaining.findIndex((each) => mismatch(element, each, '') === undefined);
      if (at >= 0) remaining.splice(at, 1);
      return at >= 0;
    });
  };
  return withName(matches, `in any order ${textOf(elements)}`);
}

/** Returns the path and description of the first difference from an expectation; undefined if it is met. */
export function mismatch(expected: Expected, actual: Plain, path: string): string | undefined {
  const differs = `${path === '' ? 'the value' : path} is ${textOf(actual)}, expected ${textOf(expected)}`;
  if (expected instanceof RegExp) {
    const text =
      typeof actual === 'number' || typeof actual === 'boolean' ? String(actual) : actual;
    return typeof text === 'string' && expected.test(text) ? undefined : differs;
  }
  if (typeof expected === 'function') return expected(actual) ? undefined : differs;
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, actual) ? undefined : differs;
  }
  if (isArray(expected)) {
    if (!isArray(actual) || actual.length !== expected.length) return differs;
    for (const [i, element] of expected.entries()) {
      const difference = mismatch(element, actual[i] ?? null, `${path}[${i}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (!isObject(actual)) return differs;
  for (const [name, part] of Object.entries(expected)) {
    const inner = path === '' ? name : `${path}.${name}`;
    const value = actual[name];
    if (value === undefined) return `${inner} does not exist, expected ${textOf(part)}`;
    const difference = mismatch(part, value, inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Formats a value or an expectation. */
export function textOf(value: Expected | Plain | undefined): string {
  if (value === UNKNOWN) return '(known after apply)';
  if (value === undefined) return 'nothing';
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'function')
    return value.name === '' ? 'a value accepted by a function' : value.name;
  if (isArray(value)) return `[${value.map((each) => textOf(each)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, part]) => `${name}: ${textOf(part)}`);
    return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  }
  return JSON.stringify(value);
}

/** A path at which two values differ. */
export interface Difference {
  /** as `tags.env` or `disks.0.size` */
  readonly path: string;
  readonly text: string;
}

/** Returns all paths at which two values differ. */
export function differences(before: Plain, after: Plain, path = ''): readonly Difference[] {
  const inside = (name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`);
  if (isArray(before) && isArray(after) && before.length === after.length) {
    return before.flatMap((each, i) => differences(each, after[i] ?? null, inside(i)));
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      differences(before[name] ?? null, after[name] ?? null, inside(name)),
    );
  }
  if (Object.is(before, after)) return [];
  return [{ path, text: `${path}: ${textOf(before)} became ${textOf(after)}` }];
}

// `Array.isArray` does not narrow readonly arrays.
function isArray<T>(value: T): value is Extract<T, readonly unknown[]> {
  return Array.isArray(value);
}

function isObject(value: Plain): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withName<F extends (...args: never[]) => unknown>(f: F, name: string): F {
  return Object.defineProperty(f, 'name', { value: name });
}
