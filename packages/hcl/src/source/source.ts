import { countClusters } from './graphemes.ts';

/** A position in a source file. */
export interface Position {
  /** 1-based; a line ends with LF */
  readonly line: number;
  /** 1-based, in grapheme clusters */
  readonly column: number;
  /** 0-based offset into the UTF-8 bytes of the file */
  readonly byte: number;
}

/** Options of a source. */
export interface SourceOptions {
  /** The source that contains this text (for a JSON string); snippets are taken from it. */
  readonly container?: Source;
  /** The offset of this text in the container; positions are counted from there. */
  readonly offset?: number;
  /** The text is not shown in diagnostics, because it is not a file or is confidential. */
  readonly unshown?: boolean;
  /** JSON files count a tab as two columns and a carriage return as none. */
  readonly json?: boolean;
}

const ASCII_ONLY = /^[\x00-\x7f]*$/;
const START: Position = { line: 1, column: 1, byte: 0 };

// Bytes that are not UTF-8 are represented as lone low surrogates, which do not occur in decoded text, so that the
// scanner can report their position and byte offsets stay correct.
const BAD_BYTE_BASE = 0xdc00;

/**
 * A named text. Offsets are UTF-16 indices into `text`; lines, columns and byte offsets are computed on demand, to keep
 * parsing fast.
 */
export class Source {
  readonly filename: string;
  readonly text: string;
  readonly container: Source | undefined;
  readonly isShown: boolean;
  readonly #offset: number;
  readonly #json: boolean;
  #tokenStarts: ArrayLike<number> | undefined;
  #lineStarts: readonly number[] | undefined;
  #lineBytes: readonly number[] | undefined;

  constructor(filename: string, text: string, options?: SourceOptions) {
    this.filename = filename;
    this.text = text;
    this.container = options?.container;
    this.isShown = options?.unshown !== true;
    this.#offset = options?.offset ?? 0;
    this.#json = options?.json === true;
  }

  /** A source from the bytes of a file. Bytes that are not UTF-8 are reported when it is parsed. */
  static fromBytes(filename: string, bytes: Uint8Array): Source {
    return new Source(filename, decodeUtf8(bytes));
  }

  /** The source of the whole file: this source or its outermost container. */
  get root(): Source {
    return this.container === undefined ? this : this.container.root;
  }

  /** Line, column and byte of an offset (0 … text.length). */
  position(offset: number): Position {
    const starts = this.starts();
    const index = lastAtOrBefore(starts, offset);
    const lineStart = starts[index] ?? 0;
    const line = index + 1;
    const text = this.text.slice(lineStart, offset);
    const columns = this.#columnsOf(text, lineStart);
    const byte = this.#bytesOfLine(index) + utf8Length(text);
    const origin = this.container?.position(this.#offset) ?? START;
    return {
      line: origin.line + line - 1,
      column: (line === 1 ? origin.column : 1) + columns,
      byte: origin.byte + byte,
    };
  }

  /** Returns the offset of a byte, counted from the start of this source; clamped to the text. */
  offsetOfByte(byte: number): number {
    const starts = this.starts();
    this.#bytesOfLine(0);
    const bytes = this.#lineBytes ?? [0];
    const index = lastAtOrBefore(bytes, byte);
    let offset = starts[index] ?? 0;
    let at = bytes[index] ?? 0;
    while (at < byte && offset < this.text.length) {
      const code = this.text.codePointAt(offset) ?? 0;
      at += utf8LengthOfCodePoint(code);
      offset += code > 0xffff ? 2 : 1;
    }
    return offset;
  }

  /**
   * Sets the ascending start offsets of tokens: columns count the grapheme clusters of each token separately, as in
   * HCL.
   */
  setTokenStarts(starts: ArrayLike<number>): void {
    this.#tokenStarts = starts;
  }

  /** Offsets at which lines start. */
  starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) {
        starts.push(at + 1);
      }
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }

  #columnsOf(text: string, lineStart: number): number {
    let counted = text;
    if (lineStart === 0 && counted.startsWith('\uFEFF')) {
      counted = counted.slice(1);
    }
    if (this.#tokenStarts !== undefined && !ASCII_ONLY.test(counted)) {
      return this.#columnsOfTokens(
        this.#tokenStarts,
        lineStart + text.length - counted.length,
        counted,
      );
    }
    if (this.#json) {
      return countClusters(counted.replaceAll('\r', '').replaceAll('\t', '  '));
    }
    return countClusters(counted);
  }

  #columnsOfTokens(tokenStarts: ArrayLike<number>, from: number, text: string): number {
    let columns = 0;
    let at = from;
    const end = from + text.length;
    for (let i = lastAtOrBefore(tokenStarts, from) + 1; at < end; i++) {
      const next = Math.min(tokenStarts[i] ?? end, end);
      columns += countClusters(text.slice(at - from, next - from));
      at = Math.max(at, next);
    }
    return columns;
  }

  #bytesOfLine(index: number): number {
    if (this.#lineBytes === undefined) {
      const starts = this.starts();
      if (ASCII_ONLY.test(this.text)) {
        this.#lineBytes = starts;
      } else {
        const bytes: number[] = [];
        let total = 0;
        for (let i = 0; i < starts.length; i++) {
          bytes.push(total);
          total += utf8Length(this.text.slice(starts[i], starts[i + 1] ?? this.text.length));
        }
        this.#lineBytes = bytes;
      }
    }
    return this.#lineBytes[index] ?? 0;
  }
}

/** A piece of a source: `start` inclusive, `end` exclusive, in UTF-16 offsets. */
export class Range {
  readonly source: Source;
  readonly start: number;
  readonly end: number;

  constructor(source: Source, start: number, end: number) {
    this.source = source;
    this.start = start;
    this.end = end;
  }

  get filename(): string {
    return this.source.filename;
  }

  get from(): Position {
    return this.source.position(this.start);
  }

  get to(): Position {
    return this.source.position(this.end);
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  text(): string {
    return this.source.text.slice(this.start, this.end);
  }

  /** Formats the range for messages: "main.tf:3,5-12", or "main.tf:3,5-4,2" for several lines. */
  toString(): string {
    const { from, to } = this;
    return from.line === to.line
      ? `${this.filename}:${from.line},${from.column}-${to.column}`
      : `${this.filename}:${from.line},${from.column}-${to.line},${to.column}`;
  }
}

/** Returns the range from the start of one range to the end of another of the same source. */
export function rangeBetween(from: Range, to: Range): Range {
  return new Range(from.source, from.start, to.end);
}

/** Returns the number of UTF-8 bytes of a text; an invalid byte of the source counts as one. */
export function utf8Length(text: string): number {
  if (ASCII_ONLY.test(text)) {
    return text.length;
  }
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      length += 1;
    } else if (unit < 0x800) {
      length += 2;
    } else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      length += 4;
      i++;
    } else if (unit >= 0xd800 && unit < 0xe000) {
      length += 1;
    } else {
      length += 3;
    }
  }
  return length;
}

function utf8LengthOfCodePoint(code: number): number {
  if (code < 0x80) {
    return 1;
  }
  if (code < 0x800) {
    return 2;
  }
  if (code >= 0xd800 && code < 0xe000) {
    return 1;
  }
  return code > 0xffff ? 4 : 3;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Returns the index of the last of ascending numbers that is at most a value; 0 if none is. */
export function lastAtOrBefore(sorted: ArrayLike<number>, value: number): number {
  return lastStartingBy(sorted.length, (index) => sorted[index] ?? 0, value);
}

/** Returns the index of the last of items, in order of their starts, that starts by an offset; 0 if none does. */
export function lastStartingBy(
  length: number,
  startOf: (index: number) => number,
  offset: number,
): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (startOf(middle) <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** Returns the bytes of a text, including invalid UTF-8: the input of `Source.fromBytes`. */
export function sourceBytes(text: string): Uint8Array {
  const encoder = new TextEncoder();
  const pieces = text.split(/([\uDC80-\uDCFF])/u);
  if (pieces.length === 1) return encoder.encode(text);
  const encoded = pieces.map((piece, index) =>
    index % 2 === 1 ? Uint8Array.of(piece.charCodeAt(0) - BAD_BYTE_BASE) : encoder.encode(piece),
  );
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of encoded) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeBrokenUtf8(bytes);
  }
}

function decodeBrokenUtf8(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      parts.push(String.fromCharCode(BAD_BYTE_BASE + (bytes[at] ?? 0)));
      at++;
      continue;
    }
    let end = at + length;
    for (let next = sequenceLength(bytes, end); next > 0; next = sequenceLength(bytes, end)) {
      end += next;
    }
    parts.push(decoder.decode(bytes.subarray(at, end)));
    at = end;
  }
  return parts.join('');
}

/** Returns the length of the well-formed UTF-8 sequence at an index; 0 if it is malformed. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === undefined) {
    return 0;
  }
  if (first < 0x80) {
    return 1;
  }
  const length =
    first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0;
  if (length === 0) {
    return 0;
  }
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) {
    return 0;
  }
  for (let i = 2; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if (next < 0x80 || next > 0xbf) {
      return 0;
    }
  }
  return length;
}
