// Tokens of YAML 1.1 as libyaml produces them, which `yamldecode` uses: the accepted input and the error messages
// differ in many places from the specification and from other parsers.

/** A position in the source; both fields are zero-based. */
export interface YamlMark {
  readonly line: number;
  readonly column: number;
}

/** Token kinds. */
export type YamlTokenKind =
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'stream-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/** The style of a scalar. */
export type YamlScalarStyle = 'plain' | 'quoted' | 'block';

/** A token. */
export interface YamlToken {
  readonly kind: YamlTokenKind;
  readonly start: YamlMark;
  readonly end: YamlMark;
  /** the text of a scalar, the name of an anchor, the handle of a tag, the version of a directive */
  readonly value: string;
  /** the part after the handle of a tag, or its expansion in a directive */
  readonly suffix: string;
  readonly style: YamlScalarStyle;
}

/** An error in a source, with its position. */
export class YamlFault extends Error {
  override readonly name: string = 'YamlFault';
  readonly mark: YamlMark;
  readonly context: YamlMark;
  readonly isScanner: boolean;

  constructor(problem: string, mark: YamlMark, context: YamlMark, isScanner: boolean) {
    super(problem);
    this.mark = mark;
    this.context = context;
    this.isScanner = isScanner;
  }
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const NEL = 0x85;
const LS = 0x2028;
const PS = 0x2029;
const BOM = 0xfeff;
const END = 0;

const MAX_SIMPLE_KEY_LENGTH = 1024;

const isBlank = (c: number): boolean => c === SPACE || c === TAB;
const isBreak = (c: number): boolean => c === LF || c === CR || c === NEL || c === LS || c === PS;
const isBreakOrEnd = (c: number): boolean => c === END || isBreak(c);
const isBlankOrEnd = (c: number): boolean => isBlank(c) || isBreakOrEnd(c);
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isAlpha = (c: number): boolean =>
  isDigit(c) || (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f || c === 0x2d;
const isOneOf = (set: string, c: number): boolean => set.includes(String.fromCharCode(c));

/** Indicators after which a plain scalar begins only if a character follows directly. */
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';
const URI = ";/?:@&=+$,.!~*'()[]%";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const ESCAPE_LENGTH: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** The position of a possible simple key. */
interface SimpleKey {
  readonly required: boolean;
  /** the number of its first token */
  readonly token: number;
  readonly index: number;
  readonly mark: YamlMark;
}

/** White space and line breaks that a multi-line scalar has accumulated since its last visible character. */
class Folding {
  text: string = '';
  leading: string = '';
  trailing: string = '';
  blanks: string = '';
  /** a line break has been passed */
  broken: boolean = false;

  /** Appends the folded blanks and breaks. */
  join(): void {
    if (!this.broken) {
      this.text += this.blanks;
      this.blanks = '';
      return;
    }
    if (this.leading.startsWith('\n')) this.text += this.trailing === '' ? ' ' : this.trailing;
    else this.text += this.leading + this.trailing;
    this.leading = '';
    this.trailing = '';
    this.broken = false;
  }

  addBreak(text: string): void {
    if (this.broken) this.trailing += text;
    else {
      this.blanks = '';
      this.leading = text;
      this.broken = true;
    }
  }
}

/** Hands out the tokens of a source one after another; throws a YamlFault. */
export class YamlScanner {
  readonly #text: string;
  #at: number = 0;
  /** characters passed */
  #index: number = 0;
  #line: number = 0;
  #column: number = 0;
  #queue: YamlToken[] = [];
  #head: number = 0;
  #consumedTokens: number = 0;
  #ready: boolean = false;
  #indent: number = -1;
  readonly #indents: number[] = [];
  readonly #keys: (SimpleKey | undefined)[] = [undefined];
  #keyAllowed: boolean = true;
  #flow: number = 0;

  constructor(text: string) {
    this.#text = text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  /** Returns the next token without consuming it. */
  peek(): YamlToken {
    if (!this.#ready) this.#fetchMore();
    return this.#queue[this.#head] as YamlToken;
  }

  /** Consumes the token that `peek` returned. */
  skip(): void {
    this.#ready = false;
    this.#consumedTokens++;
    this.#head++;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
  }

  #fetchMore(): void {
    for (;;) {
      let isNeeded = this.#head === this.#queue.length;
      if (!isNeeded) {
        this.#dropStaleKeys();
        isNeeded = this.#keys.some((key) => key?.token === this.#consumedTokens);
      }
      if (!isNeeded) break;
      this.#fetch();
    }
    this.#ready = true;
  }

  // ----- characters

  #code(ahead = 0): number {
    // Beyond the end it is NaN, which becomes zero.
    return this.#text.charCodeAt(this.#at + ahead) | 0;
  }

  #is(character: string, ahead = 0): boolean {
    return this.#text[this.#at + ahead] === character;
  }

  get #mark(): YamlMark {
    return { line: this.#line, column: this.#column };
  }

  #next(): string {
    const code = this.#code();
    const size = code >= 0xd800 && code <= 0xdbff ? 2 : 1;
    const character = this.#text.slice(this.#at, this.#at + size);
    this.#at += size;
    this.#index++;
    this.#column++;
    return character;
  }

  /** Consumes a line break; returns its representation in a scalar. */
  #nextBreak(): string {
    const code = this.#code();
    const size = code === CR && this.#code(1) === LF ? 2 : 1;
    this.#at += size;
    this.#index += size;
    this.#column = 0;
    this.#line++;
    return code === LS || code === PS ? String.fromCharCode(code) : '\n';
  }

  #skipBlanks(): void {
    while (isBlank(this.#code())) this.#next();
  }

  #skipComment(): void {
    if (!this.#is('#')) return;
    while (!isBreakOrEnd(this.#code())) this.#next();
  }

  #restOfLine(context: YamlMark): void {
    this.#skipBlanks();
    this.#skipComment();
    if (!isBreakOrEnd(this.#code())) {
      throw this.#errorAt('did not find expected comment or line break', context);
    }
    if (isBreak(this.#code())) this.#nextBreak();
  }

  #errorAt(problem: string, context: YamlMark = this.#mark): YamlFault {
    return new YamlFault(problem, this.#mark, context, true);
  }

  // ----- tokens

  #add(token: Partial<YamlToken> & Pick<YamlToken, 'kind' | 'start'>, position = -1): void {
    const completeToken = {
      end: this.#mark,
      value: '',
      suffix: '',
      style: 'plain' as const,
      ...token,
    };
    if (position < 0) this.#queue.push(completeToken);
    else this.#queue.splice(this.#head + position, 0, completeToken);
  }

  /** Adds a token of one or more indicator characters. */
  #addIndicator(kind: YamlTokenKind, length = 1): void {
    const start = this.#mark;
    for (let i = 0; i < length; i++) this.#next();
    this.#add({ kind, start });
  }

  #fetch(): void {
    this.#toNextToken();
    this.#dropStaleKeys();
    this.#unroll(this.#column);
    const code = this.#code();
    if (code === END && this.#at >= this.#text.length) return this.#fetchEnd();
    const character = String.fromCharCode(code);
    if (this.#column === 0 && character === '%') return this.#fetchDirective();
    if (this.#isDocumentIndicator('---')) return this.#fetchDocument('document-start');
    if (this.#isDocumentIndicator('...')) return this.#fetchDocument('document-end');
    const isAlone = isBlankOrEnd(this.#code(1));
    switch (character) {
      case '[':
        return this.#fetchFlowStart('flow-sequence-start');
      case '{':
        return this.#fetchFlowStart('flow-mapping-start');
      case ']':
        return this.#fetchFlowEnd('flow-sequence-end');
      case '}':
        return this.#fetchFlowEnd('flow-mapping-end');
      case ',':
        this.#removeKey();
        this.#keyAllowed = true;
        return this.#addIndicator('flow-entry');
      case '-':
        if (isAlone) return this.#fetchBlockEntry();
        break;
      case '?':
        if (this.#flow > 0 || isAlone) return this.#fetchKey();
        break;
      case ':':
        if (this.#flow > 0 || isAlone) return this.#fetchValue();
        break;
      case '*':
        return this.#fetchAnchor('alias');
      case '&':
        return this.#fetchAnchor('anchor');
      case '!':
        return this.#fetchInline(() => this.#scanTag());
      case '|':
      case '>':
        if (this.#flow > 0) break;
        this.#removeKey();
        this.#keyAllowed = true;
        return this.#scanBlockScalar(character === '|');
      case "'":
      case '"':
        return this.#fetchInline(() => this.#scanQuoted(character));
      default:
    }
    if (this.#beginsPlain(code)) return this.#fetchInline(() => this.#scanPlain());
    throw this.#errorAt('found character that cannot start any token');
  }

  #beginsPlain(code: number): boolean {
    if (!isBlankOrEnd(code) && !isOneOf(INDICATORS, code)) return true;
    if (code === 0x2d) return !isBlank(this.#code(1));
    return this.#flow === 0 && isOneOf('?:', code) && !isBlankOrEnd(this.#code(1));
  }

  #isDocumentIndicator(text: string): boolean {
    return (
      this.#column === 0 && this.#text.startsWith(text, this.#at) && isBlankOrEnd(this.#code(3))
    );
  }

  #toNextToken(): void {
    for (;;) {
      if (this.#column === 0 && this.#code() === BOM) this.#next();
      // Tabs are not white space where a key may begin.
      while (this.#is(' ') || ((this.#flow > 0 || !this.#keyAllowed) && this.#is('\t'))) {
        this.#next();
      }
      this.#skipComment();
      if (!isBreak(this.#code())) return;
      this.#nextBreak();
      if (this.#flow === 0) this.#keyAllowed = true;
    }
  }

  // ----- keys and indentation

  #dropStaleKeys(): void {
    for (const [i, key] of this.#keys.entries()) {
      if (key === undefined) continue;
      if (key.mark.line >= this.#line && key.index + MAX_SIMPLE_KEY_LENGTH >= this.#index) continue;
      if (key.required) throw this.#errorAt("could not find expected ':'", key.mark);
      this.#keys[i] = undefined;
    }
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    const required = this.#flow === 0 && this.#indent === this.#column;
    const token = this.#consumedTokens + (this.#queue.length - this.#head);
    this.#removeKey();
    this.#keys[this.#keys.length - 1] = { required, token, index: this.#index, mark: this.#mark };
  }

  #removeKey(): void {
    const key = this.#keys.at(-1);
    if (key?.required === true) throw this.#errorAt("could not find expected ':'", key.mark);
    this.#keys[this.#keys.length - 1] = undefined;
  }

  #roll(column: number, token: number, kind: YamlTokenKind, mark: YamlMark): void {
    if (this.#flow > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    this.#add({ kind, start: mark, end: mark }, token < 0 ? token : token - this.#consumedTokens);
  }

  #unroll(column: number): void {
    if (this.#flow > 0) return;
    while (this.#indent > column) {
      this.#add({ kind: 'block-end', start: this.#mark });
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  // ----- start of a token

  #fetchEnd(): void {
    if (this.#column !== 0) {
      this.#column = 0;
      this.#line++;
    }
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#add({ kind: 'stream-end', start: this.#mark });
  }

  #fetchDirective(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#scanDirective();
  }

  #fetchDocument(kind: YamlTokenKind): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#addIndicator(kind, 3);
  }

  #fetchFlowStart(kind: YamlTokenKind): void {
    this.#saveKey();
    this.#keys.push(undefined);
    this.#flow++;
    this.#keyAllowed = true;
    this.#addIndicator(kind);
  }

  #fetchFlowEnd(kind: YamlTokenKind): void {
    this.#removeKey();
    if (this.#flow > 0) {
      this.#flow--;
      this.#keys.pop();
    }
    this.#keyAllowed = false;
    this.#addIndicator(kind);
  }

  #fetchBlockEntry(): void {
    if (this.#flow === 0) {
      if (!this.#keyAllowed) {
        throw this.#errorAt('block sequence entries are not allowed in this context');
      }
      this.#roll(this.#column, -1, 'block-sequence-start', this.#mark);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.#addIndicator('block-entry');
  }

  #fetchKey(): void {
    if (this.#flow === 0) {
      if (!this.#keyAllowed) throw this.#errorAt('mapping keys are not allowed in this context');
      this.#roll(this.#column, -1, 'block-mapping-start', this.#mark);
    }
    this.#removeKey();
    this.#keyAllowed = this.#flow === 0;
    this.#addIndicator('key');
  }

  #fetchValue(): void {
    const key = this.#keys.at(-1);
    if (key !== undefined) {
      this.#add({ kind: 'key', start: key.mark, end: key.mark }, key.token - this.#consumedTokens);
      this.#roll(key.mark.column, key.token, 'block-mapping-start', key.mark);
      this.#keys[this.#keys.length - 1] = undefined;
      this.#keyAllowed = false;
    } else {
      if (this.#flow === 0) {
        if (!this.#keyAllowed) {
          throw this.#errorAt('mapping values are not allowed in this context');
        }
        this.#roll(this.#column, -1, 'block-mapping-start', this.#mark);
      }
      this.#keyAllowed = this.#flow === 0;
    }
    this.#addIndicator('value');
  }

  /** Reads a token that may be a key and after which no key begins. */
  #fetchInline(scan: () => void): void {
    this.#saveKey();
    this.#keyAllowed = false;
    scan();
  }

  #fetchAnchor(kind: 'alias' | 'anchor'): void {
    this.#fetchInline(() => {
      const start = this.#mark;
      this.#next();
      const value = this.#alphas();
      const code = this.#code();
      if (value === '' || !(isBlankOrEnd(code) || isOneOf('?:,]}%@`', code))) {
        throw this.#errorAt('did not find expected alphabetic or numeric character', start);
      }
      this.#add({ kind, start, value });
    });
  }

  #alphas(): string {
    let text = '';
    while (isAlpha(this.#code())) text += this.#next();
    return text;
  }

  // ----- directives and tags

  #scanDirective(): void {
    const start = this.#mark;
    this.#next();
    const name = this.#alphas();
    if (name === '') throw this.#errorAt('could not find expected directive name', start);
    if (!isBlankOrEnd(this.#code())) {
      throw this.#errorAt('found unexpected non-alphabetical character', start);
    }
    if (name === 'YAML') {
      this.#skipBlanks();
      const major = this.#versionNumber(start);
      if (!this.#is('.'))
        throw this.#errorAt("did not find expected digit or '.' character", start);
      this.#next();
      const minor = this.#versionNumber(start);
      this.#add({ kind: 'version-directive', start, value: `${major}.${minor}` });
    } else if (name === 'TAG') {
      this.#skipBlanks();
      const value = this.#tagHandle(true, start);
      if (!isBlank(this.#code())) throw this.#errorAt('did not find expected whitespace', start);
      this.#skipBlanks();
      const suffix = this.#tagUri('', start);
      if (!isBlankOrEnd(this.#code())) {
        throw this.#errorAt('did not find expected whitespace or line break', start);
      }
      this.#add({ kind: 'tag-directive', start, value, suffix });
    } else throw this.#errorAt('found unknown directive name', start);
    this.#restOfLine(start);
  }

  #versionNumber(start: YamlMark): number {
    let digits = '';
    while (isDigit(this.#code())) {
      if (digits.length === 2) throw this.#errorAt('found extremely long version number', start);
      digits += this.#next();
    }
    if (digits === '') throw this.#errorAt('did not find expected version number', start);
    return Number(digits);
  }

  #scanTag(): void {
    const start = this.#mark;
    let value = '';
    let suffix: string;
    if (this.#is('<', 1)) {
      this.#next();
      this.#next();
      suffix = this.#tagUri('', start);
      if (!this.#is('>')) throw this.#errorAt("did not find the expected '>'", start);
      this.#next();
    } else {
      value = this.#tagHandle(false, start);
      if (value.length > 1 && value.endsWith('!')) suffix = this.#tagUri('', start);
      else {
        suffix = this.#tagUri(value, start);
        value = '!';
        if (suffix === '') [value, suffix] = [suffix, value];
      }
    }
    if (!isBlankOrEnd(this.#code())) {
      throw this.#errorAt('did not find expected whitespace or line break', start);
    }
    this.#add({ kind: 'tag', start, value, suffix });
  }

  #tagHandle(isDirective: boolean, start: YamlMark): string {
    if (!this.#is('!')) throw this.#errorAt("did not find expected '!'", start);
    let handle = this.#next() + this.#alphas();
    if (this.#is('!')) handle += this.#next();
    else if (isDirective && handle !== '!') throw this.#errorAt("did not find expected '!'", start);
    return handle;
  }

  #tagUri(head: string, start: YamlMark): string {
    let uri = head.slice(1);
    let hasText = head !== '';
    for (;;) {
      const code = this.#code();
      if (code === END || !(isAlpha(code) || isOneOf(URI, code))) break;
      uri += this.#is('%') ? this.#uriEscapes(start) : this.#next();
      hasText = true;
    }
    if (!hasText) throw this.#errorAt('did not find expected tag URI', start);
    return uri;
  }

  #uriEscapes(start: YamlMark): string {
    const bytes: number[] = [];
    let missing = 1;
    while (missing > 0) {
      const hex = /^%([0-9A-Fa-f]{2})/.exec(this.#text.slice(this.#at, this.#at + 3))?.[1];
      if (hex === undefined) throw this.#errorAt('did not find URI escaped octet', start);
      const octet = Number.parseInt(hex, 16);
      if (bytes.length === 0) {
        missing = utf8Width(octet);
        if (missing === 0) {
          throw this.#errorAt('found an incorrect leading UTF-8 octet', start);
        }
      } else if ((octet & 0xc0) !== 0x80) {
        throw this.#errorAt('found an incorrect trailing UTF-8 octet', start);
      }
      bytes.push(octet);
      for (let i = 0; i < 3; i++) this.#next();
      missing--;
    }
    return Buffer.from(bytes).toString();
  }

  // ----- scalars

  #scanBlockScalar(isLiteral: boolean): void {
    const start = this.#mark;
    this.#next();
    let chomping = this.#chomping();
    let increment = 0;
    if (isDigit(this.#code())) {
      if (this.#is('0')) throw this.#errorAt('found an indentation indicator equal to 0', start);
      increment = Number(this.#next());
      if (chomping === '') chomping = this.#chomping();
    }
    this.#restOfLine(start);
    let indent = increment === 0 ? 0 : Math.max(this.#indent, 0) + increment;
    const first = this.#blockBreaks(indent, start);
    indent = first.indent;
    let trailing = first.breaks;
    let leading = '';
    let text = '';
    let wasBlank = false;
    while (this.#column === indent && this.#at < this.#text.length) {
      const isNowBlank = isBlank(this.#code());
      if (!isLiteral && !wasBlank && !isNowBlank && leading.startsWith('\n')) {
        if (trailing === '') text += ' ';
      } else text += leading;
      text += trailing;
      wasBlank = isNowBlank;
      while (!isBreakOrEnd(this.#code())) text += this.#next();
      leading = isBreak(this.#code()) ? this.#nextBreak() : '';
      trailing = this.#blockBreaks(indent, start).breaks;
    }
    if (chomping !== '-') text += leading;
    if (chomping === '+') text += trailing;
    this.#add({ kind: 'scalar', start, value: text, style: 'block' });
  }

  #chomping(): string {
    return this.#is('+') || this.#is('-') ? this.#next() : '';
  }

  /**
   * Returns the empty lines in a block scalar, and the indentation of the first other line; an indentation of zero is
   * detected.
   */
  #blockBreaks(
    fixedIndent: number,
    start: YamlMark,
  ): { readonly breaks: string; readonly indent: number } {
    let breaks = '';
    let deepest = 0;
    for (;;) {
      while ((fixedIndent === 0 || this.#column < fixedIndent) && this.#is(' ')) this.#next();
      deepest = Math.max(deepest, this.#column);
      if ((fixedIndent === 0 || this.#column < fixedIndent) && this.#is('\t')) {
        throw this.#errorAt('found a tab character where an indentation space is expected', start);
      }
      if (!isBreak(this.#code())) break;
      breaks += this.#nextBreak();
    }
    return {
      breaks,
      indent: fixedIndent === 0 ? Math.max(deepest, this.#indent + 1, 1) : fixedIndent,
    };
  }

  #scanQuoted(quote: string): void {
    const start = this.#mark;
    this.#next();
    const folding = new Folding();
    for (;;) {
      if (this.#isDocumentIndicator('---') || this.#isDocumentIndicator('...')) {
        throw this.#errorAt('found unexpected document indicator', start);
      }
      if (this.#at >= this.#text.length) {
        throw this.#errorAt('found unexpected end of stream', start);
      }
      // An escaped line break, and the blanks that follow, are ignored.
      const isEscapedBreak = this.#quotedCharacters(quote, folding, start);
      if (this.#is(quote)) break;
      folding.broken = isEscapedBreak;
      while (isBlank(this.#code()) || isBreak(this.#code())) {
        if (isBreak(this.#code())) folding.addBreak(this.#nextBreak());
        else {
          const blank = this.#next();
          if (!folding.broken) folding.blanks += blank;
        }
      }
      folding.join();
    }
    this.#next();
    this.#add({ kind: 'scalar', start, value: folding.text, style: 'quoted' });
  }

  /** Consumes characters up to a blank, a break or the quote; returns true if there was an escaped line break. */
  #quotedCharacters(quote: string, folding: Folding, start: YamlMark): boolean {
    while (!isBlankOrEnd(this.#code())) {
      if (this.#is(quote)) {
        if (quote !== "'" || !this.#is(quote, 1)) return false;
        this.#next();
        folding.text += this.#next();
      } else if (quote === '"' && this.#is('\\')) {
        if (isBreak(this.#code(1))) {
          this.#next();
          this.#nextBreak();
          return true;
        }
        folding.text += this.#escape(start);
      } else folding.text += this.#next();
    }
    return false;
  }

  #escape(start: YamlMark): string {
    const letter = this.#text[this.#at + 1] ?? '';
    const plain = ESCAPES.get(letter);
    const length = ESCAPE_LENGTH.get(letter);
    if (plain === undefined && length === undefined) {
      throw this.#errorAt('found unknown escape character', start);
    }
    this.#next();
    this.#next();
    if (length === undefined) return plain ?? '';
    const hex = this.#text.slice(this.#at, this.#at + length);
    if (hex.length < length || !/^[0-9A-Fa-f]+$/.test(hex)) {
      throw this.#errorAt('did not find expected hexdecimal number', start);
    }
    const code = Number.parseInt(hex, 16);
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
      throw this.#errorAt('found invalid Unicode character escape code', start);
    }
    for (let i = 0; i < length; i++) this.#next();
    return String.fromCodePoint(code);
  }

  #scanPlain(): void {
    const start = this.#mark;
    let end = start;
    const indent = this.#indent + 1;
    const folding = new Folding();
    for (;;) {
      if (this.#isDocumentIndicator('---') || this.#isDocumentIndicator('...')) break;
      if (this.#is('#')) break;
      while (!isBlankOrEnd(this.#code())) {
        if (this.#endsPlain()) break;
        if (folding.broken || folding.blanks !== '') folding.join();
        folding.text += this.#next();
        end = this.#mark;
      }
      if (!isBlank(this.#code()) && !isBreak(this.#code())) break;
      while (isBlank(this.#code()) || isBreak(this.#code())) {
        if (isBreak(this.#code())) {
          folding.addBreak(this.#nextBreak());
          continue;
        }
        if (folding.broken && this.#column < indent && this.#is('\t')) {
          throw this.#errorAt('found a tab character that violates indentation', start);
        }
        const blank = this.#next();
        if (!folding.broken) folding.blanks += blank;
      }
      if (this.#flow === 0 && this.#column < indent) break;
    }
    this.#add({ kind: 'scalar', start, end, value: folding.text });
    if (folding.broken) this.#keyAllowed = true;
  }

  #endsPlain(): boolean {
    if (this.#is(':') && isBlankOrEnd(this.#code(1))) return true;
    return this.#flow > 0 && isOneOf(',?[]{}', this.#code());
  }
}

/** Returns the length in bytes of the character that begins with this byte; zero if none does. */
function utf8Width(octet: number): number {
  if ((octet & 0x80) === 0) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}
