import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FunctionSpec, number, object, str, STRING, tuple } from '@terrane/cty';
import { loadConfiguration } from '@terrane/engine';
import {
  constantScope,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  parseExpression,
  Range,
  sortDiagnostics,
  Source,
  warningDiagnostic,
} from '@terrane/hcl';
import { memoryFiles } from '../fixtures/recorded.ts';
import { validateJson } from '../json/validate-json.ts';
import { diagnosticText } from './diagnostic-text.ts';

interface Recorded {
  readonly files: Readonly<Record<string, string>>;
  readonly plain: string;
  readonly color: string;
  readonly json: string;
}

const recorded = Object.entries(
  JSON.parse(
    readFileSync(new URL('../fixtures/diagnostics.json', import.meta.url), 'utf8'),
  ) as Record<string, Recorded>,
);

describe('faults are reported as Terraform reports them', () => {
  test.each(recorded)('%s', (_name, record) => {
    const { diagnostics } = loadConfiguration(memoryFiles(record.files), '.');
    const sorted = sortDiagnostics(diagnostics);
    const text = (color: boolean): string =>
      sorted.map((d) => diagnosticText(d, { color, width: 78 })).join('');
    expect(text(false)).toBe(record.plain);
    expect(text(true)).toBe(record.color);
    expect(validateJson(diagnostics)).toBe(record.json);
  });
});

const PLAIN = { color: false, width: 78 };
const RULED = { color: false, width: 78, leftRule: true };

test('without color, the left rule can still be enabled', () => {
  const diagnostic = warningDiagnostic('Old thing', 'It is old.\n\n  code stays\nend');
  expect(diagnosticText(diagnostic, RULED)).toBe(
    '╷\n│ Warning: Old thing\n│\n│ It is old.\n│\n│   code stays\n│ end\n╵\n',
  );
});

test('the address precedes the location', () => {
  const source = new Source('main.tf', 'a = 1\n');
  const diagnostic = errorDiagnostic('No', '', new Range(source, 4, 5), { address: 'x.y[0]' });
  expect(diagnosticText(diagnostic, PLAIN)).toBe(
    '\nError: No\n\n  with x.y[0],\n  on main.tf line 1:\n   1: a = 1\n\n',
  );
});

function failing(text: string): Diagnostic {
  const double: FunctionSpec = {
    name: 'double',
    description: '',
    parameters: [{ name: 'text', type: STRING }],
    variadic: { name: 'more', type: STRING },
    returnType: STRING,
    implementation: (args) => args[0] ?? str(''),
  };
  const scope = constantScope(
    { var: object({ list: tuple([str('a')]), n: number(1.5) }) },
    new Map([['double', double]]),
  );
  const { expression } = parseExpression(new Source('main.tf', text));
  const diagnostics: Diagnostic[] = [];
  if (expression !== undefined) evaluate(expression, scope, diagnostics);
  const [first] = diagnostics;
  if (first === undefined) throw new Error('nothing failed');
  return first;
}

test('the values that took part are shown, and the function that was called', () => {
  expect(diagnosticText(failing('double(var.list, var.n)'), RULED)).toContain(
    [
      '│   on main.tf line 1:',
      '│    1: double(var.list, var.n)',
      '│     ├────────────────',
      '│     │ while calling double(text, more...)',
      '│     │ var.list is tuple with 1 element',
    ].join('\n'),
  );
});

test('long paragraphs are wrapped if there is a width', () => {
  const detail = `${'word '.repeat(20).trim()}`;
  const wrapped = diagnosticText(errorDiagnostic('S', detail), { color: false, width: 40 });
  expect(wrapped.split('\n').every((line) => line.length < 40)).toBe(true);
  expect(diagnosticText(errorDiagnostic('S', detail), { color: false, width: 0 })).toBe(
    `\nError: S\n\n${detail}\n`,
  );
});

describe('on a terminal', () => {
  const diagnostic: Diagnostic = {
    severity: 'error',
    summary: 'Wrong',
    detail: '一二三四五 六七八九十 一二三四五 六七八九十',
    subject: new Range(new Source('main.tf', 'a = 1\n'), 0, 1),
  };

  test('places are links where it shows them', () => {
    const link = (filename: string, line: number): string => `file:///${filename}#${line}`;
    expect(diagnosticText(diagnostic, { color: true, width: 60, link })).toContain(
      '  on \u001b]8;;file:///main.tf#1\u001b\\main.tf line 1\u001b]8;;\u001b\\:\n',
    );
    expect(diagnosticText(diagnostic, { color: true, width: 60 })).not.toContain('\u001b]8');
  });

  test('lines are broken by the columns that their characters take', () => {
    const lines = (terminal: boolean): readonly string[] =>
      diagnosticText(diagnostic, { color: false, width: 30, terminal })
        .split('\n')
        .filter((line) => /[一六]/.test(line));
    expect(lines(false)).toEqual(['一二三四五 六七八九十 一二三四五 六七八九十']);
    expect(lines(true)).toEqual(['一二三四五 六七八九十', '一二三四五 六七八九十']);
  });
});
