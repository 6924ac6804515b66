// First pass over a template: a flat list of literals, interpolations and directives, with trim
// markers and heredoc indentation already applied.

import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression } from '../model.ts';
import { clustersPrefixLength, countClusters } from '../source/graphemes.ts';
import { quoteText } from '@terrane/cty';
import { Range, rangeBetween } from '../source/source.ts';
import { nameSuggestion } from '../source/suggestion.ts';
import { stringLiteral } from './string-literal.ts';
import type { TokenReader } from './token-reader.ts';
import { Token, type TokenType } from './tokens.ts';
import type { ParseExpression } from './traversal-operators.ts';

/** A piece of a template. Only literals change, and only while they are being gathered. */
export type TemplatePart =
  | LiteralPart
  | { readonly kind: 'interpolation'; readonly expression: Expression }
  | { readonly kind: 'if'; readonly condition: Expression; readonly range: Range }
  | {
      readonly kind: 'for';
      readonly keyName: string | undefined;
      readonly valueName: string;
      readonly collection: Expression;
      readonly range: Range;
    }
  | { readonly kind: 'else' | 'endif' | 'endfor'; readonly range: Range }
  | { readonly kind: 'end'; readonly range: Range };

interface LiteralPart {
  readonly kind: 'literal';
  value: string;
  range: Range;
}

/** The parts of a template before control sequences are assembled. */
export interface TemplateParts {
  /** ends with a part of kind 'end' */
  readonly parts: readonly TemplatePart[];
  readonly range: Range;
  /** false if all other parts are literals and interpolations */
  readonly hasDirectives: boolean;
}

// The characters of Go's unicode.IsSpace.
const LEADING_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const TRAILING_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;

const DIRECTIVES = ['if', 'for', 'else', 'endif', 'endfor'] as const;

/**
 * Parses a template up to and including the token `end`. With `flush`, the common indentation of all lines is removed
 * (`<<-`).
 */
export function parseTemplateParts(
  p: TokenReader,
  end: TokenType,
  flush: boolean,
  parseExpression: ParseExpression,
): TemplateParts {
  const first = p.nextIndex;
  const gatherer = new Gatherer(p, end, parseExpression);
  const last = gatherer.run();
  let { parts } = gatherer;
  if (parts.length === 0) {
    const at = p.tokens.end(first);
    parts.push({ kind: 'literal', value: '', range: new Range(p.source, at, at) });
  }
  parts.push({ kind: 'end', range: p.tokens.range(last) });
  if (flush) {
    flushHeredoc(parts);
  }
  parts = meldLiterals(parts);
  const range = p.tokens.rangeBetween(first, last);
  return { parts, range, hasDirectives: gatherer.hasDirectives };
}

class Gatherer {
  /** the first token */
  readonly #start: number;
  readonly parts: TemplatePart[] = [];
  hasDirectives = false;
  readonly #p: TokenReader;
  readonly #end: TokenType;
  readonly #parseExpression: ParseExpression;
  // The last sequence ended with `~}`: the literal that follows loses its leading space.
  #trimNext = false;
  // The last token was a literal, which `${~` may trim.
  #canTrimPrevious = false;

  constructor(p: TokenReader, end: TokenType, parseExpression: ParseExpression) {
    this.#p = p;
    this.#end = end;
    this.#parseExpression = parseExpression;
    this.#start = p.nextIndex;
  }

  /** Returns the token after the parts. */
  run(): number {
    const p = this.#p;
    for (;;) {
      const type = p.nextType;
      const token = p.read();
      if (type === this.#end) {
        return token;
      }
      switch (type) {
        case Token.StringLit:
        case Token.QuotedLit:
          this.#takeLiteral(token);
          break;
        case Token.TemplateInterp:
          this.#beforeSequence(token);
          this.#parseInterpolation();
          break;
        case Token.TemplateControl:
          this.#beforeSequence(token);
          p.pushNewlines(false);
          this.hasDirectives = true;
          this.#parseDirective(token);
          p.popNewlines();
          break;
        default:
          return this.#reportUnterminated(token);
      }
    }
  }

  #reportUnterminated(token: number): number {
    const p = this.#p;
    if (!p.recovery) {
      const detail = 'No closing marker was found for the string.';
      p.diagnostics.push(
        errorDiagnostic('Unterminated template string', detail, p.tokens.range(token), {
          context: p.tokens.rangeBetween(this.#start, token),
        }),
      );
    }
    return p.recover(this.#end);
  }

  #takeLiteral(token: number): void {
    const p = this.#p;
    let value = stringLiteral(p, token);
    if (this.#trimNext) {
      value = value.replace(LEADING_SPACE, '');
    }
    this.#trimNext = false;
    this.parts.push({ kind: 'literal', value, range: p.tokens.range(token) });
    this.#canTrimPrevious = true;
  }

  #beforeSequence(open: number): void {
    const previous = this.parts.at(-1);
    if (
      this.#canTrimPrevious &&
      this.#p.tokens.lengthOf(open) === 3 &&
      previous?.kind === 'literal'
    ) {
      previous.value = previous.value.replace(TRAILING_SPACE, '');
    }
    this.#canTrimPrevious = false;
    this.#trimNext = false;
  }

  #parseInterpolation(): void {
    const p = this.#p;
    p.pushNewlines(false);
    const expression = this.#parseExpression(p);
    const close = p.nextIndex;
    if (p.tokens.type(close) === Token.TemplateSeqEnd) {
      this.#closeSequence(close);
    } else {
      if (!p.recovery) {
        this.#reportInterpolationEnd(close);
      }
      p.recover(Token.TemplateSeqEnd);
    }
    p.popNewlines();
    this.parts.push({ kind: 'interpolation', expression });
  }

  #closeSequence(close: number): void {
    this.#p.skip();
    this.#trimNext = this.#p.tokens.lengthOf(close) === 2;
  }

  #reportInterpolationEnd(close: number): void {
    const p = this.#p;
    const startRange = p.tokens.range(this.#start);
    const context = p.tokens.rangeBetween(this.#start, close);
    const unclosed = 'Unclosed template interpolation sequence';
    const extra = 'Extra characters after interpolation expression';
    const inQuotes = p.tokens.type(close) === Token.CQuote || p.tokens.type(close) === Token.OQuote;
    if (p.tokens.type(close) === Token.EOF) {
      const detail =
        'There is no closing brace for this interpolation sequence before the end of the file. This might be caused by incorrect nesting inside the given expression.';
      p.diagnostics.push(errorDiagnostic(unclosed, detail, startRange));
    } else if (p.tokens.type(close) === Token.Colon) {
      const detail =
        'Template interpolation doesn\'t expect a colon at this location. Did you intend this to be a literal sequence to be processed as part of another language? If so, you can escape it by starting with "$${" instead of just "${".';
      p.diagnostics.push(errorDiagnostic(extra, detail, p.tokens.range(close), { context }));
    } else if (inQuotes && this.#end === Token.CQuote) {
      const detail =
        'There is no closing brace for this interpolation sequence before the end of the quoted template. This might be caused by incorrect nesting inside the given expression.';
      p.diagnostics.push(errorDiagnostic(unclosed, detail, startRange));
    } else {
      const detail =
        'Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can happen when you include interpolation syntax for another language, such as shell scripting, but forget to escape the interpolation start token. If this is an embedded sequence for another language, escape it by starting with "$${" instead of just "${".';
      p.diagnostics.push(errorDiagnostic(extra, detail, p.tokens.range(close), { context }));
    }
  }

  /** Directive = "if" Expression | "else" | "endif" | "for" name ["," name] "in" Expression | "endfor" */
  #parseDirective(open: number): void {
    const p = this.#p;
    const keyword = p.nextIndex;
    if (p.tokens.type(keyword) !== Token.Ident) {
      const detail =
        'A template directive keyword ("if", "for", etc) is expected at the beginning of a %{ sequence.';
      this.#abandon(open, keyword, 'Invalid template directive', detail);
      return;
    }
    p.skip();
    const name = p.tokens.textOf(keyword);
    switch (name) {
      case 'if': {
        const condition = this.#parseExpression(p);
        this.parts.push({
          kind: 'if',
          condition,
          range: p.tokens.rangeBetween(open, p.nextIndex),
        });
        break;
      }
      case 'else':
      case 'endif':
      case 'endfor':
        this.parts.push({ kind: name, range: p.tokens.rangeBetween(open, p.nextIndex) });
        break;
      case 'for':
        if (!this.#parseForDirective(open)) {
          return;
        }
        break;
      default:
        this.#reportUnknownDirective(open, keyword, name);
        return;
    }
    this.#parseDirectiveEnd(name);
  }

  #parseForDirective(open: number): boolean {
    const p = this.#p;
    if (!p.nextIs(Token.Ident)) {
      return this.#abandonFor("For directive requires variable name after 'for'.");
    }
    let keyName: string | undefined;
    let valueName = p.tokens.textOf(p.read());
    if (p.nextIs(Token.Comma)) {
      p.skip();
      keyName = valueName;
      if (!p.nextIs(Token.Ident)) {
        return this.#abandonFor('For directive requires value variable name after comma.');
      }
      valueName = p.tokens.textOf(p.read());
    }
    if (!p.peekIs('in')) {
      return this.#abandonFor("For directive requires 'in' keyword after names.");
    }
    p.skip();
    const collection = this.#parseExpression(p);
    const range = p.tokens.rangeBetween(open, p.nextIndex);
    this.parts.push({ kind: 'for', keyName, valueName, collection, range });
    return true;
  }

  #abandonFor(detail: string): false {
    const p = this.#p;
    if (!p.recovery) {
      p.diagnostics.push(errorDiagnostic("Invalid 'for' directive", detail, p.nextRange()));
    }
    p.recover(Token.TemplateSeqEnd);
    return false;
  }

  #reportUnknownDirective(open: number, keyword: number, name: string): void {
    const suggestion = nameSuggestion(name, DIRECTIVES);
    const hint = suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
    const detail = `${quoteText(name)} is not a valid template control keyword.${hint}`;
    this.#abandon(open, keyword, 'Invalid template control keyword', detail);
  }

  #abandon(open: number, token: number, summary: string, detail: string): void {
    const p = this.#p;
    if (!p.recovery) {
      const context = p.tokens.rangeBetween(open, token);
      p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(token), { context }));
    }
    p.recover(Token.TemplateSeqEnd);
  }

  #parseDirectiveEnd(keyword: string): void {
    const p = this.#p;
    const close = p.nextIndex;
    if (p.tokens.type(close) === Token.TemplateSeqEnd) {
      this.#closeSequence(close);
      return;
    }
    if (!p.recovery) {
      const detail = 'Expected a closing brace to end the sequence, but found extra characters.';
      p.diagnostics.push(
        errorDiagnostic(`Extra characters in ${keyword} marker`, detail, p.tokens.range(close), {
          context: p.tokens.rangeBetween(this.#start, close),
        }),
      );
    }
    p.recover(Token.TemplateSeqEnd);
  }
}

/**
 * Removes the smallest common indentation from all lines. It is computed from the literals only, not from interpolated
 * values; blank lines are ignored.
 */
function flushHeredoc(parts: readonly TemplatePart[]): void {
  let minIndent = Number.MAX_SAFE_INTEGER;
  let atLineStart = true;
  const indented: LiteralPart[] = [];
  for (const part of parts) {
    if (part.kind === 'end') {
      break;
    }
    if (atLineStart) {
      atLineStart = false;
      if (part.kind === 'literal') {
        const trimmed = part.value.replace(LEADING_SPACE, '');
        if (trimmed !== '' || !part.value.endsWith('\n')) {
          const space = part.value.slice(0, part.value.length - trimmed.length);
          minIndent = Math.min(minIndent, countClusters(space));
          indented.push(part);
        }
      } else {
        minIndent = 0;
      }
    }
    if (part.kind === 'literal' && part.value.endsWith('\n')) {
      atLineStart = true;
    }
  }
  for (const part of indented) {
    const length = clustersPrefixLength(part.value, minIndent);
    part.value = part.value.slice(length);
    part.range = new Range(part.range.source, part.range.start + length, part.range.end);
  }
}

function hasAdjacentLiterals(parts: readonly TemplatePart[]): boolean {
  for (let i = 1; i < parts.length; i++)
    if (parts[i]?.kind === 'literal' && parts[i - 1]?.kind === 'literal') return true;
  return false;
}

/** Joins literals that follow one another. */
function meldLiterals(parts: TemplatePart[]): TemplatePart[] {
  if (!hasAdjacentLiterals(parts)) return parts;
  const result: TemplatePart[] = [];
  let run: LiteralPart[] = [];
  const endRun = (): void => {
    const [first] = run;
    const last = run.at(-1);
    if (first !== undefined && last !== undefined) {
      result.push(
        run.length === 1
          ? first
          : {
              kind: 'literal',
              value: run.map((part) => part.value).join(''),
              range: rangeBetween(first.range, last.range),
            },
      );
    }
    run = [];
  };
  for (const part of parts) {
    if (part.kind === 'literal') {
      run.push(part);
    } else {
      endRun();
      result.push(part);
    }
  }
  return result;
}
