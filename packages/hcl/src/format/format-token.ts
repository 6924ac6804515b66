import { countClusters } from '../source/graphemes.ts';
import { Token, type TokenList, type TokenType } from '../syntax/tokens.ts';

/** A token with the number of spaces before it, which is all that formatting changes. */
export interface FormatToken {
  readonly type: TokenType;
  readonly text: string;
  spaces: number;
}

/** The tokens of a file, with the space between them as it is (a tab counts as one space). */
export function formatTokens(tokens: TokenList): FormatToken[] {
  const result: FormatToken[] = [];
  // A byte order mark counts as the bytes that it has: a file of nothing else becomes three spaces.
  let end = tokens.source.text.startsWith('\uFEFF') ? -2 : 0;
  for (let i = 0; i < tokens.length; i++) {
    const start = tokens.starts[i] ?? 0;
    result.push({ type: tokens.type(i), text: tokens.text(i), spaces: start - end });
    end = tokens.ends[i] ?? 0;
  }
  return result;
}

/** A token that was not in the source. */
export function newToken(type: TokenType, text: string): FormatToken {
  return { type, text, spaces: 0 };
}

/** The text of tokens with the space between them. */
export function tokensText(tokens: readonly FormatToken[]): string {
  const pieces: string[] = [];
  for (const { text, spaces } of tokens) {
    if (spaces > 0) {
      pieces.push(' '.repeat(spaces));
    }
    pieces.push(text);
  }
  return pieces.join('');
}

/** The columns that tokens take up, in grapheme clusters. */
export function columnsOf(tokens: readonly FormatToken[]): number {
  let columns = 0;
  for (const { text, spaces } of tokens) {
    columns += spaces + countClusters(text);
  }
  return columns;
}

/** 1 for tokens that open brackets, -1 for those that close them, else 0. */
export function bracketChange(type: TokenType): number {
  switch (type) {
    case Token.OBrace:
    case Token.OBrack:
    case Token.OParen:
    case Token.TemplateControl:
    case Token.TemplateInterp:
      return 1;
    case Token.CBrace:
    case Token.CBrack:
    case Token.CParen:
    case Token.TemplateSeqEnd:
      return -1;
    default:
      return 0;
  }
}

/** Whether a token ends a line: a newline, or a comment that has swallowed one. */
export function endsLine(token: FormatToken): boolean {
  return (
    token.type === Token.Newline || (token.type === Token.Comment && token.text.endsWith('\n'))
  );
}
