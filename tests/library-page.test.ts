// The programs of docs/library.md have valid types, run, and print what the page says.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
let programs: string;
let work: string;

interface Block {
  readonly language: string;
  readonly code: string;
}

beforeAll(() => {
  // Programs resolve the packages from inside the repository.
  mkdirSync(join(root, '.build'), { recursive: true });
  programs = mkdtempSync(join(root, '.build', 'library-page-'));
});

afterAll(() => rmSync(programs, { recursive: true }));

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-library-'));
  mkdirSync(join(work, 'infrastructure', 'tests'), { recursive: true });
  onTestFinished(() => rmSync(work, { recursive: true }));
});

/** Returns the code blocks of a text, in order. */
function blocksIn(text: string): readonly Block[] {
  return Array.from(
    text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm),
    ([, language = '', code = '']) => ({ language, code }),
  );
}

/** Returns the code blocks of a section by language; those without one are outputs. */
function section(heading: string): { readonly ts: string; readonly hcl: string; output: string } {
  const start = page.indexOf(`## ${heading}\n`);
  expect(start, heading).toBeGreaterThan(0);
  const blocks = blocksIn(page.slice(start, page.indexOf('\n## ', start)));
  const find = (language: string): string =>
    blocks.find((block) => block.language === language)?.code ?? '';
  return { ts: find('ts'), hcl: find('hcl'), output: find('') };
}

const mainConfig = blocksIn(page)[0]?.code ?? '';

function configure(text: string, file = 'main.tf'): void {
  writeFileSync(join(work, 'infrastructure', file), text);
}

function run(code: string): { readonly stdout: string; readonly status: number | null } {
  const program = join(programs, `run-${readdirSync(programs).length}.ts`);
  writeFileSync(program, code);
  const args = ['--conditions=terrane-source', program];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: work,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { stdout, status };
}

test('the programs have valid types, and at most 24 lines', () => {
  const codes = blocksIn(page).filter(({ language }) => language === 'ts');
  const folder = mkdtempSync(join(programs, 'types-'));
  for (const [i, { code }] of codes.entries()) {
    expect(code.split('\n').length).toBeLessThanOrEqual(25);
    writeFileSync(join(folder, `sample-${i}.ts`), code);
  }
  const config = {
    extends: join(root, 'tsconfig.json'),
    include: ['*.ts', join(root, 'packages/*/src/**/*.d.ts')],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(checked.stdout).toBe('');
  expect(checked.status).toBe(0);
});

test.each(['Plan', 'Apply', 'Functions'])('%s', (heading) => {
  configure(mainConfig);
  const { ts, output } = section(heading);
  expect(run(ts)).toEqual({ stdout: output, status: 0 });
});

test('a failed apply prints its errors', () => {
  configure(`${mainConfig}\nresource "terraform_data" "x" { input = tonumber("a") }\n`);
  const program = section('Apply').ts.replace('console.error', 'console.log');
  const { stdout, status } = run(program);
  expect(status).toBe(1);
  expect(stdout).toBe('error: Invalid function argument (main.tf:18)\n');
});

test('Outputs and Events, after an apply', () => {
  configure(mainConfig);
  run(section('Apply').ts);
  const outputs = section('Outputs');
  expect(run(outputs.ts)).toEqual({ stdout: outputs.output, status: 0 });
  const events = section('Events');
  expect(run(events.ts)).toEqual({ stdout: events.output, status: 0 });
});

test('Tests', () => {
  configure(mainConfig);
  const { ts, hcl, output } = section('Tests');
  configure(hcl, 'tests/greeting.tftest.hcl');
  expect(run(ts)).toEqual({ stdout: output, status: 1 });
});

test('Diagnostics', () => {
  configure(`variable "who" {}\noutput "greeting" { value = var.whom }\n`);
  const { ts, output } = section('Diagnostics');
  expect(run(ts)).toEqual({ stdout: output, status: 0 });
});

test('Providers in the program', () => {
  const { ts, hcl, output } = section('Providers in the program');
  configure(hcl);
  expect(run(ts)).toEqual({ stdout: output, status: 0 });
});
