import { expect, test } from 'vitest';
import { type Diagnostic, errorDiagnostic, Range, Source, warningDiagnostic } from '@terrane/hcl';
import { compactWarnings, consolidate } from './warnings.ts';

const source = new Source('main.tf', 'one\ntwo\nthree\nfour\n');

function warning(summary: string, line?: number, detail = 'Why.'): Diagnostic {
  const start =
    line === undefined
      ? 0
      : source.text
          .split('\n')
          .slice(0, line - 1)
          .join('\n').length;
  const at = line === undefined || line === 1 ? start : start + 1;
  return warningDiagnostic(
    summary,
    detail,
    line === undefined ? undefined : new Range(source, at, at + 1),
  );
}

test('the last of merged warnings states the number of omitted ones', () => {
  const all = [warning('A', 1), warning('B', 2), warning('A', 3), warning('A', 4)];
  expect(consolidate(all, 'warning', 1).map((d) => [d.summary, d.detail])).toEqual([
    ['A', 'Why.\n\n(and 2 more similar warnings elsewhere)'],
    ['B', 'Why.'],
  ]);
  expect(consolidate(all, 'warning', 2).map((d) => [d.summary, d.detail])).toEqual([
    ['A', 'Why.'],
    ['B', 'Why.'],
    ['A', 'Why.\n\n(and one more similar warning elsewhere)'],
  ]);
});

test('errors, warnings without a place and those of check blocks are left alone', () => {
  const check = { ...warning('A', 1), extra: { kind: 'check' } };
  const all = [
    warning('A'),
    warning('A'),
    check,
    check,
    errorDiagnostic('A', ''),
    errorDiagnostic('A', ''),
  ];
  expect(consolidate(all, 'warning', 1)).toEqual(all);
});

test('errors with the same summary are merged if enabled', () => {
  const error = (line: number): Diagnostic => ({ ...warning('A', line), severity: 'error' });
  const all = [error(1), warning('A', 2), error(3)];
  expect(consolidate(all, 'error', 1).map((d) => [d.severity, d.detail])).toEqual([
    ['error', 'Why.\n\n(and one more similar error elsewhere)'],
    ['warning', 'Why.'],
  ]);
});

test('in the compact form a warning is its summary and its place', () => {
  const all = consolidate(
    [warning('A', 2), warning('A', 3), warning('B', 4, ''), warning('C')],
    'warning',
    1,
  );
  expect(compactWarnings(all, { color: false, width: 78 })).toBe(
    'Warnings:\n\n- A\n  on main.tf line 2 (and 1 more)\n- B\n  on main.tf line 4\n- C\n',
  );
});
