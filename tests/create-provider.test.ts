// A generated provider has valid types and passes its own tests, with the sources of the packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '..');
const generator = join(root, 'packages/create-terrane-provider/src/create-terrane-provider.ts');
let parent: string;
let project: string;

function node(
  args: readonly string[],
  cwd: string,
): { readonly status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

beforeAll(() => {
  // The project resolves the packages from inside the repository.
  mkdirSync(join(root, '.build'), { recursive: true });
  parent = mkdtempSync(join(root, '.build', 'create-provider-'));
  const created = node(['--conditions=terrane-source', generator, 'acme/my-cloud'], parent);
  expect(created.text).toContain('Created 13 files in terraform-provider-my-cloud.');
  project = join(parent, 'terraform-provider-my-cloud');
});

afterAll(() => rmSync(parent, { recursive: true }));

test('a generated provider passes its tests', () => {
  const args = ['--conditions=terrane-source', '--test', '--test-reporter=tap', 'test/*.test.ts'];
  const { status, text } = node(args, project);
  expect(status, text).toBe(0);
  expect(text).toMatch(/# pass 3\n/);
});

test('the workflows of a generated provider run scripts that it has', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const folder = join(project, '.github/workflows');
  const names = readdirSync(folder);
  expect(names.sort()).toEqual(['release.yml', 'test.yml']);
  for (const name of names) {
    const workflow = parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly jobs: Readonly<Record<string, { readonly steps: readonly { run?: string }[] }>>;
    };
    const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps);
    const text = commands.map(({ run = '' }) => run).join('\n');
    const run = Array.from(text.matchAll(/npm (?:run )?(\w+)/g), ([, script = '']) => script);
    expect(run).toEqual(expect.arrayContaining(['install', 'test', 'package']));
    for (const script of run) if (script !== 'install') expect(scripts).toHaveProperty(script);
  }
});

test('a generated provider has valid types', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--customConditions', 'terrane-source', '--rewriteRelativeImportExtensions'];
  const { text } = node(args, project);
  // The compiler reads the sources of the packages too, which are checked with the repository's own settings.
  expect(text.split('\n').filter((line) => /^(?:src|test)\//.test(line))).toEqual([]);
});
