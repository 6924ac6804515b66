// Editors with a client of their own, without a window.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TERRANE_LSP } from './terrane-lsp.ts';

const isRequired = process.env['CI'] === 'true';

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A module with a misspelt reference and a line that is not formatted. */
const MAIN = `variable "size" {
  default = 2
}

resource "terraform_data" "a" {
  input   = var.size
  triggers_replace = [var.sise]
}
`;

const POSITIONS = {
  hover: { line: 5, character: 17 },
  completion: { line: 5, character: 16 },
};

/** The output of the editor scripts. */
interface Answers {
  readonly problem?: string;
  readonly diagnostics: readonly { readonly line?: number; readonly message: string }[];
  readonly hover: string;
  readonly completion: readonly string[];
  readonly definition?: unknown;
  readonly text: string;
}

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-editors-'));
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

function session(name: string, program: string, args: readonly string[]): Answers {
  const folder = join(work, name);
  mkdirSync(join(folder, 'home'), { recursive: true });
  mkdirSync(join(folder, 'module'));
  writeFileSync(join(folder, 'module/main.tf'), MAIN);
  const out = join(folder, 'answers.json');
  execFileSync(program, args, {
    env: {
      ...process.env,
      HOME: join(folder, 'home'),
      TERRANE_LSP: TERRANE_LSP.join('\n'),
      TERRANE_ROOT: join(folder, 'module'),
      TERRANE_OUT: out,
      TERRANE_POSITIONS: JSON.stringify(POSITIONS),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 280_000,
  });
  return JSON.parse(readFileSync(out, 'utf8')) as Answers;
}

const script = (...path: string[]): string => join(import.meta.dirname, ...path);

describe.runIf(isInstalled('nvim') || isRequired)('Neovim', () => {
  test('shows diagnostics, hover and completion, goes to definitions and formats', () => {
    const answers = session('neovim', 'nvim', [
      '--headless',
      '--clean',
      '-c',
      `luafile ${script('neovim/session.lua')}`,
    ]);
    expect(answers.problem).toBeUndefined();
    expect(answers.diagnostics.map(({ message }) => message).join()).toContain(
      'Reference to undeclared input variable',
    );
    expect(answers.diagnostics.map(({ line }) => line)).toContain(6);
    expect(answers.hover).toContain('size');
    expect(answers.completion).toContain('size');
    expect(JSON.stringify(answers.definition)).toContain('main.tf');
    expect(answers.text).toBe(MAIN.replace('input   =', 'input            =').trimEnd());
  });
});

describe.runIf(isInstalled('emacs') || isRequired)('Emacs with Eglot', () => {
  test('shows diagnostics, hover and completion, and formats', () => {
    const answers = session('emacs', 'emacs', ['--batch', '-l', script('emacs/session.el')]);
    expect(answers.diagnostics.map(({ message }) => message).join()).toContain(
      'Reference to undeclared input variable',
    );
    expect(answers.hover).toContain('size');
    expect(answers.completion).toContain('size');
    expect(answers.text).toContain('  input            = var.size\n');
  });
});
