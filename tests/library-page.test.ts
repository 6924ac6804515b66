// The programs of docs/library.md run, and print what the page says.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
let work: string;
let program: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-library-'));
  // Programs resolve the packages from inside the repository.
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build', 'library-page-'));
  program = join(folder, 'program.ts');
  onTestFinished(() => {
    rmSync(work, { recursive: true });
    rmSync(folder, { recursive: true });
  });
});

/** The code blocks of a section, in order. */
function blocksOf(heading: string): string[] {
  const start = page.indexOf(`## ${heading}\n`);
  expect(start).toBeGreaterThan(0);
  const section = page.slice(start, page.indexOf('\n## ', start));
  return Array.from(section.matchAll(/^```\w*\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
}

function run(code: string, config: string): string {
  writeFileSync(join(work, 'main.tf'), config);
  writeFileSync(program, code);
  const args = ['--conditions=terrane-source', program, work];
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

test('plan and apply', { timeout: 120_000 }, () => {
  const [code = '', config = '', output = ''] = blocksOf('Plan and apply');
  expect(run(code, config)).toBe(output);
});

test('diagnostics', { timeout: 120_000 }, () => {
  const [code = '', output = ''] = blocksOf('Diagnostics');
  const config = `variable "who" {}\noutput "greeting" { value = var.whom }\n`;
  expect(run(code, config)).toBe(output);
});

test('providers in the program', { timeout: 120_000 }, () => {
  const [code = '', config = '', output = ''] = blocksOf('Providers in the program');
  expect(run(code, config)).toBe(output);
});
