/**
 * Compares two strings by code point, which is also the order of their UTF-8 bytes and of Go's strings. JavaScript's
 * own `<` compares UTF-16 units and sorts U+E000…U+FFFF after the supplementary planes.
 */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const shorter = a.length < b.length ? a.length : b.length;
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codeUnitRank(x) < codeUnitRank(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

/** Surrogates stand for code points above every other unit, so they rank above U+E000…U+FFFF. */
function codeUnitRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const surrogateOrBeyond = /[\ud800-\uffff]/;

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a comparison of the strings by code point: JavaScript's `<` if none has surrogates, as it is faster. */
export function textOrder(strings: Iterable<string>): (a: string, b: string) => number {
  for (const s of strings) if (surrogateOrBeyond.test(s)) return compareText;
  return compareUnits;
}

const beyondPlainLatin = /[\u0300-\uffff]/;

/** The string in Unicode normalisation form C, which all string values and attribute names use. */
export function normalizeText(s: string): string {
  // Below U+0300 there are no combining characters and no characters that NFC changes.
  return beyondPlainLatin.test(s) ? s.normalize('NFC') : s;
}

const needsQuoting = /[^ !#-[\]-~]/;
/** The pattern is in the function because parsing its Unicode classes takes over a millisecond, and few runs need it. */
const isPrintable = (character: string): boolean => /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character);
const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A double-quoted literal as Go's `strconv.Quote` and `%q` write it: used in messages and in the order of sets. */
export function quoteText(s: string): string {
  if (!needsQuoting.test(s)) return `"${s}"`;
  let out = '"';
  for (const c of s) {
    const short = shortEscapes[c];
    if (short !== undefined) out += short;
    else if ((c >= ' ' && c <= '~') || isPrintable(c)) out += c;
    else out += escapeCodePoint(c.codePointAt(0) ?? 0);
  }
  return `${out}"`;
}

function escapeCodePoint(code: number): string {
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Removes white space at both ends, as Go's strings.TrimSpace (a byte order mark is not white space). */
export function trimSpace(text: string): string {
  const trimmed = trimSpaceRight(text);
  let start = 0;
  while (start < trimmed.length && SPACE.test(trimmed.charAt(start))) start++;
  return trimmed.slice(start);
}

/**
 * Removes white space at the end, as Go's TrimRightFunc with unicode.IsSpace. A pattern for all of it, such as `/ +$/`,
 * takes quadratic time if there is much white space in the middle of the text.
 */
export function trimSpaceRight(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
