import { describe, expect, it } from 'vitest';
import { Range, Source, utf8Length } from './source.ts';

describe('Source.position', () => {
  const cases: readonly (readonly [string, string, number, number, number])[] = [
    // text, marker that the position is of, line, column, byte
    ['abc', 'c', 1, 3, 2],
    ['a\nbc', 'c', 2, 2, 3],
    ['a\r\nbc', 'c', 2, 2, 4],
    ['é=x', 'x', 1, 3, 3],
    ['e\u0301=x', 'x', 1, 3, 4],
    ['😀 x', 'x', 1, 3, 5],
    ['👩‍👩‍👧=x', 'x', 1, 3, 19],
    ['日本\n語x', 'x', 2, 2, 10],
    ['\ta\tx', 'x', 1, 4, 3],
    ['\uFEFFx', 'x', 1, 1, 3],
  ];

  it.each(cases)('of %j at %j', (text, marker, line, column, byte) => {
    const source = new Source('f', text);
    expect(source.position(text.indexOf(marker))).toEqual({ line, column, byte });
    expect(source.offsetOfByte(byte)).toBe(text.indexOf(marker));
  });

  it('counts a tab as two columns and a carriage return as zero in JSON', () => {
    const source = new Source('f', '\t{\r\n', { json: true });
    expect(source.position(1)).toEqual({ line: 1, column: 3, byte: 1 });
    expect(source.position(3)).toEqual({ line: 1, column: 4, byte: 3 });
  });

  it('counts on from its place in a container', () => {
    const container = new Source('f', '{\n "é": "ab\ncd"');
    const inner = new Source('f', 'ab\ncd', { container, offset: 9 });
    expect(inner.position(1)).toEqual({ line: 2, column: 9, byte: 11 });
    expect(inner.position(4)).toEqual({ line: 3, column: 2, byte: 14 });
    expect(inner.root).toBe(container);
  });
});

describe('Source.fromBytes', () => {
  it('keeps places right around bytes that are not UTF-8', () => {
    const bytes = Uint8Array.from([0x61, 0xff, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0x62]);
    const source = Source.fromBytes('f', bytes);
    expect(source.text).toHaveLength(7);
    expect(source.text.at(-1)).toBe('b');
    expect(source.position(6).byte).toBe(7);
    expect(utf8Length(source.text)).toBe(8);
  });

  it('keeps a byte order mark out of the columns', () => {
    const source = Source.fromBytes('f', Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]));
    expect(source.position(1)).toEqual({ line: 1, column: 1, byte: 3 });
  });
});

describe('Range.toString', () => {
  const source = new Source('a/b.tf', 'one\ntwo three');

  it('names one line shortly', () => {
    expect(String(new Range(source, 4, 7))).toBe('a/b.tf:2,1-4');
  });

  it('names both lines of a longer range', () => {
    expect(String(new Range(source, 1, 7))).toBe('a/b.tf:1,2-2,4');
  });
});
