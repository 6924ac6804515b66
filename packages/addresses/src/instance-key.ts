import { compareText, numToInt } from '@terrane/cty';
import type { Value } from '@terrane/cty';

/** The key of an instance: undefined without repetition, an index of `count`, or a key of `for_each`. */
export type InstanceKey = undefined | number | string;

/** The pattern is in the function because parsing its Unicode classes takes over a millisecond, and few runs need it. */
const isPrintable = (character: string): boolean =>
  /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
const PLAIN_KEY = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Quotes a string as HCL does: escapes unprintable characters, `${` and `%{`. */
export function quoteHcl(text: string): string {
  if (PLAIN_KEY.test(text) && !text.includes('{')) return `"${text}"`;
  let out = '"';
  const characters = [...text];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    switch (character) {
      case '\n':
        out += '\\n';
        break;
      case '\r':
        out += '\\r';
        break;
      case '\t':
        out += '\\t';
        break;
      case '"':
        out += '\\"';
        break;
      case '\\':
        out += '\\\\';
        break;
      case '$':
      case '%':
        out += characters[i + 1] === '{' ? character + character : character;
        break;
      default:
        out += isPrintable(character) ? character : escapeRune(character);
    }
  }
  return `${out}"`;
}

function escapeRune(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** The key of instances whose keys are unknown because changes are deferred: `[*]`. No configuration can produce it. */
export const UNKNOWN_KEY = '\u0000*';

/** Formats a key as in an address: `""`, `[0]` or `["a"]`. */
export function instanceKeyText(key: InstanceKey): string {
  if (key === undefined) return '';
  if (key === UNKNOWN_KEY) return '[*]';
  return typeof key === 'number' ? `[${key}]` : `[${quoteHcl(key)}]`;
}

/** Compares keys: no key first, then indexes by number, then strings by code point (addrs.InstanceKeyLess). */
export function compareKeys(a: InstanceKey, b: InstanceKey): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : compareText(a, b);
}

/**
 * Returns the key of an index step. Its value must be known, unmarked and not null, as in literal index steps. The
 * error is the sentence that Terraform appends to "Invalid index for resource instance:".
 */
export function instanceKeyOf(
  value: Value,
): { readonly key: string | number } | { readonly error: string } {
  if (value.type.kind === 'string') return { key: value.asString() };
  if (value.type.kind !== 'number') {
    return { error: 'either a string or an integer is required' };
  }
  const integer = numToInt(value.asNum());
  if (integer === undefined || integer < -(2n ** 63n) || integer > 2n ** 63n - 1n) {
    return {
      error: 'value must be a whole number, between -9223372036854775808 and 9223372036854775807',
    };
  }
  return { key: Number(integer) };
}
