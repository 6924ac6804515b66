import { Token, type TokenList } from '@terrane/hcl';
import type { Span } from './symbol.ts';

/** A block that encloses the cursor. */
export interface EnclosingBlock {
  readonly type: string;
  readonly labels: readonly string[];
  /** offset after the opening brace */
  readonly bodyStart: number;
}

/** A construct between an argument's equals sign and the cursor. */
export type Nesting =
  | { readonly kind: 'object'; readonly key: string | undefined; readonly used: readonly string[] }
  | { readonly kind: 'tuple'; readonly element: number }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly nameSpan: Span;
      readonly argument: number;
    }
  | { readonly kind: 'parentheses' }
  | { readonly kind: 'index' }
  | { readonly kind: 'interpolation' }
  | { readonly kind: 'string'; readonly start: number };

/** The syntactic position of the cursor, which determines the completions. */
export type CursorPosition =
  /** the start of an argument or block; `typed` is a part of its name */
  | { readonly kind: 'item' }
  /** a label; `index` counts from 0 */
  | {
      readonly kind: 'label';
      readonly block: string;
      readonly index: number;
      readonly labels: readonly string[];
      readonly isQuoted: boolean;
    }
  /** an expression */
  | { readonly kind: 'value' }
  /** a key of an object constructor */
  | { readonly kind: 'key' }
  /** the literal text of a string or template */
  | { readonly kind: 'text' }
  | { readonly kind: 'comment' };

/** The syntactic surroundings of an offset, derived from the tokens before it, so that they exist in broken files. */
export interface CursorContext {
  /** from the outermost; empty at the top level */
  readonly blocks: readonly EnclosingBlock[];
  /** the argument whose value the cursor is in */
  readonly argument: string | undefined;
  /** offset after the equals sign of the argument */
  readonly valueStart: number | undefined;
  readonly nesting: readonly Nesting[];
  readonly position: CursorPosition;
  /** the word or reference step that is being typed, up to the cursor */
  readonly typed: Span;
}

interface Frame {
  kind: 'body' | 'object' | 'tuple' | 'paren' | 'index' | 'interpolation' | 'string';
  block?: EnclosingBlock;
  /** call name of parentheses */
  call?: { name: string; span: Span };
  count: number;
  key: string | undefined;
  afterKey: boolean;
  used: string[];
  lastName: string | undefined;
  start: number;
  isLabel: boolean;
}

const ROOT_WORDS: ReadonlySet<string> = new Set([
  'resource',
  'data',
  'ephemeral',
  'variable',
  'output',
  'module',
  'provider',
  'locals',
  'terraform',
  'moved',
  'removed',
  'import',
  'check',
  'action',
  'list',
  'run',
]);

function frameOf(kind: Frame['kind'], start: number): Frame {
  return {
    kind,
    count: 0,
    key: undefined,
    afterKey: false,
    used: [],
    lastName: undefined,
    start,
    isLabel: false,
  };
}

/** Determines the surroundings of an offset from the tokens that begin before it. */
export function cursorContext(tokens: TokenList, offset: number): CursorContext {
  const scan = new ContextScan(tokens, offset);
  return scan.run();
}

class ContextScan {
  readonly #tokens: TokenList;
  readonly #offset: number;
  #stack: Frame[] = [frameOf('body', 0)];
  #header: { text: string; isLabel: boolean }[] = [];
  #argument: string | undefined;
  #valueStart: number | undefined;
  #isComment = false;
  #typed: Span;

  constructor(tokens: TokenList, offset: number) {
    this.#tokens = tokens;
    this.#offset = offset;
    this.#typed = { start: offset, end: offset };
  }

  run(): CursorContext {
    const { types, starts, ends, length, text } = this.#tokens;
    for (let i = 0; i < length; i++) {
      const start = starts[i] ?? 0;
      const end = ends[i] ?? 0;
      const type = types[i] ?? Token.EOF;
      if (start >= this.#offset || type === Token.EOF) break;
      if (type === Token.Comment) {
        const isLine = !text.startsWith('/*', start);
        const endsLine = isLine && text.charCodeAt(end - 1) === 0x0a;
        if (this.#offset < end || (this.#offset === end && isLine && !endsLine)) {
          this.#isComment = true;
          break;
        }
        if (endsLine) this.#newline();
        continue;
      }
      // The user is typing the token at the cursor.
      if (end >= this.#offset && (type === Token.Ident || type === Token.NumberLit)) {
        this.#typed = { start, end: this.#offset };
        break;
      }
      if (end >= this.#offset && (type === Token.QuotedLit || type === Token.StringLit)) {
        this.#typed = { start, end: this.#offset };
        break;
      }
      this.#token(type, i, start, end);
    }
    return this.#result();
  }

  get #top(): Frame {
    return this.#stack.at(-1) ?? frameOf('body', 0);
  }

  #newline(): void {
    const top = this.#top;
    if (top.kind === 'body') {
      this.#header = [];
      this.#argument = undefined;
      this.#valueStart = undefined;
    } else if (top.kind === 'object') this.#nextItem(top);
  }

  #nextItem(top: Frame): void {
    if (top.key !== undefined) top.used.push(top.key);
    top.key = undefined;
    top.afterKey = false;
    top.lastName = undefined;
  }

  #token(type: number, index: number, start: number, end: number): void {
    const top = this.#top;
    const { text } = this.#tokens;
    switch (type) {
      case Token.Newline:
        this.#newline();
        return;
      case Token.Ident: {
        const name = text.slice(start, end);
        if (this.#startsRootBlock(name, index, start)) {
          this.#stack = [frameOf('body', 0)];
          this.#header = [];
          this.#argument = undefined;
          this.#valueStart = undefined;
          this.#header.push({ text: name, isLabel: false });
          return;
        }
        if (top.kind === 'body' && this.#argument === undefined)
          this.#header.push({ text: name, isLabel: this.#header.length > 0 });
        else if (top.kind === 'object' && !top.afterKey) top.lastName = name;
        return;
      }
      case Token.OQuote:
      case Token.OHeredoc: {
        const frame = frameOf('string', end);
        frame.isLabel = top.kind === 'body' && this.#argument === undefined;
        this.#stack.push(frame);
        return;
      }
      case Token.QuotedLit:
        if (top.kind === 'string') top.lastName = text.slice(start, end);
        return;
      case Token.CQuote:
      case Token.CHeredoc: {
        if (top.kind !== 'string') return;
        this.#stack.pop();
        const below = this.#top;
        const literal = top.lastName ?? '';
        if (top.isLabel) this.#header.push({ text: literal, isLabel: true });
        else if (below.kind === 'object' && !below.afterKey) below.lastName = literal;
        // The delimiter of a heredoc includes the end of its line.
        if (type === Token.CHeredoc && text.charCodeAt(end - 1) === 0x0a) this.#newline();
        return;
      }
      case Token.TemplateInterp:
      case Token.TemplateControl:
        this.#stack.push(frameOf('interpolation', end));
        return;
      case Token.TemplateSeqEnd:
        this.#close('interpolation');
        return;
      case Token.Equal:
      case Token.Colon:
        if (top.kind === 'body' && type === Token.Equal && this.#header.length === 1) {
          this.#argument = this.#header[0]?.text;
          this.#valueStart = end;
          this.#header = [];
        } else if (top.kind === 'object' && !top.afterKey) {
          top.key = top.lastName;
          top.afterKey = true;
        }
        return;
      case Token.OBrace:
        if (top.kind === 'body' && this.#argument === undefined) {
          const [type_, ...labels] = this.#header.map((part) => part.text);
          const frame = frameOf('body', end);
          frame.block = { type: type_ ?? '', labels, bodyStart: end };
          this.#stack.push(frame);
          this.#header = [];
        } else this.#stack.push(frameOf('object', end));
        return;
      case Token.CBrace:
        this.#closeBrace();
        return;
      case Token.OBrack: {
        const before = this.#tokens.types[index - 1];
        const isAdjacent = this.#tokens.ends[index - 1] === start;
        const isIndex =
          isAdjacent &&
          (before === Token.Ident || before === Token.CBrack || before === Token.CParen);
        this.#stack.push(frameOf(isIndex ? 'index' : 'tuple', end));
        return;
      }
      case Token.CBrack:
        this.#close('tuple', 'index');
        return;
      case Token.OParen: {
        const frame = frameOf('paren', end);
        const call = this.#callBefore(index, start);
        if (call !== undefined) frame.call = call;
        this.#stack.push(frame);
        return;
      }
      case Token.CParen:
        this.#close('paren');
        return;
      case Token.Comma:
        if (top.kind === 'object') this.#nextItem(top);
        else top.count++;
        return;
    }
  }

  /** A block keyword at the start of a line closes the open brackets of an unfinished line before it. */
  #startsRootBlock(name: string, index: number, start: number): boolean {
    if (this.#stack.length === 1 || !ROOT_WORDS.has(name)) return false;
    const { text, types } = this.#tokens;
    if (start > 0 && text.charCodeAt(start - 1) !== 0x0a) return false;
    const next = types[index + 1];
    return next === Token.OQuote || next === Token.OBrace;
  }

  #callBefore(index: number, start: number): { name: string; span: Span } | undefined {
    const { types, starts, ends, text } = this.#tokens;
    let at = index - 1;
    if (types[at] !== Token.Ident || ends[at] !== start) return undefined;
    const end = ends[at] ?? start;
    let begin = starts[at] ?? start;
    while (types[at - 1] === Token.DoubleColon && types[at - 2] === Token.Ident) {
      at -= 2;
      begin = starts[at] ?? begin;
    }
    return { name: text.slice(begin, end), span: { start: begin, end } };
  }

  #close(...kinds: Frame['kind'][]): void {
    for (let i = this.#stack.length - 1; i > 0; i--) {
      const kind = this.#stack[i]?.kind;
      if (kind === undefined || kind === 'body') return;
      if (kinds.includes(kind)) {
        this.#stack.length = i;
        return;
      }
    }
  }

  #closeBrace(): void {
    for (let i = this.#stack.length - 1; i > 0; i--) {
      const kind = this.#stack[i]?.kind;
      if (kind === 'object' || kind === 'body') {
        this.#stack.length = i;
        if (kind === 'body') {
          this.#header = [];
          this.#argument = undefined;
          this.#valueStart = undefined;
        }
        return;
      }
    }
  }

  #result(): CursorContext {
    const blocks = this.#stack.flatMap(({ block }) => block ?? []);
    const nesting: Nesting[] = [];
    for (const frame of this.#stack) {
      switch (frame.kind) {
        case 'object':
          nesting.push({
            kind: 'object',
            key: frame.afterKey ? frame.key : undefined,
            used: frame.used,
          });
          break;
        case 'tuple':
          nesting.push({ kind: 'tuple', element: frame.count });
          break;
        case 'paren':
          nesting.push(
            frame.call === undefined
              ? { kind: 'parentheses' }
              : {
                  kind: 'call',
                  name: frame.call.name,
                  nameSpan: frame.call.span,
                  argument: frame.count,
                },
          );
          break;
        case 'index':
          nesting.push({ kind: 'index' });
          break;
        case 'interpolation':
          nesting.push({ kind: 'interpolation' });
          break;
        case 'string':
          if (!frame.isLabel) nesting.push({ kind: 'string', start: frame.start });
          break;
        case 'body':
      }
    }
    return {
      blocks,
      argument: this.#argument,
      valueStart: this.#valueStart,
      nesting,
      position: this.#position(),
      typed: this.#typed,
    };
  }

  #position(): CursorPosition {
    if (this.#isComment) return { kind: 'comment' };
    const top = this.#top;
    const [type, ...labels] = this.#header.map(({ text }) => text);
    if (top.kind === 'string') {
      if (!top.isLabel || type === undefined) return { kind: 'text' };
      return { kind: 'label', block: type, index: labels.length, labels, isQuoted: true };
    }
    if (top.kind === 'object' && !top.afterKey) return { kind: 'key' };
    if (top.kind !== 'body' || this.#argument !== undefined) return { kind: 'value' };
    if (type === undefined) return { kind: 'item' };
    return { kind: 'label', block: type, index: labels.length, labels, isQuoted: false };
  }
}

const REFERENCE =
  /[\p{ID_Start}_][\p{ID_Continue}-]*(?:::[\p{ID_Continue}-]*)*(?:\.(?:[\p{ID_Continue}-]+|\*)|\[[^[\]\n]*\])*\.?$/u;

/** Longer references are not completed. */
const MAX_REFERENCE = 400;

/** Returns the reference that ends at an offset, such as `aws_instance.web[0].` or `var.na`; empty if there is none. */
export function referenceBefore(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - MAX_REFERENCE), offset);
  return REFERENCE.exec(before)?.[0] ?? '';
}
