const goEscapes = /[<>&\u2028\u2029]/g;
const separators = /[\u2028\u2029]/g;
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

function escapeCharacter(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Escapes characters of a JSON text that only string literals contain as Go's `encoding/json` does: U+2028 and U+2029,
 * and, if `escapeHtml`, also `<`, `>` and `&`.
 */
export function escapeJson(json: string, escapeHtml: boolean): string {
  // Most texts have none, and a search takes a fraction of the time of a replacement.
  const pattern = escapeHtml ? goEscapes : separators;
  return json.search(pattern) < 0 ? json : json.replace(pattern, escapeCharacter);
}

/** Returns true if a JSON string literal has this text between its quotes, with no character escaped. */
export function isPlainText(s: string): boolean {
  return plain.test(s);
}

/**
 * A JSON string literal as Go's `encoding/json` writes it: escaped by {@link escapeJson}, with U+FFFD for each lone
 * surrogate.
 */
export function jsonText(s: string, escapeHtml: boolean): string {
  if (isPlainText(s)) return `"${s}"`;
  return escapeJson(JSON.stringify(s.toWellFormed()), escapeHtml);
}
