// Decodes JSON string tokens. The position of the first error is counted as by Go's decoder, since diagnostics refer to
// it.

/** A decoded JSON string, or its error. */
export type DecodedJsonString =
  | { readonly ok: true; readonly value: string }
  /** the number of characters up to and including the first invalid one */
  | { readonly ok: false; readonly offset: number };

const HEX4 = /^[0-9a-fA-F]{4}$/;
const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The value of a string token, quotes included in the token. */
export function decodeJsonString(token: string): DecodedJsonString {
  if (!token.includes('\\') && token.length >= 2 && token.endsWith('"')) {
    return { ok: true, value: replaceBadBytes(token.slice(1, -1)) };
  }
  const units: string[] = [];
  let at = 1;
  while (at < token.length) {
    const char = token.charAt(at);
    if (char === '"') {
      const value = units.join('').replace(LONE_SURROGATES, '\uFFFD');
      return { ok: true, value };
    }
    if (char !== '\\') {
      units.push(char);
      at++;
      continue;
    }
    const selector = token.charAt(at + 1);
    const simple = SIMPLE.get(selector);
    if (simple !== undefined) {
      units.push(simple);
      at += 2;
    } else if (selector === 'u') {
      const invalidDigit = firstNonHex(token, at + 2);
      if (invalidDigit !== undefined) {
        return { ok: false, offset: Math.min(invalidDigit + 1, token.length) };
      }
      units.push(String.fromCharCode(Number.parseInt(token.slice(at + 2, at + 6), 16)));
      at += 6;
    } else {
      return { ok: false, offset: Math.min(at + 2, token.length) };
    }
  }
  return { ok: false, offset: token.length };
}

const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function replaceBadBytes(text: string): string {
  return text.replace(LONE_SURROGATES, '\uFFFD');
}

function firstNonHex(token: string, start: number): number | undefined {
  if (HEX4.test(token.slice(start, start + 4))) {
    return undefined;
  }
  let at = start;
  while (/^[0-9a-fA-F]$/.test(token.charAt(at))) {
    at++;
  }
  return at;
}
