import { CtyError, formatNumber, friendlyName, type Value } from '@terrane/cty';

// The layout of libyaml's emitter as Terraform uses it: block style, two spaces, strings always in double quotes or,
// if they have several lines, as literal blocks.

const INDENT = 2;
const MAX_SIMPLE_KEY_LENGTH = 128;

/** The value as a YAML document, with a newline at the end. It is wholly known and not marked. */
export function encodeYaml(value: Value): string {
  const writer = new YamlWriter();
  return writer.document(value);
}

/** The indicator before a node: none, the dash of a sequence, the colon of a mapping, or a question mark. */
type Before = 'start' | 'dash' | 'colon' | 'question';

class YamlWriter {
  /** The text before the line that is being written. It is only appended to: V8 copies a text that is read. */
  #before = '';
  #line = '';

  document(value: Value): string {
    this.#node(value, -INDENT, 'start');
    this.#endLine();
    return this.#before;
  }

  #node(value: Value, indent: number, before: Before): void {
    const { kind } = value.type;
    if (value.isNull) this.#plain('null', before);
    else if (kind === 'string') this.#text(value.asString(), indent, before);
    else if (kind === 'number') this.#plain(formatNumber(value.asNum()), before);
    else if (kind === 'bool') this.#plain(String(value.asBool()), before);
    else if (kind === 'list' || kind === 'set' || kind === 'tuple') {
      this.#sequence(value, indent, before);
    } else if (kind === 'map' || kind === 'object') this.#mapping(value, indent, before);
    else throw new CtyError(`can't marshal ${friendlyName(value.type)} as YAML`);
  }

  /** A plain scalar that is the whole document is open-ended, so the end of the document is written. */
  #plain(text: string, before: Before): void {
    this.#inline(before === 'start' ? `${text}\n...` : text, before);
  }

  #inline(text: string, before: Before): void {
    this.#append(before === 'start' ? text : ` ${text}`);
  }

  #text(text: string, indent: number, before: Before): void {
    const inner = Math.max(indent + INDENT, INDENT);
    if (text.includes('\n') && isBlockAllowed(text)) {
      return this.#inline(literal(text, inner), before);
    }
    this.#inline('', before);
    this.#append(
      text.includes(' ') ? foldedQuotes(text, columnOf(this.#line), inner) : quoted(text),
    );
  }

  #sequence(value: Value, indent: number, before: Before): void {
    if (value.length === 0) return this.#inline('[]', before);
    // Sequences are aligned with the key of their mapping, without indentation.
    const inner = before === 'colon' ? Math.max(indent, 0) : indent + INDENT;
    let first = true;
    for (const element of value.elements()) {
      this.#item('-', inner, before, first);
      this.#node(element, inner, 'dash');
      first = false;
    }
  }

  #mapping(value: Value, indent: number, before: Before): void {
    if (value.length === 0) return this.#inline('{}', before);
    const inner = indent + INDENT;
    let first = true;
    for (const [key, element] of value.entries()) {
      const name = key.asString();
      const isSimple = isSimpleKey(name);
      this.#item(isSimple ? quoted(name) : '?', inner, before, first);
      if (!isSimple) {
        this.#text(name, inner, 'question');
        this.#startLine(inner);
      }
      this.#append(':');
      this.#node(element, inner, 'colon');
      first = false;
    }
  }

  /** The beginning of an element: after a dash the first one stays on the line. */
  #item(text: string, indent: number, before: Before, first: boolean): void {
    if (first && (before === 'dash' || before === 'question')) this.#append(` ${text}`);
    else if (first && before === 'start') this.#append(text);
    else {
      this.#startLine(indent);
      this.#append(text);
    }
  }

  #append(text: string): void {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) {
      this.#line += text;
      return;
    }
    this.#before += this.#line + text.slice(0, end);
    this.#line = text.slice(end);
  }

  #startLine(indent: number): void {
    this.#endLine();
    this.#line = ' '.repeat(indent);
  }

  /** Ends the line unless nothing is on it. */
  #endLine(): void {
    if (this.#line !== '') this.#append('\n');
  }
}

function isSimpleKey(name: string): boolean {
  return !/[\n\r\u0085\u2028\u2029]/.test(name) && Buffer.byteLength(name) <= MAX_SIMPLE_KEY_LENGTH;
}

const BREAKS = '\\r\\n\\u0085\\u2028\\u2029';
const SPACE_BEFORE_BREAK = new RegExp(` [${BREAKS}]`);
const UNPRINTABLE = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Returns true if a text may be a literal block: all printable, no spaces at the ends of lines. */
function isBlockAllowed(text: string): boolean {
  return !UNPRINTABLE.test(text) && !SPACE_BEFORE_BREAK.test(text) && !text.endsWith(' ');
}

const LINE_BREAK = /\n|\u0085|\u2028|\u2029/;

function literal(text: string, indent: number): string {
  const hint = /^[ \n\u0085\u2028\u2029]/.test(text) ? String(INDENT) : '';
  const endsInBreak = LINE_BREAK.test(text.slice(-1));
  const endsInTwo = endsInBreak && (text.length === 1 || LINE_BREAK.test(text.slice(-2, -1)));
  const chomp = endsInTwo ? '+' : endsInBreak ? '' : '-';
  let out = `|${hint}${chomp}\n`;
  const pad = ' '.repeat(Math.max(indent, 0));
  let atBreak = true;
  for (const character of text) {
    if (LINE_BREAK.test(character)) {
      out += character;
      atBreak = true;
      continue;
    }
    if (atBreak) out += pad;
    out += character;
    atBreak = false;
  }
  return out;
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x00, '\\0'],
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x1b, '\\e'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x85, '\\N'],
  [0xa0, '\\_'],
  [0x2028, '\\L'],
  [0x2029, '\\P'],
]);

function quoted(text: string): string {
  let out = '"';
  for (const character of text) out += needsEscape(character) ? escaped(character) : character;
  return `${out}"`;
}

const BEST_WIDTH = 80;

/** The code points of a line, as libyaml counts columns. */
function columnOf(line: string): number {
  return /^[\0-\x7f]*$/.test(line) ? line.length : [...line].length;
}

/** Variant of {@link quoted} that breaks lines at spaces beyond the preferred width. */
function foldedQuotes(text: string, start: number, indent: number): string {
  const characters = [...text];
  let out = '"';
  let column = start + 1;
  let afterSpace = false;
  for (const [i, character] of characters.entries()) {
    if (character !== ' ') {
      const encoded = needsEscape(character) ? escaped(character) : character;
      out += encoded;
      column += encoded.length === 2 && encoded === character ? 1 : encoded.length;
      afterSpace = false;
      continue;
    }
    if (!afterSpace && column > BEST_WIDTH && i > 0 && i < characters.length - 1) {
      out += `\n${' '.repeat(indent)}`;
      column = indent;
      if (characters[i + 1] === ' ') {
        out += '\\';
        column++;
      }
    } else {
      out += ' ';
      column++;
    }
    afterSpace = true;
  }
  return `${out}"`;
}

function needsEscape(character: string): boolean {
  return UNPRINTABLE.test(character) || /["\\\n\r\u0085\u2028\u2029\ufeff]/.test(character);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = ESCAPES.get(code);
  if (short !== undefined) return short;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
