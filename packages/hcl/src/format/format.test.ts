import {
  bool,
  list,
  NULL,
  number,
  NUMBER,
  object,
  parseNumber,
  str,
  tuple,
  type Value,
} from '@terrane/cty';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../evaluate/evaluate.ts';
import type { Diagnostic } from '../model.ts';
import recorded from '../recorded/formatting.json' with { type: 'json' };
import { Source } from '../source/source.ts';
import { parseExpression } from '../syntax/parse.ts';
import { formatSource, valueToHcl } from './format.ts';

describe('formatSource', () => {
  it('has the output of terraform fmt', () => {
    for (const { source, formatted } of recorded) {
      expect(formatSource(source)).toBe(formatted);
    }
  });

  it('is idempotent', () => {
    for (const { formatted } of recorded) {
      expect(formatSource(formatted)).toBe(formatted);
    }
  });

  it('removes a byte order mark, unless the file has no other content', () => {
    expect(formatSource('\uFEFFa=1\n')).toBe('a = 1\n');
    expect(formatSource('\uFEFF')).toBe('   ');
    expect(formatSource('\uFEFF \n ')).toBe('\n ');
  });

  it('leaves a file with errors unchanged', () => {
    const broken = 'a=1\nb = [\n';
    expect(formatSource(broken)).toBe(broken);
  });

  it('formats expressions of any length', () => {
    const elements = '    1,\n'.repeat(100_000);
    expect(formatSource(`a = [\n${elements}]\n`)).toBe(
      `a = [\n${elements.replaceAll('    ', '  ')}]\n`,
    );
  });

  it('keeps an unreadable label, which the original drops', () => {
    expect(formatSource('x "a$b" {}\n')).toBe('x "a$b" {}\n');
  });
});

describe('valueToHcl', () => {
  const cases: readonly (readonly [Value, string])[] = [
    [NULL, 'null'],
    [bool(true), 'true'],
    [number(parseNumber('0.1') ?? 0), '0.1'],
    [str('a "b" ${c} %{d} $ \n\\ \u0007é'), '"a \\"b\\" $${c} %%{d} $ \\n\\\\ \\u0007é"'],
    [tuple([]), '[]'],
    [list(NUMBER, [number(1), number(2)]), '[1, 2]'],
    [object({}), '{}'],
    [object({ a: str(''), 'b c': tuple([NULL]) }), '{\n  a     = ""\n  "b c" = [null]\n}'],
    [object({ a: object({ b: number(1) }) }), '{\n  a = {\n    b = 1\n  }\n}'],
  ];

  it.each(cases)('writes %#', (value, text) => {
    expect(valueToHcl(value)).toBe(text);
  });

  const text = fc.string({ unit: 'grapheme' });
  const { any } = fc.letrec<{ readonly any: Value }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constant(NULL),
      fc.boolean().map(bool),
      fc.maxSafeInteger().map((n) => number(n)),
      text.map(str),
      fc.array(tie('any'), { maxLength: 4 }).map((values) => tuple(values)),
      fc
        .array(fc.tuple(text, tie('any')), { maxLength: 4 })
        .map((entries) => object(new Map(entries))),
    ),
  }));

  it('writes expressions that evaluate to the value', () => {
    fc.assert(
      fc.property(any, (value) => {
        const diagnostics: Diagnostic[] = [];
        const { expression } = parseExpression(new Source('f', valueToHcl(value)));
        const result = evaluate(expression!, undefined, diagnostics);
        expect(diagnostics).toEqual([]);
        expect(result.rawEquals(value)).toBe(true);
      }),
    );
  });
});
