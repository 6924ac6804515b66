// Rewrites of `terraform fmt` beyond layout: interpolations that wrap a single expression, type constraints in the
// style of old versions, labels without quotes.

import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import type { Range } from '../source/source.ts';
import type { NativeBlock, NativeBody } from '../syntax/native-body.ts';
import { resolveStringLiteral } from '../syntax/string-literal.ts';
import { Token, type TokenList } from '../syntax/tokens.ts';
import { type Tokens, TokenWriter } from './token-writer.ts';
import { writeQuoted } from './value-tokens.ts';

/** Returns the tokens of a file after these rewritings; the same list if nothing changes. */
export function simplify(body: NativeBody, tokens: TokenList): Tokens {
  const simplifier = new Simplifier(tokens);
  simplifier.visitBody(body, 'file');
  return simplifier.result();
}

/** The position of a body; type constraints are attributes `type` of top-level `variable` blocks. */
type Place = 'file' | 'variable' | 'block';

interface Replacement {
  /** the first token that is replaced */
  readonly start: number;
  /** the token after the last one that is replaced */
  readonly end: number;
  readonly write: (writer: TokenWriter) => void;
}

// Labels in canonical form, separated only by white space.
const CANONICAL_LABELS = /^(?:[ \t]*"[\w.-]*")+$/;

class Simplifier {
  readonly #tokens: TokenList;
  readonly #replacements: Replacement[] = [];

  constructor(tokens: TokenList) {
    this.#tokens = tokens;
  }

  result(): Tokens {
    if (this.#replacements.length === 0) return this.#tokens;
    const writer = new TokenWriter();
    let next = 0;
    for (const { start, end, write } of this.#replacements.toSorted((a, b) => a.start - b.start)) {
      writer.copy(this.#tokens, next, start);
      write(writer);
      next = end;
    }
    writer.copy(this.#tokens, next, this.#tokens.length);
    return writer.tokens();
  }

  visitBody(body: NativeBody, place: Place): void {
    for (const { name, expression } of body.attributes.values()) {
      if (place === 'variable' && name === 'type') this.#simplifyType(expression.range);
      else this.#simplifyValue(expression.range);
    }
    for (const block of body.blocks) {
      this.#simplifyLabels(block);
      this.visitBody(
        block.body,
        place === 'file' && block.type === 'variable' ? 'variable' : 'block',
      );
    }
  }

  /** Replaces `"${x}"` by `x`. */
  #simplifyValue(range: Range): void {
    const tokens = this.#tokens;
    if (!tokens.text.startsWith('"${', range.start)) return;
    const start = this.#indexAt(range.start);
    const end = this.#indexAt(range.end);
    if (
      end - start < 5 ||
      tokens.type(start + 1) !== Token.TemplateInterp ||
      tokens.type(end - 2) !== Token.TemplateSeqEnd ||
      tokens.type(end - 1) !== Token.CQuote ||
      !this.#isSingleSequence(start + 2, end - 2)
    ) {
      return;
    }
    let first = start + 2;
    let last = end - 3;
    while (first <= last && tokens.type(first) === Token.Newline) first++;
    while (last >= first && tokens.type(last) === Token.Newline) last--;
    const isParenthesized =
      tokens.type(first) === Token.OParen && tokens.type(last) === Token.CParen;
    const needsParentheses = !isParenthesized && this.#hasNewline(first + 1, last + 1);
    this.#replacements.push({
      start,
      end,
      write: (writer) => {
        if (needsParentheses) writer.add(Token.OParen, '(');
        writer.copy(tokens, first, last + 1);
        if (needsParentheses) writer.add(Token.CParen, ')');
      },
    });
  }

  /** Replaces `list` by `list(any)`, and the quoted types of version 0.11 by their meaning. */
  #simplifyType(range: Range): void {
    const tokens = this.#tokens;
    const start = this.#indexAt(range.start);
    const end = this.#indexAt(range.end);
    if (end - start === 1 && tokens.type(start) === Token.Ident) {
      const name = tokens.textOf(start);
      if (isCollectionName(name)) this.#replaceType(start, end, name, 'any');
      return;
    }
    const isQuoted =
      end - start === 3 &&
      tokens.type(start) === Token.OQuote &&
      tokens.type(start + 1) === Token.QuotedLit &&
      tokens.type(start + 2) === Token.CQuote;
    const name = isQuoted ? tokens.textOf(start + 1) : '';
    if (name === 'string') this.#replaceType(start, end, name, undefined);
    else if (name === 'list' || name === 'map') this.#replaceType(start, end, name, 'string');
  }

  #replaceType(start: number, end: number, name: string, element: string | undefined): void {
    this.#replacements.push({
      start,
      end,
      write: (writer) => {
        writer.add(Token.Ident, name);
        if (element === undefined) return;
        writer.add(Token.OParen, '(');
        writer.add(Token.Ident, element);
        writer.add(Token.CParen, ')');
      },
    });
  }

  /** Quotes labels. Comments before and between labels are lost, as in Terraform. */
  #simplifyLabels({ labelRanges, typeRange }: NativeBlock): void {
    const last = labelRanges.at(-1);
    if (last === undefined) return;
    if (CANONICAL_LABELS.test(this.#tokens.text.slice(typeRange.end, last.end))) return;
    this.#replacements.push({
      start: this.#indexAt(typeRange.end),
      end: this.#indexAt(last.end),
      write: (writer) => {
        for (const range of labelRanges) this.#writeLabel(range, writer);
      },
    });
  }

  #writeLabel(range: Range, writer: TokenWriter): void {
    const tokens = this.#tokens;
    const start = this.#indexAt(range.start);
    const end = this.#indexAt(range.end);
    if (tokens.type(start) === Token.Ident) {
      writeQuoted(tokens.textOf(start).normalize('NFC'), writer);
      return;
    }
    if (end - start === 2) {
      writeQuoted('', writer);
      return;
    }
    if (end - start === 3 && tokens.type(start + 1) === Token.QuotedLit) {
      const diagnostics: Diagnostic[] = [];
      const [from, to] = [tokens.starts[start + 1] ?? 0, tokens.ends[start + 1] ?? 0];
      const text = resolveStringLiteral(tokens.source, from, to, true, diagnostics);
      if (!hasErrors(diagnostics)) {
        writeQuoted(text.normalize('NFC'), writer);
        return;
      }
    }
    writer.copy(tokens, start, end);
  }

  /** Returns false if the tokens may be more than the inside of one template sequence. */
  #isSingleSequence(from: number, to: number): boolean {
    let quotes = 0;
    for (let i = from; i < to; i++) {
      const type = this.#tokens.type(i);
      if (type === Token.OQuote) quotes++;
      else if (type === Token.CQuote) quotes--;
      else if (
        quotes <= 0 &&
        (type === Token.TemplateInterp || type === Token.TemplateSeqEnd || type === Token.QuotedLit)
      ) {
        return false;
      }
    }
    return true;
  }

  #hasNewline(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.#tokens.type(i) === Token.Newline) return true;
    return false;
  }

  /** The index of the first token that starts at or after an offset. */
  #indexAt(offset: number): number {
    const { starts } = this.#tokens;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isCollectionName(name: string): boolean {
  return name === 'list' || name === 'map' || name === 'set';
}
