import { str, STRING, unknownOf, type Value } from '@terrane/cty';
import { constantScope, type Diagnostic, evaluate, parseExpression, Source } from '@terrane/hcl';
import { functionTable, openTofuForm } from '@terrane/functions';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { FunctionResults } from './function-results.ts';

const VALUES: Readonly<Record<string, Value>> = {
  secret: str('x.txt').mark('sensitive'),
  ephemeral: str('x.txt').mark('ephemeral'),
  unknown: unknownOf(STRING),
};

/** Evaluates expressions while the content of every file can be replaced. */
function withFile(language: 'terraform' | 'opentofu' = 'terraform') {
  const file = { content: 'first' };
  const host = memoryHost();
  const ports = {
    ...host,
    files: {
      readFileSync: () => Buffer.from(file.content),
      readDirectorySync: () => [],
      statSync: () => ({ kind: 'file', size: 0, mtimeMs: 0, mode: 0, inode: 0 }) as const,
    },
  };
  const run = (text: string, results: FunctionResults): string => {
    const table = functionTable(ports, {
      baseDir: '.',
      pure: true,
      verifyResult: (name, args, result) => results.verify(name, args, result),
    });
    const functions =
      language === 'opentofu'
        ? new Map(Array.from(table, ([name, spec]) => [name, openTofuForm(spec)]))
        : table;
    const { expression } = parseExpression(new Source('main.tf', text));
    if (expression === undefined) throw new Error(`cannot parse ${text}`);
    const diagnostics: Diagnostic[] = [];
    const value = evaluate(expression, constantScope(VALUES, functions), diagnostics);
    return diagnostics[0]?.detail ?? (value.isKnown ? value.unmark().asString() : 'unknown');
  };
  return { file, run };
}

const INCONSISTENT = (name: string): string =>
  `Call to function "${name}" failed: function returned an inconsistent result`;

it.each([
  ['file("x.txt")', 'file'],
  ['core::file("x.txt")', 'core::file'],
  ['filebase64sha512("x.txt")', 'filebase64sha512'],
  ['file(secret)', 'file'],
  ['templatefile("x.txt", { v = 1 })', 'templatefile'],
])('refuses a result that differs from the plan: %s', (text, name) => {
  const { file, run } = withFile();
  const planned = new FunctionResults();
  run(text, planned);
  file.content = 'second';
  expect(run(text, new FunctionResults(planned.all()))).toBe(`${INCONSISTENT(name)}.`);
});

it.each(['file("x.txt")', 'filemd5("x.txt")', 'templatefile("x.txt", {})'])(
  'accepts the planned result again and again: %s',
  (text) => {
    const { run } = withFile();
    const planned = new FunctionResults();
    const first = run(text, planned);
    const applying = new FunctionResults(planned.all());
    expect([run(text, applying), run(text, applying)]).toEqual([first, first]);
    expect(applying.all()).toEqual(planned.all());
  },
);

it('shows both results of the same run', () => {
  const { file, run } = withFile();
  const results = new FunctionResults();
  run('file("x.txt")', results);
  file.content = 'second';
  expect(run('file("x.txt")', results)).toBe(
    `${INCONSISTENT('file')},\nwas: cty.StringVal("first"),\nnow: cty.StringVal("second").`,
  );
});

it.each([
  ['sensitive arguments', 'file(secret)', 'second'],
  ['ephemeral arguments', 'file(ephemeral)', 'second'],
  ['long values', 'file("x.txt")', 'second'.repeat(2000)],
])('does not show %s', (_about, text, second) => {
  const { file, run } = withFile();
  const results = new FunctionResults();
  run(text, results);
  file.content = second;
  expect(run(text, results)).toBe(`${INCONSISTENT('file')}.`);
});

it('keeps no unknown results', () => {
  const { run } = withFile();
  const results = new FunctionResults();
  expect(run('file(unknown)', results)).toBe('unknown');
  expect(results.all()).toEqual([]);
});

it('does not verify functions in files of OpenTofu', () => {
  const { file, run } = withFile('opentofu');
  const results = new FunctionResults();
  run('templatefile("x.txt", { v = file("x.txt") })', results);
  file.content = 'second';
  expect(run('file("x.txt")', results)).toBe('second');
  expect(results.all()).toEqual([]);
});
