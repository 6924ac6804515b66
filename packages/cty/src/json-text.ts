const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const goEscapes = /[<>&\u2028\u2029]/g;
const separators = /[\u2028\u2029]/g;
const plain = /^[ !#-%'-;=?-[\]-~]*$/;
const special = /[<>&\u2028\u2029\ud800-\udfff]/;

/** Replaces each lone surrogate by U+FFFD. */
export function wellFormed(s: string): string {
  return s.replace(loneSurrogate, '\ufffd');
}

function escapeCharacter(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * A JSON string literal as Go's `encoding/json` writes it: U+2028 and U+2029 escaped, half surrogate pairs replaced, and,
 * if `escapeHtml`, also `<`, `>` and `&` escaped.
 */
export function jsonText(s: string, escapeHtml: boolean): string {
  if (plain.test(s)) return `"${s}"`;
  if (!special.test(s)) return JSON.stringify(s);
  return JSON.stringify(wellFormed(s)).replace(
    escapeHtml ? goEscapes : separators,
    escapeCharacter,
  );
}
