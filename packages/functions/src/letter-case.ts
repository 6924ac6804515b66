// Go maps letters one to one (Unicode's simple case mappings), while JavaScript may return several.

function isSingle(text: string): boolean {
  const code = text.codePointAt(0) ?? 0;
  return text.length === (code > 0xffff ? 2 : 1);
}

/** Handles letters whose full upper case has several characters, but which also have a single-character form. */
function simpleUpper(code: number): number {
  if (code >= 0x1f80 && code <= 0x1faf) return code | 8;
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return code + 9;
  return code;
}

function upperOf(character: string): string {
  const upper = character.toUpperCase();
  return isSingle(upper) ? upper : String.fromCodePoint(simpleUpper(character.codePointAt(0) ?? 0));
}

function lowerOf(character: string): string {
  const lower = character.toLowerCase();
  // The only letter with a longer lower case is I with a dot above.
  return isSingle(lower) ? lower : 'i';
}

const ASCII = /^[\x00-\x7f]*$/;

/** strings.ToUpper */
export function toUpper(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  let out = '';
  for (const character of text) out += upperOf(character);
  return out;
}

/** strings.ToLower */
export function toLower(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let out = '';
  for (const character of text) out += lowerOf(character);
  return out;
}

const DIGRAPHS: ReadonlyMap<string, string> = new Map(
  ['Ǆǅǆ', 'Ǉǈǉ', 'Ǌǋǌ', 'Ǳǲǳ'].flatMap((group) => {
    const [upper = '', title = '', lower = ''] = group;
    return [
      [upper, title],
      [title, title],
      [lower, title],
    ] as const;
  }),
);

function isSeparator(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0x7f) return !/[0-9A-Za-z_]/.test(character);
  if (/[\p{L}\p{Nd}]/u.test(character)) return false;
  return /[\u0085\u00a0\p{Z}]/u.test(character);
}

/** Implements strings.Title: converts the first letter of each word to title case. */
export function toTitle(text: string): string {
  let out = '';
  let previous = ' ';
  for (const character of text) {
    const begins = isSeparator(previous);
    previous = character;
    out += begins ? (DIGRAPHS.get(character) ?? upperOf(character)) : character;
  }
  return out;
}
