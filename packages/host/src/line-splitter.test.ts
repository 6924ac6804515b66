import { describe, expect, it } from 'vitest';
import { LineSplitter, MAX_LINE_LENGTH } from './line-splitter.ts';
import { TextTail } from './text-tail.ts';

function linesOf(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('a line splitter', () => {
  it.each([
    ['lines across pieces', ['a', 'b\nc', '\n'], ['ab', 'c']],
    ['empty lines', ['\n\na'], ['', '', 'a']],
    ['nothing', [''], []],
  ])('passes on %s', (_, chunks, lines) => {
    expect(linesOf(...chunks)).toEqual(lines);
  });

  it('joins characters that are split between pieces', () => {
    const bytes = Buffer.from('ä😀\n');
    expect(linesOf(bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4))).toEqual(['ä😀']);
  });

  it('passes on a long line in parts, and splits no character', () => {
    const line = `${'x'.repeat(MAX_LINE_LENGTH - 1)}😀${'y'.repeat(MAX_LINE_LENGTH)}`;
    const lines = linesOf(`${line}\nshort\n`);
    expect(lines.map(({ length }) => length)).toEqual([MAX_LINE_LENGTH - 1, MAX_LINE_LENGTH, 2, 5]);
    expect(lines.slice(0, 3).join('')).toBe(line);
  });

  it('takes time in proportion to a long line', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let length = 0;
    const splitter = new LineSplitter((line) => (length += line.length));
    // 256 MiB in one line; with quadratic time this takes minutes.
    for (let i = 0; i < 4096; i++) splitter.write(chunk);
    splitter.end();
    expect(length).toBe(4096 * chunk.length);
  });
});

describe('the tail of a text', () => {
  it('is its end', () => {
    const tail = new TextTail(4);
    for (const text of ['ab', 'cdefghij', 'k', '', 'l']) tail.write(text);
    expect(tail.text).toBe('ijkl');
  });

  it('is all of a short text', () => {
    const tail = new TextTail(4);
    tail.write('ab');
    expect(tail.text).toBe('ab');
  });
});
