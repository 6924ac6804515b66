// What `terraform fmt` rewrites beyond layout: interpolations that wrap a whole expression, type
// constraints in the style of old versions, labels without quotes.

import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import type { Range } from '../source/source.ts';
import type { NativeAttribute, NativeBlock, NativeBody } from '../syntax/native-body.ts';
import { resolveStringLiteral } from '../syntax/string-literal.ts';
import { Token, type TokenList } from '../syntax/tokens.ts';
import { type FormatToken, newToken } from './format-token.ts';
import { quotedTokens } from './value-tokens.ts';

/** The tokens of a file with these rewritings done; `written` has the same indices as `tokens`. */
export function simplify(
  body: NativeBody,
  tokens: TokenList,
  written: readonly FormatToken[],
): FormatToken[] {
  const simplifier = new Simplifier(tokens, written);
  simplifier.visitBody(body, []);
  return simplifier.result();
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly FormatToken[];
}

class Simplifier {
  private readonly tokens: TokenList;
  private readonly written: readonly FormatToken[];
  private readonly replacements: Replacement[] = [];

  constructor(tokens: TokenList, written: readonly FormatToken[]) {
    this.tokens = tokens;
    this.written = written;
  }

  result(): FormatToken[] {
    const sorted = this.replacements.toSorted((a, b) => a.start - b.start);
    const parts: (readonly FormatToken[])[] = [];
    let at = 0;
    for (const { start, end, tokens } of sorted) {
      parts.push(this.written.slice(at, start), tokens);
      at = end;
    }
    parts.push(this.written.slice(at));
    return parts.flat();
  }

  visitBody(body: NativeBody, path: readonly string[]): void {
    for (const attribute of body.attributes.values()) {
      this.visitAttribute(attribute, path);
    }
    for (const block of body.blocks) {
      this.visitLabels(block);
      this.visitBody(block.body, [...path, block.type]);
    }
  }

  private visitAttribute(attribute: NativeAttribute, path: readonly string[]): void {
    const { range } = attribute.expression;
    const start = this.indexAt(range.start);
    const end = this.indexAt(range.end);
    const before = this.written.slice(start, end);
    const isType = path.length === 1 && path[0] === 'variable' && attribute.name === 'type';
    const after = isType ? simplifyType(before) : simplifyValue(before);
    if (after !== before) {
      this.replacements.push({ start, end, tokens: after });
    }
  }

  /** Comments before and between labels are lost, as in the original; labels get the normal form of texts. */
  private visitLabels(block: NativeBlock): void {
    const first = block.labelRanges[0];
    const last = block.labelRanges.at(-1);
    if (first === undefined || last === undefined) {
      return;
    }
    const tokens: FormatToken[] = [];
    for (const range of block.labelRanges) {
      tokens.push(...this.labelTokens(range));
    }
    const start = this.indexAt(block.typeRange.end);
    this.replacements.push({ start, end: this.indexAt(last.end), tokens });
  }

  private labelTokens(range: Range): readonly FormatToken[] {
    const start = this.indexAt(range.start);
    const own = this.written.slice(start, this.indexAt(range.end));
    const [first, middle] = own;
    if (first?.type === Token.Ident) {
      return quotedTokens(first.text.normalize('NFC'));
    }
    if (own.length === 2) {
      return quotedTokens('');
    }
    if (own.length === 3 && middle?.type === Token.QuotedLit) {
      const diagnostics: Diagnostic[] = [];
      const { source, starts, ends } = this.tokens;
      const [from, to] = [starts[start + 1] ?? 0, ends[start + 1] ?? 0];
      const text = resolveStringLiteral(source, from, to, true, diagnostics);
      return hasErrors(diagnostics) ? own : quotedTokens(text.normalize('NFC'));
    }
    return own;
  }

  /** The index of the first token that starts at or after an offset. */
  private indexAt(offset: number): number {
    const { starts } = this.tokens;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** `"${x}"` becomes `x`; the same array where there is nothing to do. */
function simplifyValue(tokens: readonly FormatToken[]): readonly FormatToken[] {
  if (
    tokens.length < 5 ||
    tokens[0]?.type !== Token.OQuote ||
    tokens[1]?.type !== Token.TemplateInterp ||
    tokens.at(-2)?.type !== Token.TemplateSeqEnd ||
    tokens.at(-1)?.type !== Token.CQuote
  ) {
    return tokens;
  }
  const inside = tokens.slice(2, -2);
  if (!isSingleSequence(inside)) {
    return tokens;
  }
  const trimmed = trimNewlines(inside);
  const multiLine = trimmed.some((token, i) => token.type === Token.Newline && i > 0);
  const inParentheses = trimmed[0]?.type === Token.OParen && trimmed.at(-1)?.type === Token.CParen;
  return multiLine && !inParentheses
    ? [newToken(Token.OParen, '('), ...trimmed, newToken(Token.CParen, ')')]
    : trimmed;
}

/** Whether tokens are surely the inside of one sequence, not of several side by side. */
function isSingleSequence(tokens: readonly FormatToken[]): boolean {
  let quotes = 0;
  for (const { type } of tokens) {
    if (type === Token.OQuote) {
      quotes++;
    } else if (type === Token.CQuote) {
      quotes--;
    } else if (
      quotes <= 0 &&
      (type === Token.TemplateInterp || type === Token.TemplateSeqEnd || type === Token.QuotedLit)
    ) {
      return false;
    }
  }
  return true;
}

function trimNewlines(tokens: readonly FormatToken[]): readonly FormatToken[] {
  let start = 0;
  while (tokens[start]?.type === Token.Newline) {
    start++;
  }
  let end = tokens.length;
  while (end > start && tokens[end - 1]?.type === Token.Newline) {
    end--;
  }
  return tokens.slice(start, end);
}

/** `list` becomes `list(any)`, and the quoted types of version 0.11 become what they meant. */
function simplifyType(tokens: readonly FormatToken[]): readonly FormatToken[] {
  const [first, second, third] = tokens;
  if (tokens.length === 1 && first?.type === Token.Ident) {
    return isCollectionName(first.text) ? [first, ...typeArgument('any')] : tokens;
  }
  if (
    tokens.length === 3 &&
    first?.type === Token.OQuote &&
    second?.type === Token.QuotedLit &&
    third?.type === Token.CQuote
  ) {
    switch (second.text) {
      case 'string':
        return [newToken(Token.Ident, 'string')];
      case 'list':
      case 'map':
        return [newToken(Token.Ident, second.text), ...typeArgument('string')];
      default:
    }
  }
  return tokens;
}

function isCollectionName(name: string): boolean {
  return name === 'list' || name === 'map' || name === 'set';
}

function typeArgument(name: string): FormatToken[] {
  return [newToken(Token.OParen, '('), newToken(Token.Ident, name), newToken(Token.CParen, ')')];
}
