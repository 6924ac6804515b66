const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};
const ESCAPE =
  /\\(?:([abfnrtv\\"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;

/** Decodes the text between quotes, except for escapes within `${…}`; undefined if an escape is invalid. */
export function unquote(text: string): string | undefined {
  const inside = text.slice(1, -1);
  let out = '';
  let at = 0;
  while (at < inside.length) {
    if (inside.startsWith('${', at)) {
      const end = endOfInterpolation(inside, at + 2);
      if (end === undefined) return undefined;
      out += inside.slice(at, end);
      at = end;
      continue;
    }
    const char = inside[at] ?? '';
    if (char === '\n') return undefined;
    if (char !== '\\') {
      out += char;
      at++;
      continue;
    }
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(inside);
    if (match === null) return undefined;
    const [escape, simple, byte, short, long, octal] = match;
    const hexadecimal = byte ?? short ?? long;
    if (simple !== undefined) out += SIMPLE[simple] ?? '';
    else {
      const code = Number.parseInt(hexadecimal ?? octal ?? '', hexadecimal === undefined ? 8 : 16);
      if (code > 0x10ffff) return undefined;
      out += String.fromCodePoint(code);
    }
    at += escape.length;
  }
  return out;
}

function endOfInterpolation(text: string, from: number): number | undefined {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}') open--;
    if (open === 0) return at + 1;
  }
  return undefined;
}

/** Returns the lines of a heredoc, without the indentation of its end marker after `<<-`. */
export function unindentHeredoc(text: string): string {
  const lines = text.split('\n');
  const anchor = lines.shift() ?? '';
  // The text ends with the line feed after the closing marker.
  lines.pop();
  const closing = lines.pop() ?? '';
  const body = lines.map((line) => `${line}\n`).join('');
  if (!anchor.startsWith('<<-')) return body;
  const indent = closing.slice(0, closing.length - closing.trimStart().length);
  if (!lines.every((line) => line.startsWith(indent))) return body;
  return lines.map((line) => `${line.slice(indent.length)}\n`).join('');
}
