import { lastAtOrBefore } from '@terrane/hcl';
import { lineStartsOf } from './line-starts.ts';
import type { Position, Range } from 'vscode-languageserver';

/** The unit of characters in positions. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** Selects the encoding of positions: UTF-16, which needs no conversion, unless the client does not offer it. */
export function selectEncoding(offered: readonly string[] | undefined): Encoding {
  if (offered === undefined || offered.includes('utf-16')) return 'utf-16';
  return offered.find((each) => each === 'utf-8' || each === 'utf-32') ?? 'utf-16';
}

/** Converts between UTF-16 offsets of texts and positions of the protocol. */
export class Positions {
  readonly #encoding: Encoding;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  /** Returns the position of an offset; offsets after the end count as the end. */
  positionOf(text: string, offset: number): Position {
    const starts = lineStartsOf(text);
    const at = Math.max(0, Math.min(offset, text.length));
    const line = lastAtOrBefore(starts, at);
    const start = starts[line] ?? 0;
    return { line, character: this.#length(text.slice(start, at)) };
  }

  /** Returns the offset of a position; positions after the end of a line count as its end. */
  offsetOf(text: string, { line, character }: Position): number {
    const starts = lineStartsOf(text);
    if (line < 0) return 0;
    const start = starts[line];
    if (start === undefined) return text.length;
    let end = starts[line + 1] ?? text.length;
    // The line end is not part of the line.
    if (end > start && text.charCodeAt(end - 1) === 0x0a) end--;
    if (end > start && text.charCodeAt(end - 1) === 0x0d) end--;
    if (this.#encoding === 'utf-16') return Math.min(start + Math.max(0, character), end);
    let units = 0;
    let at = start;
    while (at < end && units < character) {
      const code = text.codePointAt(at) ?? 0;
      units += this.#encoding === 'utf-32' ? 1 : utf8Length(code);
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  rangeOf(text: string, span: { readonly start: number; readonly end: number }): Range {
    return { start: this.positionOf(text, span.start), end: this.positionOf(text, span.end) };
  }

  /** The length of a piece of text in the units of the encoding. */
  lengthOf(text: string): number {
    return this.#length(text);
  }

  #length(text: string): number {
    if (this.#encoding === 'utf-16') return text.length;
    let units = 0;
    for (const character of text)
      units += this.#encoding === 'utf-32' ? 1 : utf8Length(character.codePointAt(0) ?? 0);
    return units;
  }
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
