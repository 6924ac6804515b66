import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './root.ts';

const folder = join(root, 'scripts/fixtures/lint');

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

test('the linter reports exactly the violations of the conventions, across packages', () => {
  const config = configuration();
  const lines = readFileSync(join(folder, 'broken.ts'), 'utf8').split('\n');
  const expected = lines.flatMap((text, index) => {
    const [, next, rule] = /\/\/ expect( next)?: (\S+)$/.exec(text) ?? [];
    return rule === undefined ? [] : [`${index + 1 + (next === undefined ? 0 : 1)} ${rule}`];
  });
  const linter = join(root, 'node_modules/oxlint/bin/oxlint');
  const args = [linter, '--type-aware', '--no-ignore', '--format=json', '--config', config, '.'];
  const done = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  // The format is the linter's own; a change of it fails the comparison below.
  const report = JSON.parse(done.stdout) as Report;
  const reported = report.diagnostics.map(({ code, labels }) => {
    return `${labels[0]?.span.line} ${/\((.*)\)/.exec(code)?.[1]}`;
  });
  const byLine = (a: string, b: string): number => Number.parseInt(a) - Number.parseInt(b);
  expect(reported.sort(byLine)).toEqual(expected);
  expect(expected.length).toBeGreaterThan(10);
  expect(done.status).toBe(1);
});

/** The repository's own configuration, but that it does not pass over fixtures. */
function configuration(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'terrane-lint-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const rules: unknown = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  const path = join(scratch, 'oxlintrc.json');
  writeFileSync(path, JSON.stringify({ ...Object(rules), ignorePatterns: [] }));
  return path;
}
