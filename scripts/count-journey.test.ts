import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { calledFiles, journeyOf } from './journey/journey.ts';
import { root } from './root.ts';

const called = (...counts: readonly number[]) =>
  counts.map((count, index) => ({
    functionName: index === 0 ? '' : `f${index}`,
    ranges: [{ startOffset: 0, count }],
  }));

test('a file counts if one of its functions was called, not if it was only imported', () => {
  const result = [
    { url: 'file:///called.ts', functions: called(1, 0, 2) },
    { url: 'file:///imported.ts', functions: called(1, 0) },
    { url: 'file:///empty.ts', functions: called(1) },
    { url: 'node:fs', functions: called(1, 1) },
  ];
  expect(calledFiles({ result })).toEqual(['file:///called.ts']);
});

test('crossings are pairs of packages, counted once and by direction', () => {
  const texts: Readonly<Record<string, string>> = {
    'packages/ops/src/a.ts':
      "import { x } from '@terrane/engine';\nimport { y } from '@terrane/host/xml';\n",
    'packages/ops/src/b.ts': "import { z } from '@terrane/engine';\nimport './a.ts';\n",
    'packages/engine/src/c.ts': "import { x } from '@terrane/engine';\n",
  };
  const { filesByPackage, crossings } = journeyOf(
    new Set(Object.keys(texts)),
    (path) => texts[path] ?? '',
  );
  expect([...filesByPackage]).toEqual([
    ['ops', 2],
    ['engine', 1],
  ]);
  expect([...crossings]).toEqual(['ops -> engine', 'ops -> host']);
});

function count(directory: string, ...args: readonly string[]): string {
  return execFileSync(
    process.execPath,
    ['--conditions=terrane-source', join(root, 'scripts/count-journey.ts'), ...args],
    { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

test('a plan passes through the engine, and a failed command is an error', () => {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-count-journey-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'main.tf'), 'output "o" {\n  value = 1\n}\n');
  const printed = count(directory, 'plan');
  expect(printed).toMatch(/^\d+ files, \d+ packages, \d+ package crossings\n/);
  expect(printed).toMatch(/^engine \d+$/m);
  expect(() => count(directory, 'plan', '-no-such-flag')).toThrow(/terrane ended with code 1/);
});
