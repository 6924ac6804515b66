import { CtyError, impliedJsonType, parseJson, valueFromJsonNode } from '@terrane/cty';
import type { Value } from '@terrane/cty';

// Comparisons for `semanticEquals` and `meaning`.

/** Returns true if two JSON texts are semantically equal: white space and the order of names are ignored. */
export function sameJson(before: string, after: string): boolean {
  if (before === after) return true;
  const [a, b] = [jsonOf(before), jsonOf(after)];
  return a !== undefined && b !== undefined && a.rawEquals(b);
}

// Parses JSON so that numbers keep all their digits.
function jsonOf(text: string): Value | undefined {
  try {
    const node = parseJson(text);
    return valueFromJsonNode(node, impliedJsonType(node));
  } catch (problem) {
    if (problem instanceof CtyError) return undefined;
    throw problem;
  }
}

/** Returns true if two texts differ at most in case. */
export function sameIgnoringCase(before: string, after: string): boolean {
  return before.toLowerCase() === after.toLowerCase();
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** Compares timestamps (RFC 3339) regardless of their time zone. */
export function sameMoment(before: string, after: string): boolean {
  const [a, b] = [momentOf(before), momentOf(after)];
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}

/** Seconds since 1970, and the digits of the fraction of a second. */
function momentOf(text: string): readonly [number, string] | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '', fraction = '', zone = ''] = match;
  const seconds = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(seconds) ? undefined : [seconds, fraction.replace(/0+$/, '')];
}
