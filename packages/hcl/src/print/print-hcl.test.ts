import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { formatSource } from '../format/format.ts';
import { parseExpression } from '../syntax/parse.ts';
import { Source } from '../source/source.ts';
import { bodies, expressions } from '../testing/arbitrary-trees.ts';
import { treeShape } from '../testing/tree-shape.ts';
import { parseHcl } from '../toolkit/parse-hcl.ts';
import { printExpression } from './print-expression.ts';
import { printHcl } from './print-hcl.ts';

const seed = Number(process.env['LAWS_SEED'] ?? '1');
const runs = { seed, numRuns: Number(process.env['LAWS_RUNS'] ?? '150') };

describe('printed source parses to the same tree', () => {
  test('of an expression', () => {
    fc.assert(
      fc.property(expressions, (tree) => {
        const text = printExpression(tree);
        const { expression, diagnostics } = parseExpression(new Source('', text));
        expect(diagnostics, text).toEqual([]);
        expect(treeShape(expression), text).toEqual(treeShape(tree));
      }),
      runs,
    );
  });
  test('of a body', () => {
    fc.assert(
      fc.property(bodies, (tree) => {
        const text = printHcl(tree);
        const { body, diagnostics } = parseHcl(text);
        expect(diagnostics, text).toEqual([]);
        expect(treeShape(body), text).toEqual(treeShape(tree));
        const formatted = formatSource(text);
        expect(formatSource(formatted)).toBe(formatted);
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 10) },
    );
  });
  test('of texts as people write them', () => {
    const path = new URL('../recorded/syntax.json', import.meta.url);
    const recorded = JSON.parse(readFileSync(path, 'utf8')) as { source: string }[];
    let count = 0;
    for (const { source } of recorded) {
      const file = parseHcl(source);
      if (hasErrors(file.diagnostics)) continue;
      const text = printHcl(file.body);
      const again = parseHcl(text);
      expect(again.diagnostics, text).toEqual([]);
      expect(treeShape(again.body), `${source}\n${text}`).toEqual(treeShape(file.body));
      count++;
    }
    expect(count).toBeGreaterThan(50);
  });
});

test('trees that no parser made get the parentheses that they need', () => {
  const parse = (text: string) => parseExpression(new Source('', text)).expression!;
  const range = parse('x').range;
  const product = {
    kind: 'binary',
    range,
    operator: '*',
    left: parse('a + b'),
    right: parse('c ? d : e'),
  } as const;
  expect(printExpression(product)).toBe('(a + b) * (c ? d : e)');
  expect(
    printExpression({ kind: 'unary', range, operator: '-', operand: product, symbolRange: range }),
  ).toBe('-((a + b) * (c ? d : e))');
});

test('a body is laid out as the formatter does it', () => {
  const { body } = parseHcl('a=1\nbcd="x" # gone\nb "l" {\nc={x=1,y=[for a in b:a]}\n}\nd {}');
  expect(printHcl(body)).toBe(
    'a   = 1\nbcd = "x"\n\nb "l" {\n  c = {\n    x = 1\n    y = [for a in b : a]\n  }\n}\n\nd {}\n',
  );
});

test('a tree with syntax errors is not printed', () => {
  expect(() => printHcl(parseHcl('a = \n').body)).toThrow(TypeError);
});
