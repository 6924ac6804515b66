// Finds and words the differences of two records.
import type { Exception } from './case.ts';
import { elements, formatJson, isObject, member } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** A warning where Terraform says nothing, in whatever case it comes: see docs/differences.md. */
const OWN_WARNING = /warning Address matches nothing at /;

/** One difference. `level` 1 is what must be equal above all; 2 is everything else that is compared. */
export interface Difference {
  readonly path: string;
  readonly level: 1 | 2;
  readonly expected: string;
  readonly actual: string;
}

/** Returns the identity of a list element, so that a missing element is a single difference. */
function keyOf(item: Json, path: string): string | undefined {
  if (typeof item === 'string' && /\.(events|order|dependencies)$/.test(path)) return item;
  if (!isObject(item)) return undefined;
  if (path.endsWith('diagnostics')) {
    return `${String(item['severity'])} ${String(item['summary'])} at ${String(item['file'])}:${String(item['line'])}`;
  }
  if (typeof item['address'] === 'string') {
    return item['deposed'] === undefined ? item['address'] : `${item['address']} deposed`;
  }
  const display = member(item, 'address', 'to_display');
  if (typeof display === 'string') return display;
  if (typeof item['config_addr'] === 'string') return item['config_addr'];
  if (typeof item['object_addr'] === 'string') return item['object_addr'];
  if (path.endsWith('.resources') && typeof item['name'] === 'string') {
    const module = item['module'] === undefined ? '' : `${String(item['module'])}.`;
    const mode = item['mode'] === 'data' ? 'data.' : '';
    return `${module}${mode}${String(item['type'])}.${item['name']}`;
  }
  if (path.endsWith('.instances')) {
    const key = item['index_key'] === undefined ? 'it' : JSON.stringify(item['index_key']);
    return item['deposed'] === undefined ? key : `${key} deposed`;
  }
  return undefined;
}

function keyed(list: readonly Json[], path: string): Map<string, Json> | undefined {
  const result = new Map<string, Json>();
  for (const item of list) {
    const key = keyOf(item, path);
    if (key === undefined) return undefined;
    let unique = key;
    for (let copy = 2; result.has(unique); copy += 1) unique = `${key} (${copy})`;
    result.set(unique, item);
  }
  return result;
}

const secondary = [
  /\.diagnostics\[.*\]\.(detail|address|range|snippet)/,
  /\.(events|crashes|checks|check_results|relevant_attributes|stderr|configuration|prior_state|variables)\b/,
  /\.plan\.(format_version|applyable|complete|errored)$/,
  / order$/,
];

function levelOf(path: string): 1 | 2 {
  return secondary.some((pattern) => pattern.test(path)) ? 2 : 1;
}

function shown(value: Json | undefined): string {
  return value === undefined ? '(absent)' : formatJson(value, '', 200);
}

function compare(
  expected: Json | undefined,
  actual: Json | undefined,
  path: string,
  mismatches: Difference[],
): void {
  const differ = (at: string, left: Json | undefined, right: Json | undefined): void => {
    mismatches.push({ path: at, level: levelOf(at), expected: shown(left), actual: shown(right) });
  };
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const left = keyed(expected, path);
    const right = keyed(actual, path);
    if (left === undefined || right === undefined) {
      if (expected.length !== actual.length && expected.every((item) => !isObject(item))) {
        differ(path, expected, actual);
        return;
      }
      for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
        compare(expected[index], actual[index], `${path}[${index}]`, mismatches);
      }
      return;
    }
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      compare(left.get(key), right.get(key), `${path}[${key}]`, mismatches);
    }
    const order = (from: Map<string, Json>, other: Map<string, Json>): string =>
      [...from.keys()].filter((key) => other.has(key)).join(', ');
    const [first, second] = [order(left, right), order(right, left)];
    // Events are sorted by texts with generated ids in them.
    if (first !== second && !path.endsWith('.events')) differ(`${path} order`, first, second);
    return;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compare(
        expected[key],
        actual[key],
        /^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${key}]`,
        mismatches,
      );
    }
    if (/\.state\b/.test(path)) {
      const order = (from: JsonObject, other: JsonObject): string =>
        Object.keys(from)
          .filter((key) => Object.hasOwn(other, key))
          .join(', ');
      const [first, second] = [order(expected, actual), order(actual, expected)];
      if (first !== second) differ(`${path} key order`, first, second);
    }
    return;
  }
  if (JSON.stringify(expected) !== JSON.stringify(actual)) differ(path, expected, actual);
}

/** All differences of two records, without the accepted ones. */
export function differences(
  expected: JsonObject,
  actual: JsonObject,
  exceptions: readonly Exception[] = [],
): Difference[] {
  const mismatches: Difference[] = [];
  const left = elements(expected['steps']);
  const right = elements(actual['steps']);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    compare(left[index], right[index], `step ${index + 1}`, mismatches);
  }
  compare(expected['settle'], actual['settle'], 'settle', mismatches);
  const accepted = [...exceptions.map(({ path }) => new RegExp(path)), OWN_WARNING];
  return mismatches.filter(
    (difference) => !accepted.some((pattern) => pattern.test(difference.path)),
  );
}

/** The differences for people: one block each, expected above actual. */
export function report(mismatches: readonly Difference[], limit = 200): string {
  const clip = (value: string): string =>
    value.length > 1500 ? `${value.slice(0, 1500)} …` : value;
  const blocks = mismatches
    .slice(0, limit)
    .map(
      (difference) =>
        `${difference.path}${difference.level === 2 ? '  (secondary)' : ''}\n  expected: ${clip(difference.expected).replaceAll('\n', '\n  ')}\n  actual:   ${clip(difference.actual).replaceAll('\n', '\n  ')}`,
    );
  if (mismatches.length > limit) blocks.push(`… and ${mismatches.length - limit} more`);
  return blocks.join('\n');
}
