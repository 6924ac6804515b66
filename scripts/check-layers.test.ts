import { describe, expect, test } from 'vitest';
import { findProblems, type Package } from './layers/rules.ts';
import { readSource } from './layers/source-file.ts';
import { readTree } from './layers/tree.ts';
import { root } from './root.ts';

function room(name: string, dependencies: readonly string[] = []): Package {
  return { name: `@terrane/${name}`, folder: `packages/${name}`, exports: ['.'], dependencies };
}

const packages: readonly Package[] = [
  room('cty', ['yaml']),
  room('graph', ['@terrane/cty']),
  room('host'),
  room('hcl', ['@terrane/cty', '@terrane/provider', '@terrane/testkit']),
  { ...room('provider', ['@terrane/hcl']), exports: ['.', './sdk'] },
  room('engine', ['@terrane/cty', '@terrane/backends', '@terrane/provider-local']),
  room('backends'),
  room('ops', ['@terrane/engine', '@terrane/provider-local']),
  room('testkit', ['@terrane/host', '@terrane/engine']),
  { ...room('cli', ['@terrane/ops']), name: 'terrane' },
  { ...room('provider-local', ['@terrane/provider', '@terrane/hcl']), folder: 'providers/local' },
];

/** The problems of a set of files, as lines. */
function problems(files: Readonly<Record<string, string>>): string[] {
  const sources = Object.entries(files).map(([path, text]) => readSource(path, text));
  const findings = findProblems(sources, packages, ['vitest']);
  return findings.map(({ path, line, message }) => `${path}:${line}: ${message}`);
}

function problem(path: string, text: string): string | undefined {
  return problems({ [path]: text }).join('\n') || undefined;
}

test('the repository keeps its own rules', () => {
  const tree = readTree(root);
  expect(tree.files.length).toBeGreaterThan(10);
  expect(findProblems(tree.files, tree.packages, tree.shared)).toEqual([]);
});

describe('between packages', () => {
  test.each([
    ['downward', 'packages/hcl/src/a.ts', `import { x } from '@terrane/cty';`],
    ['a public sub-path', 'packages/engine/src/plan/a.test.ts', `import '@terrane/provider/sdk';`],
    ['bundled providers in ops', 'packages/ops/src/a.ts', `import('@terrane/provider-local');`],
    ['a provider of its contract', 'providers/local/src/a.ts', `import '@terrane/provider';`],
    ['the test kit in a test', 'packages/hcl/src/a.test.ts', `import '@terrane/testkit';`],
    ['the test runner in a test', 'packages/cty/src/a.test.ts', `import 'vitest';`],
    ['anything by name in a scenario', 'tests/a.test.ts', `import 'terrane';`],
    ['a declared library', 'packages/cty/src/a.ts', `import 'yaml';`],
  ])('%s is fine', (_, path, text) => {
    expect(problem(path, text)).toBeUndefined();
  });

  test.each([
    [
      'upward',
      'packages/hcl/src/a.ts',
      `\nimport type { X } from '@terrane/provider';`,
      'packages/hcl/src/a.ts:2: hcl (layer 1) imports provider (layer 2); imports go strictly downward',
    ],
    [
      'sideways at the bottom',
      'packages/graph/src/a.ts',
      `export * from '@terrane/cty';`,
      'graph (layer 0) imports cty (layer 0)',
    ],
    [
      'sideways further up',
      'packages/engine/src/plan/a.ts',
      `import { y } from '@terrane/backends';`,
      'engine (layer 3) imports backends (layer 3)',
    ],
    [
      'upward in a type',
      'packages/hcl/src/a.ts',
      `export type T = import('@terrane/provider').T;`,
      'hcl (layer 1) imports provider (layer 2)',
    ],
    [
      'upward when called for',
      'packages/hcl/src/a.ts',
      `export const load = () => import('@terrane/provider');`,
      'hcl (layer 1) imports provider (layer 2)',
    ],
    [
      'an inner file by name',
      'packages/hcl/src/a.ts',
      `import { x } from '@terrane/cty/src/value.ts';`,
      'imports @terrane/cty/src/value.ts, which is not public',
    ],
    [
      'an inner file by path',
      'packages/hcl/src/a.ts',
      `import { x } from '../../cty/src/value.ts';`,
      'imports ../../cty/src/value.ts, which leaves its package',
    ],
    [
      'an inner file by path from a scenario',
      'tests/a.test.ts',
      `import { x } from '../packages/cty/src/value.ts';`,
      'packages are imported by name',
    ],
    [
      'a package that is not declared',
      'packages/backends/src/a.ts',
      `import 'left-pad';`,
      'imports left-pad, which packages/backends/package.json does not declare',
    ],
    [
      'the test runner outside tests',
      'packages/cty/src/a.ts',
      `import 'vitest';`,
      'imports vitest, which packages/cty/package.json does not declare',
    ],
    [
      'the test kit outside tests',
      'packages/hcl/src/a.ts',
      `import '@terrane/testkit';`,
      'imports testkit, which is for tests',
    ],
    [
      'the test kit of the engine',
      'packages/testkit/src/a.ts',
      `import '@terrane/engine';`,
      'testkit (layer 3) imports engine (layer 3)',
    ],
    [
      'a bundled provider too low',
      'packages/engine/src/plan/a.ts',
      `import '@terrane/provider-local';`,
      'bundled providers serve layer 5 and above',
    ],
    [
      'a provider beyond its contract',
      'providers/local/src/a.ts',
      `import '@terrane/hcl';`,
      'a provider imports provider, cty, host only',
    ],
    [
      'a room that the table does not know',
      'packages/attic/src/a.ts',
      ``,
      'packages/attic is not in the layer table',
    ],
    [
      'a test file',
      'packages/cty/src/a.ts',
      `import './b.test.ts';`,
      'imports the test file ./b.test.ts',
    ],
    [
      'without an extension',
      'packages/cty/src/a.ts',
      `import './b';`,
      'imports ./b without its extension',
    ],
  ])('%s is refused', (_, path, text, expected) => {
    expect(problem(path, text)).toContain(expected);
  });
});

describe('between the stages of the engine', () => {
  test('each imports itself and those before it', () => {
    const text = `import '../lang/x.ts';\nimport './y.ts';\nimport '../evaluate/z.ts';`;
    expect(problem('packages/engine/src/plan/a.ts', text)).toBeUndefined();
  });

  test.each([
    ['a later stage', '../apply/x.ts', 'engine/plan imports engine/apply, which comes after it'],
    ['the index', '../index.ts', 'a stage of the engine imports stages only'],
  ])('%s is refused', (_, specifier, expected) => {
    expect(problem('packages/engine/src/plan/a.ts', `import '${specifier}';`)).toContain(expected);
  });

  test('apply imports the data of plans alone', () => {
    const from = 'packages/engine/src/apply/a.ts';
    const allowed = `import '../plan/model.ts';\nimport '../plan/step.ts';\nimport '../objects/a.ts';`;
    expect(problem(from, allowed)).toBeUndefined();
    expect(problem(from, `import '../plan/managed.ts';`)).toContain(
      'engine/apply imports engine/plan for more than its data',
    );
  });

  test('a file in no stage is refused', () => {
    expect(problem('packages/engine/src/misc/a.ts', '')).toContain('is in no stage of the engine');
    expect(problem('packages/engine/src/index.ts', '')).toBeUndefined();
  });
});

describe('cycles', () => {
  test('are refused with the way round, once', () => {
    const reported = problems({
      'packages/cty/src/a.ts': `import { b } from './in/b.ts';`,
      'packages/cty/src/in/b.ts': `import type { C } from '../c.ts';`,
      'packages/cty/src/c.ts': `export { a } from './a.ts';`,
    });
    expect(reported).toEqual([
      'packages/cty/src/a.ts:1: imports itself through in/b.ts → c.ts → a.ts',
    ]);
  });

  test.each([
    ['an import', `import './a.ts';`],
    ['a type-only import', `import type { A } from './a.ts';`],
    ['an inline type import', `export type B = import('./a.ts').A;`],
    ['a lazy import', `export const load = () => import('./a.ts');`],
  ])('are closed by %s of a module that is loaded lazily', (_, back) => {
    const reported = problems({
      'packages/cli/src/a.ts': `export const load = () => import('./b.ts');`,
      'packages/cli/src/b.ts': back,
    });
    expect(reported).toEqual(['packages/cli/src/a.ts:1: imports itself through b.ts → a.ts']);
  });
});

describe('the outside world', () => {
  test.each([
    ['console', `console.log(1);`],
    ['process', `export const a = process.env['A'];`],
    ['process', `process.stdout.write('x');`],
    ['process', `const { env } = process;`],
    ['process', `globalThis.process.exit();`],
    ['Date.now', `export const t = Date.now();`],
    ['the current time', `export const t = new Date();`],
    ['performance', `performance.now();`],
    ['Math.random', `Math.random();`],
    ['crypto', `crypto.randomUUID();`],
    ['fetch', `export const go = () => fetch('x');`],
    ['randomBytes of node:crypto', `import { createHash, randomBytes } from 'node:crypto';`],
    ['all of node:crypto', `import * as c from 'node:crypto';`],
    ['node:fs', `import { readFileSync } from 'node:fs';`],
    ['node:fs/promises', `export const fs = () => import('node:fs/promises');`],
    ['node:child_process', `import 'node:child_process';`],
  ])('%s is refused below cli', (what, text) => {
    const expected = `packages/cty/src/a.ts:1: uses ${what}`;
    expect(problem('packages/cty/src/a.ts', text)).toContain(expected);
    expect(problem('packages/host/src/a.ts', text)).toBeUndefined();
    expect(problem('packages/cli/src/a.ts', text)).toBeUndefined();
    expect(problem('packages/cty/src/a.test.ts', text)).toBeUndefined();
    expect(problem('scripts/a.ts', text)).toBeUndefined();
  });

  test.each([
    ['a date from its text', `export const d = new Date('2020-01-01');`],
    ['hashing', `import { createHash } from 'node:crypto';`],
    ['types', `import type { Stats } from 'node:fs';`],
    ['a parameter of that name', `export const f = (process: { env: string }) => process.env;`],
    ['a member of that name', `export const f = (a: { console: string }) => a.console;`],
    ['a key of that name', `export const f = { console: 1 };`],
    ['a comment', `// console.log(Date.now())`],
  ])('%s is fine', (_, text) => {
    expect(problem('packages/cty/src/a.ts', text)).toBeUndefined();
  });

  test('a provider may, with a reason', () => {
    const text = `// outside-world: keys come from the system\nimport { generateKeyPair } from 'node:crypto';`;
    expect(problem('providers/local/src/a.ts', text)).toBeUndefined();
    expect(problem('packages/cty/src/a.ts', text)).toContain('uses generateKeyPair');
    const bare = `import { generateKeyPair } from 'node:crypto';`;
    expect(problem('providers/local/src/a.ts', bare)).toContain('or say why');
  });
});

describe('the platform of this process', () => {
  test.each([
    ['process.platform', `export const a = process.platform;`],
    ['join of node:path', `import { join } from 'node:path';`],
    ['sep of node:path', `import { sep as separator } from 'node:path';`],
    ['all of node:path', `import * as path from 'node:path';`],
    ['all of node:path', `import path from 'node:path';`],
  ])('%s is refused outside of the host', (what, text) => {
    expect(problem('packages/provisioners/src/a.ts', text)).toContain(`uses ${what}`);
    expect(problem('packages/provisioners/src/a.test.ts', text)).toBeUndefined();
    expect(problem('packages/provider-testing/src/a.ts', text)).toBeUndefined();
    expect(problem('packages/cli/src/launcher/a.ts', text)).toBeUndefined();
  });

  test('path functions work on the files of this process in cli and host', () => {
    const join = `import { join } from 'node:path';`;
    expect(problem('packages/cli/src/a.ts', join)).toBeUndefined();
    expect(problem('packages/host/src/node-a.ts', join)).toBeUndefined();
    expect(problem('packages/host/src/a.ts', join)).toContain('uses join of node:path');
    const platform = `export const a = process.platform;`;
    expect(problem('packages/host/src/node-environment.ts', platform)).toBeUndefined();
    expect(problem('packages/host/src/node-a.ts', platform)).toContain('uses process.platform');
    expect(problem('packages/cli/src/a.ts', platform)).toContain('uses process.platform');
  });

  test.each([
    ['rules of a named platform', `import { posix, win32 } from 'node:path';`],
    ['types', `import type { ParsedPath } from 'node:path';`],
    ['the platform of the host', `export const f = (e: { platform: string }) => e.platform;`],
  ])('%s are fine', (_, text) => {
    expect(problem('packages/registry/src/a.ts', text)).toBeUndefined();
  });

  test('a provider may use it, with a reason', () => {
    const join = `import { join } from 'node:path';`;
    expect(problem('providers/local/src/a.ts', join)).toContain('uses join');
    const reason = '// outside-world: files of this machine';
    expect(problem('providers/local/src/a.ts', `${reason}\n${join}`)).toBeUndefined();
  });
});
