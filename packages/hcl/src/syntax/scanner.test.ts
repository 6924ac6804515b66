import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../evaluate/evaluate.ts';
import { variables } from '../expression/references.ts';
import { Source } from '../source/source.ts';
import { parseExpression, parseNative, parseTemplate } from './parse.ts';
import { isValidIdentifier, scanTokens } from './scanner.ts';
import { Token, type TokenType } from './tokens.ts';

const NAMES: ReadonlyMap<TokenType, string> = new Map(
  Object.entries(Token).map(([name, type]) => [type, name]),
);

function scanned(text: string): string {
  const tokens = scanTokens(new Source('f', text));
  return Array.from(tokens.types)
    .map(
      (type, i) =>
        `${NAMES.get(type)}${type === Token.EOF ? '' : JSON.stringify(tokens.textOf(i))}`,
    )
    .join(' ');
}

describe('scanTokens', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a-b_1 é', 'Ident"a-b_1" Ident"é" EOF'],
    [
      '1.5e+3 1... 1.x',
      'NumberLit"1.5e+3" NumberLit"1" Ellipsis"..." NumberLit"1" Dot"." Ident"x" EOF',
    ],
    [
      'a::b=>c==d',
      'Ident"a" DoubleColon"::" Ident"b" FatArrow"=>" Ident"c" EqualOp"==" Ident"d" EOF',
    ],
    ['a # b\nc', 'Ident"a" Comment"# b\\n" Ident"c" EOF'],
    ['/* a\n*/b /*', 'Comment"/* a\\n*/" Ident"b" Slash"/" Star"*" EOF'],
    [
      '"a${b}c"',
      'OQuote"\\"" QuotedLit"a" TemplateInterp"${" Ident"b" TemplateSeqEnd"}" QuotedLit"c" CQuote"\\"" EOF',
    ],
    [
      '"${ {} }"',
      'OQuote"\\"" TemplateInterp"${" OBrace"{" CBrace"}" TemplateSeqEnd"}" CQuote"\\"" EOF',
    ],
    ['"$${a}"', 'OQuote"\\"" QuotedLit"$${" QuotedLit"a}" CQuote"\\"" EOF'],
    ['"${~a~}"', 'OQuote"\\"" TemplateInterp"${~" Ident"a" TemplateSeqEnd"~}" CQuote"\\"" EOF'],
    ['<<A\nx\n  A\nb', 'OHeredoc"<<A\\n" StringLit"x\\n" CHeredoc"  A" Newline"\\n" Ident"b" EOF'],
    ['<<A\nx', 'OHeredoc"<<A\\n" StringLit"x" EOF'],
    ['a\r\n', 'Ident"a" Newline"\\r\\n" EOF'],
    ['a\rb', 'Ident"a" Invalid"\\r" Ident"b" EOF'],
    ['"a\nb"', 'OQuote"\\"" QuotedLit"a" QuotedNewline"\\n" QuotedLit"b" CQuote"\\"" EOF'],
    ["'`;^", 'Apostrophe"\'" Backtick"`" Semicolon";" BitwiseXor"^" EOF'],
  ];

  it.each(cases)('splits %j', (text, tokens) => {
    expect(scanned(text)).toBe(tokens);
  });

  const pieces = fc.constantFrom(
    ...['a', '1', ' ', '\n', '\r', '"', '${', '%{', '~}', '}', '{', '$', '%', '\\', '<<E\n', 'E\n'],
    ...['#', '/*', '*/', '.', '[', ']', '(', ')', '=', ',', ':', 'é', '😀', '\udc80', '<<-E\n'],
  );
  const sources = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));

  it('puts every character into a token or leaves it as space between two', () => {
    fc.assert(
      fc.property(sources, fc.boolean(), (text, template) => {
        const tokens = scanTokens(new Source('f', text), template ? 'template' : 'normal');
        let end = 0;
        for (let i = 0; i < tokens.length; i++) {
          const range = tokens.range(i);
          expect(text.slice(end, range.start)).toMatch(/^[ \t]*$/);
          expect(range.end).toBeGreaterThanOrEqual(range.start);
          end = range.end;
        }
        expect(end).toBe(text.length);
      }),
    );
  });

  it('returns the same tokens in a long text as in a short one', () => {
    const comment = `#${' '.repeat(40_000)}\n`;
    const { length } = comment;
    fc.assert(
      fc.property(sources, (text) => {
        const short = scanTokens(new Source('f', text));
        const long = scanTokens(new Source('f', comment + text));
        expect(Array.from(long.types)).toEqual([Token.Comment, ...Array.from(short.types)]);
        const moved = (offsets: ArrayLike<number>): number[] =>
          Array.from(offsets, (offset) => offset + length);
        expect(Array.from(long.starts)).toEqual([0, ...moved(short.starts)]);
        expect(Array.from(long.ends)).toEqual([length, ...moved(short.ends)]);
      }),
      { numRuns: 30 },
    );
  });

  it('returns any number of tokens', () => {
    const count = 50_000;
    const { types, starts, ends } = scanTokens(new Source('f', '1,'.repeat(count)));
    expect([types.length, starts.length, ends.length]).toEqual(Array(3).fill(2 * count + 1));
    expect(
      Array.from(types).every(
        (type, i) => i === 2 * count || type === (i % 2 ? Token.Comma : Token.NumberLit),
      ),
    ).toBe(true);
    expect(Array.from(starts).every((start, i) => start === i)).toBe(true);
    expect(Array.from(ends).every((end, i) => end === Math.min(i + 1, 2 * count))).toBe(true);
  });

  it('and the parser terminate for any text, and report errors only for a reason', () => {
    fc.assert(
      fc.property(sources, (text) => {
        const source = new Source('f', text);
        for (const { diagnostics } of [
          parseNative(source),
          parseExpression(source),
          parseTemplate(source),
        ]) {
          for (const { subject } of diagnostics) {
            expect(subject?.start).toBeLessThanOrEqual(text.length);
          }
        }
      }),
    );
  });
});

describe('nesting', () => {
  const n = 100_000;

  it.each([
    ['parentheses', '('.repeat(n)],
    ['tuples', `${'['.repeat(n)}${']'.repeat(n)}`],
    ['negations', `${'-'.repeat(n)}1`],
    ['conditionals', `${'a ? 1 : '.repeat(n)}1`],
    ['indices', `a${'[b]'.repeat(n)}`],
    ['splats', `a${'[*]'.repeat(n)}`],
    ['templates', `${'"${'.repeat(n)}1${'}"'.repeat(n)}`],
  ])('of %s is rejected if it would exhaust the stack', (_, text) => {
    const { diagnostics } = parseExpression(new Source('f', text));
    expect(diagnostics[0]?.summary).toBe('Expression too deeply nested');
  });

  it('to the left does not count, in parsing, analysis and evaluation', () => {
    const { expression, diagnostics } = parseExpression(new Source('f', `1${' + 1'.repeat(n)}`));
    expect(diagnostics).toEqual([]);
    expect(variables(expression!)).toEqual([]);
    expect(evaluate(expression!, undefined, []).asInt()).toBe(n + 1);
  });
});

describe('isValidIdentifier', () => {
  it.each([
    ['a', true],
    ['_a-1', true],
    ['é', true],
    ['1a', false],
    ['-a', false],
    ['a.b', false],
    ['', false],
  ])('%j: %j', (text, expected) => {
    expect(isValidIdentifier(text)).toBe(expected);
  });
});
