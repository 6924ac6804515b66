import { describe, expect, test } from 'vitest';
import { isCounted } from './style/counted-files.ts';
import { styleCounts } from './style/counts.ts';
import { visitDeclaredNames } from './style/declared-names.ts';
import { docComments } from './style/doc-comments.ts';
import { duplicatedBlocks } from './style/duplicated-blocks.ts';
import { functionLengths } from './style/function-lengths.ts';
import { importCycles, mutualImports } from './style/import-cycles.ts';
import { catchProblems, errorFunctions, untypedCatches } from './style/untyped-catches.ts';
import { parseSource } from './syntax.ts';

function declaredNames(text: string): string[] {
  const names: string[] = [];
  visitDeclaredNames(parseSource('a.ts', text).program, (name) => names.push(name));
  return names;
}

function untypedLines(text: string): number[] {
  const syntax = parseSource('a.ts', text);
  return untypedCatches(syntax, errorFunctions([syntax])).map(({ line }) => line);
}

describe('declared names', () => {
  test.each([
    ['variables', 'const a = b, { c, d: e, ...f } = g, [h = i] = j;', ['a', 'c', 'e', 'f', 'h']],
    ['functions and parameters', 'function a(b, c = d, ...e) {}', ['a', 'b', 'c', 'e']],
    ['arrow functions', 'x((a, { b }) => a);', ['a', 'b']],
    ['caught errors', 'try {} catch (a) {}', ['a']],
    ['members of classes', 'class X { a = 1; #b; c(d) {} static e; }', ['a', 'b', 'c', 'd', 'e']],
    [
      'parameters that are properties',
      'class X { constructor(readonly a) {} }',
      ['constructor', 'a'],
    ],
    ['members of types', 'interface X { a: string; b(c: number): void }', ['a', 'b', 'c']],
    ['parameters of function types', 'type X = (a: string) => void;', ['a']],
    ['properties of objects, once', 'x({ a: 1, b, [c]: 2 });', ['a']],
    ['no references', 'found.told(said);', []],
  ])('%s', (_, text, names) => {
    expect(declaredNames(text)).toEqual(names);
  });
});

test('documentation comments have a first word and a documented item', () => {
  const text = `/** What it is. */
const a = 1;
/**
 * Whether it is.
 */
export function b() {}
/* What is no documentation comment. */
interface C {
  /** Whether it is set. */
  d: boolean;
  /** Whether it applies. */
  e(): boolean;
}
/** Whether so. */
export const f = (): boolean => true;
`;
  expect(docComments(parseSource('a.ts', text))).toEqual([
    { line: 1, firstWord: 'What', ofFunction: false },
    { line: 3, firstWord: 'Whether', ofFunction: true },
    { line: 9, firstWord: 'Whether', ofFunction: false },
    { line: 11, firstWord: 'Whether', ofFunction: true },
    { line: 14, firstWord: 'Whether', ofFunction: true },
  ]);
});

test('the length of a function counts its first and last line', () => {
  const text = 'function a() {\n  return () => {\n  };\n}\nclass B {\n  c(\n  ) {\n  }\n}\n';
  expect(functionLengths(parseSource('a.ts', text))).toEqual([
    { line: 1, lines: 4 },
    { line: 2, lines: 2 },
    { line: 6, lines: 3 },
  ]);
});

test('import cycles include type-only and dynamic imports', () => {
  const file = (path: string, ...specifiers: string[]) => ({
    path,
    imports: specifiers.map((specifier) => ({ specifier })),
  });
  const files = [
    file('a/x.ts', './y.ts', '../b.ts', 'node:fs'),
    file('a/y.ts', './x.ts'),
    file('b.ts', './c.ts'),
    file('c.ts', './d.ts'),
    file('d.ts', './b.ts'),
  ];
  expect(importCycles(files).map((cycle) => cycle.toSorted())).toEqual([
    ['b.ts', 'c.ts', 'd.ts'],
    ['a/x.ts', 'a/y.ts'],
  ]);
  expect(mutualImports(files)).toBe(1);
  const counts = styleCounts([
    { path: 'a.ts', text: `import type { B } from './b.ts';\nexport type A = B;\n` },
    {
      path: 'b.ts',
      text: `export type B = string;\nexport const load = () => import('./a.ts');\n`,
    },
  ]);
  expect(counts.find(({ name }) => name.startsWith('import cycles'))?.places).toEqual([
    'a.ts, b.ts',
  ]);
});

describe('untyped catches', () => {
  test.each([
    ['the text of any error', 'try {} catch (e) { x(e instanceof Error ? e.message : ""); }'],
    ['an error as a string', 'try {} catch (e) { x(String(e)); }'],
    ['the message behind a cast', 'try {} catch (e) { x((e as Error).message); }'],
    ['a diagnostic of its own', `try {} catch { x.push({ severity: 'error', summary: '' }); }`],
    ['a function that makes one', 'function f(): Diagnostic[] {}\ntry {} catch { f(); }'],
    ['a callback', 'x().catch((e) => ({ text: e.message }));'],
    ['a private method', 'class X { #f(): Diagnostic {}\na() { try {} catch { this.#f(); } } }'],
    [
      'what narrows in one function of two',
      'function t(e) { expectUserError(e); }\nclass X { t(e) {} a() { try {} catch (e) { t(e); x(e.message); } } }',
    ],
    [
      'a narrowing in an inner handler',
      'try {} catch (e) { try {} catch (d) { throw d; } x(e.message); }',
    ],
  ])('%s counts', (_, text) => {
    expect(untypedLines(text)).toHaveLength(1);
  });

  test.each([
    [
      'a justified handler',
      'try {} catch (e) { // any-error: the state must be rescued\n x(e.message); }',
    ],
    ['no message', 'try {} catch { ignore(); }'],
    ['a narrowed error', 'try {} catch (e) { expectUserError(e); x(e.message); }'],
    ['an error that is thrown on', 'try {} catch (e) { if (!known(e)) throw e; x(e.message); }'],
    ['a class of errors', 'try {} catch (e) { if (e instanceof SyntaxError) x(e.message); }'],
    [
      'a function that narrows',
      'function t(e) { expectUserError(e); return ""; }\nfunction u(e) { return t(e); }\ntry {} catch (e) { x(u(e), e.message); }',
    ],
    [
      'a function that throws its parameter on',
      'function t(a, e) { if (x) throw e; }\ntry {} catch (e) { t(1, e); x(e.message); }',
    ],
    [
      'a coercion to an error',
      'try {} catch (e) { x = e instanceof Error ? e : new Error(String(e)); }',
    ],
    ['the message of another value', 'try {} catch (e) { x(answer.message); }'],
    ['a narrowing callback', 'x().catch((e) => { expectUserError(e); return e.message; });'],
  ])('%s does not', (_, text) => {
    expect(untypedLines(text)).toEqual([]);
  });
});

describe('the check of catches', () => {
  const host = {
    path: 'packages/host/src/error-text.ts',
    text: 'export function userErrorText(error) { expectUserError(error); return error.message; }',
  };
  const render = {
    path: 'packages/a/src/text.ts',
    text: 'export function textOf(error) { return error.message; }',
  };
  const handler = (path: string, call: string) => ({
    path,
    text: `import { textOf } from './text.ts';\ntry {} catch (error) {\n  x(${call}, error.message);\n}\n`,
  });

  test('names the place of a new one', () => {
    const [problem, ...others] = catchProblems([host, handler('packages/a/src/b.ts', 'error')]);
    expect(problem).toMatchObject({ path: 'packages/a/src/b.ts', line: 2 });
    expect(problem?.message).toContain('userErrorText');
    expect(others).toEqual([]);
  });

  test('follows functions into the files that they are imported from', () => {
    const rethrowing = {
      ...render,
      text: render.text.replace('return', 'userErrorText(error); return'),
    };
    const other = { ...render, path: 'packages/c/src/text.ts' };
    const caller = handler('packages/a/src/b.ts', 'textOf(error)');
    expect(catchProblems([host, render, other, caller])).toHaveLength(1);
    expect(catchProblems([host, rethrowing, other, caller])).toEqual([]);
  });

  test('leaves scripts alone', () => {
    expect(catchProblems([handler('scripts/a.ts', 'error')])).toEqual([]);
  });
});

describe('duplicated blocks', () => {
  const block = (names: string, lines = 6): string =>
    Array.from({ length: lines }, (_, index) => `  ${names}${index}(alpha, '${names}');\n`).join(
      '',
    );

  test('identical lines in two files are a pair, comments and blank lines apart', () => {
    const second = block('call').replace('\n', '\n\n  // why\n');
    expect(
      duplicatedBlocks([
        { path: 'a.ts', text: `const a = 1;\n${block('call')}` },
        { path: 'b.ts', text: second },
      ]),
    ).toEqual([
      {
        first: { path: 'a.ts', from: 2, to: 7 },
        second: { path: 'b.ts', from: 1, to: 8 },
        lines: 6,
      },
    ]);
  });

  test('five lines, imports, and the end of one file with the start of another are none', () => {
    const imports = `import {\n${'  a,\n'.repeat(8)}} from './a.ts';\n`;
    for (const text of [block('call', 5), imports]) {
      expect(
        duplicatedBlocks([
          { path: 'a.ts', text },
          { path: 'b.ts', text },
        ]),
      ).toEqual([]);
    }
  });

  test('renamed blocks need more lines', () => {
    const pair = (lines: number) =>
      duplicatedBlocks(
        [
          { path: 'a.ts', text: `if (x) {\n${block('call', lines)}` },
          { path: 'b.ts', text: `while (x) {\n${block('other', lines)}` },
        ],
        { renamed: true },
      );
    expect(pair(9)).toEqual([]);
    expect(pair(10).some(({ second }) => second.path === 'b.ts')).toBe(true);
  });
});

test('the table counts each name and the sizes', () => {
  const long = `function long() {\n${'  call();\n'.repeat(59)}}\n`;
  const text = `/** What is. */\nconst found = 1;\nfunction f(told: string): void {}\n${long}${'\n'.repeat(400)}`;
  const counts = new Map(
    styleCounts([{ path: 'a.ts', text }]).map(({ name, count }) => [name, count]),
  );
  expect(counts.get('documentation comments that start with "What"')).toBe(1);
  expect(counts.get('declarations named `found`')).toBe(1);
  expect(counts.get('declarations named `told`')).toBe(1);
  expect(counts.get('declarations named `whole`')).toBe(0);
  expect(counts.get('functions over 60 lines')).toBe(1);
  expect(counts.get('files over 400 lines')).toBe(1);
});

test('tests and their data are not counted', () => {
  expect(isCounted('packages/cty/src/value.ts')).toBe(true);
  expect(isCounted('providers/aws/src/s3/object.ts')).toBe(true);
  expect(isCounted('scripts/style/counts.ts')).toBe(true);
  expect(isCounted('packages/cty/src/value.test.ts')).toBe(false);
  expect(isCounted('packages/hcl/src/testing/show-value.ts')).toBe(false);
  expect(isCounted('tests/fuzz/fuzz.ts')).toBe(false);
  expect(isCounted('packages/render/src/fixtures/cases.mjs')).toBe(false);
});
