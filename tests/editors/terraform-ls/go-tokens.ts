/** A token of Go source. */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'sign';
  readonly text: string;
  /** value of a string */
  readonly value?: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<raw>`[^`]*`)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<rune>'(?:[^'\\]|\\.)*')|(?<number>\d[\w.]*)|(?<sign>:=|\.\.\.|[=!<>]=|&&|\|\||<-|\+\+|--|[^\s\w])/gu;

/** Splits Go source into tokens, without comments. */
export function goTokens(source: string): Token[] {
  const tokens: Token[] = [];
  for (const match of source.matchAll(TOKEN)) {
    const { name, raw, string, rune, number, sign } = match.groups ?? {};
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (raw !== undefined) tokens.push({ kind: 'string', text: raw, value: raw.slice(1, -1) });
    else if (string !== undefined) {
      const value = string
        .slice(1, -1)
        .replace(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
      tokens.push({ kind: 'string', text: string, value });
    } else if (rune !== undefined || number !== undefined) {
      tokens.push({ kind: 'number', text: rune ?? number ?? '' });
    } else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}
