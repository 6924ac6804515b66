// The handler tests of terraform-ls, which are extracted from its source when they run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findHandlerTests } from '../../../scripts/oracle/install-terraform-ls.mjs';
import { readMetaModel } from '../protocol/read-meta-model.ts';
import { TERRANE_LSP } from '../terrane-lsp.ts';
import { INTENDED_DIFFERENCES, KNOWN_GAPS } from './differences.ts';
import { readHandlerTests } from './read-tests.ts';
import { runHandlerTest } from './run-test.ts';

const folder = findHandlerTests();
const isRequired = process.env['CI'] === 'true';
const work = mkdtempSync(join(tmpdir(), 'terrane-handlers-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe.runIf(folder !== undefined || isRequired)('handler tests of terraform-ls', () => {
  const { tests } =
    folder === undefined ? { tests: [] } : readHandlerTests(folder, (name) => join(work, name));
  const executable = tests.filter(({ unsupported }) => unsupported === undefined);
  const model = readMetaModel();
  const different = { ...INTENDED_DIFFERENCES, ...KNOWN_GAPS };

  test('are extracted', () => {
    expect(tests.length).toBeGreaterThanOrEqual(80);
    expect(executable.length).toBeGreaterThanOrEqual(50);
    const names = new Set(executable.map(({ name }) => name));
    expect(Object.keys(different).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(executable.map((each) => [each.name, each] as const))(
    '%s',
    async (name, handlerTest) => {
      const result = await runHandlerTest(handlerTest, TERRANE_LSP, join(work, name), model);
      const { outcome, differences, violations } = result;
      expect(violations).toEqual([]);
      if (name in different) expect(outcome).toBe('different');
      else expect({ outcome, differences }).toMatchObject({ differences: [] });
    },
  );
});
