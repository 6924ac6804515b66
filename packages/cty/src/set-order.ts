import { compareNum, type Num } from './number.ts';
import { formatNumberShort } from './number-text.ts';
import { compareText, quoteText } from './text.ts';
import { isPrimitive } from './type.ts';
import { Unknown } from './unknown.ts';
import type { ValueData } from './value-data.ts';

/**
 * Returns cty's hash text of a set element, equal for equal values. Marks are ignored. Strings are verbatim, numbers
 * have ten digits, `?` is unknown, `~` null, and brackets enclose compound values. Compound elements of sets are
 * ordered by the bytes of this text, so it must match cty's exactly.
 */
export function hashText(v: ValueData): string {
  return valueText(v, formatNumberShort);
}

/**
 * Variant of {@link hashText} with all digits of numbers and without the sign of zero, so that few values have the same
 * text that `==` distinguishes.
 */
export function equalityText(v: ValueData): string {
  return valueText(v, exactNumberText);
}

function exactNumberText(n: Num): string {
  return typeof n === 'number' ? String(n) : `${n.mantissa}p${n.exponent}`;
}

function valueText(v: ValueData, numberText: (n: Num) => string): string {
  const { payload } = v;
  if (payload === null) return '~';
  if (payload instanceof Unknown) return '?';
  switch (v.type.kind) {
    case 'number':
      return numberText(payload as Num);
    case 'bool':
      return payload === true ? 'T' : 'F';
    case 'string':
      return quoteText(payload as string);
    case 'map': {
      let out = '{';
      for (const [key, element] of payload as ReadonlyMap<string, ValueData>) {
        out += `${quoteText(key)}:${valueText(element, numberText)};`;
      }
      return `${out}}`;
    }
    case 'list':
    case 'set':
      return `[${partTexts(payload as readonly ValueData[], numberText)}]`;
    case 'object':
    case 'tuple':
      return `<${partTexts(payload as readonly ValueData[], numberText)}>`;
    default:
      return '«?»';
  }
}

function partTexts(parts: readonly ValueData[], numberText: (n: Num) => string): string {
  let out = '';
  for (let i = 0; i < parts.length; i++) out += `${valueText(parts[i] as ValueData, numberText)};`;
  return out;
}

/** FNV-1a over {@link hashText}. */
export function hashOf(v: ValueData): number {
  const text = hashText(v);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * Compares two unmarked set elements of one type: known before unknown before null; strings by code point, numbers by
 * size, false before true, everything else by {@link hashText}.
 */
export function compareCanonical(a: ValueData, b: ValueData): number {
  const rank = compareRank(a, b);
  if (rank !== undefined) return rank;
  if (isPrimitive(a.type)) return comparePrimitive(a, b);
  return compareText(hashText(a), hashText(b));
}

function isKnown(v: ValueData): boolean {
  return !(v.payload instanceof Unknown);
}

/** Compares values of which one is null or unknown; undefined if both are known and not null. */
function compareRank(a: ValueData, b: ValueData): number | undefined {
  const x = a.payload === null ? 2 : isKnown(a) ? 0 : 1;
  const y = b.payload === null ? 2 : isKnown(b) ? 0 : 1;
  return x === 0 && y === 0 ? undefined : x - y;
}

function comparePrimitive(a: ValueData, b: ValueData): number {
  switch (a.type.kind) {
    case 'string':
      return compareText(a.payload as string, b.payload as string);
    case 'number':
      return compareNum(a.payload as Num, b.payload as Num);
    default:
      return Number(a.payload) - Number(b.payload);
  }
}

/** Compares elements with their hash texts, in the order of {@link compareCanonical}. */
export function compareHashed(
  a: readonly [ValueData, string],
  b: readonly [ValueData, string],
): number {
  return compareRank(a[0], b[0]) ?? compareText(a[1], b[1]);
}
