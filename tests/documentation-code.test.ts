// Every code block of the documentation parses, has valid types, or names commands, options and files that exist.
// Further tests run the blocks of the tutorial, library.md and packages/hcl, and plan the configurations.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHcl } from '@terrane/hcl';
import { parseSync } from 'oxc-parser';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { COMMANDS } from 'terrane/release';
import { recordScene } from '../scripts/pictures/record.ts';
import { SCENES } from '../scripts/pictures/scenes.ts';
import { root } from '../scripts/root.ts';

interface Block {
  /** page and number, such as "docs/state.md 2" */
  readonly name: string;
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) =>
    /^(?:README|docs\/[\w-]+|packages\/[\w-]+\/README|actions\/[\w-]+\/README)(?:\.md)?$/.test(
      path.replace(/\.md$/, ''),
    ),
  )
  .filter((path) => existsSync(join(root, path)));

const blocks: readonly Block[] = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', code = ''], index) => ({
      name: `${page} ${index + 1}`,
      page,
      language,
      code,
    }),
  );
});

function blocksIn(...languages: readonly string[]): readonly Block[] {
  return blocks.filter(({ language }) => languages.includes(language));
}

function blockOf(name: string): string {
  const block = blocks.find((each) => each.name === name);
  if (block === undefined) throw new Error(`there is no block ${name}`);
  return block.code;
}

test('there are many blocks', () => {
  expect(blocks.length).toBeGreaterThan(100);
});

test('blocks of HCL parse', () => {
  for (const { name, code } of blocksIn('hcl', 'terraform')) {
    expect(() => parseHcl(code, { filename: name }), name).not.toThrow();
  }
});

test('blocks of YAML and JSON parse, and workflows use inputs that the actions have', () => {
  for (const { name, code } of blocksIn('json')) {
    // "…" and words in capitals stand for more of the same.
    const complete = code.replaceAll(/,?\s*…/g, '').replaceAll(/\b[A-Z]{4,}\b/g, 'null');
    expect(() => void JSON.parse(complete), name).not.toThrow();
  }
  for (const { name, code } of blocksIn('yaml')) {
    for (const document of parseAllDocuments(code)) expect(document.errors, name).toEqual([]);
    const uses = code.matchAll(
      /uses: terrane-dev\/([\w-]+)@v1\n(?:\s+id: .*\n)?(?:\s+with:\n((?:\s{4,}\w+: .*\n)*))?/g,
    );
    for (const [, action = '', inputs = ''] of uses) {
      const declared = readFileSync(join(root, 'actions', action, 'action.yml'), 'utf8');
      for (const [, input = ''] of inputs.matchAll(/^\s+(\w+):/gm))
        expect(declared, name).toContain(`\n  ${input}:\n`);
    }
  }
});

/**
 * Declarations for TypeScript blocks of names that the surrounding text introduces. Blocks without an entry may use such
 * names too; then only their imports, and members of what they import, are checked.
 */
const CONTEXT: Readonly<Record<string, string>> = {
  'docs/aws.md': 'declare const directory: string;',
  'docs/explain.md': `import type { Project } from '@terrane/ops';
declare const project: Project;
declare const ports: Parameters<typeof explain>[2];`,
  'docs/provider-sdk.md 2': `import { int64, resource, string } from '@terrane/provider/sdk';
declare const url: string;`,
  'docs/providers.md 3': `import { string, withClient } from '@terrane/provider/sdk';
interface Bucket {
  get(id: string): Promise<Uint8Array | undefined>;
  put(id: string, bytes: Uint8Array): Promise<void>;
  names(): Promise<string[]>;
  remove(id: string): Promise<void>;
  lock(id: string, operation: string): Promise<string>;
  unlock(id: string, lockId: string): Promise<void>;
}
const { stateStore } = withClient<{ bucket(name: string): Bucket }>();`,
  'docs/providers.md 4': `import { RemoteObject } from '@terrane/provider';
type Options = ConstructorParameters<typeof RemoteObject>[0];
declare const clock: Options['clock'];
declare const signal: NonNullable<Options['signal']>;
declare const log: NonNullable<Options['log']>;
declare const timeout: number;
declare const plan: { readonly name: string };
declare const client: {
  create(plan: object): Promise<{ readonly url: string }>;
  get(url: string): Promise<object | undefined>;
};
declare const isRoleUnknown: (error: unknown) => boolean;`,
  'docs/providers.md 7': `import { acceptanceTest, type TestCase, UNKNOWN } from '@terrane/provider-testing';
import assert from 'node:assert/strict';
declare const note: (text: string) => string;
declare const notesProvider: TestCase['providers'][string];
declare const service: { notes: readonly string[]; change(note: { text: string }): void };`,
  'packages/functions/README.md': 'declare const ports: Parameters<typeof functionTable>[0];',
  'packages/plugin/README.md': "declare const provider: import('@terrane/provider').Provider;",
  'packages/provider-testing/README.md':
    "declare const notesProvider: import('@terrane/provider-testing').TestCase['providers'][string];",
};

/** Blocks that other tests compile, or that are generated from sources. */
const COMPILED_ELSEWHERE =
  /^docs\/(?:library|provider-sdk-reference)\.md |^packages\/hcl\/README\.md /;

/** Errors for names that the text around a block has introduced, and what follows from them. */
const FREE_NAME = /error TS(?:2304|2552|2693|7006|7031|18004):/;

/** Abridged parts of files of the repository, which only have to parse. */
const ABRIDGED = /^docs\/providers\.md [56]$/;

test('blocks of TypeScript have valid types', { timeout: 400_000 }, () => {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build', 'documentation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = blocksIn('ts').filter(({ name }) => !COMPILED_ELSEWHERE.test(name));
  const abridged = own.filter(({ name }) => ABRIDGED.test(name));
  expect(abridged).toHaveLength(2);
  for (const { name, code } of abridged)
    expect(parseSync(`${name}.ts`, code).errors, name).toEqual([]);
  const checked = own.filter(({ name }) => !ABRIDGED.test(name));
  expect(checked.length).toBeGreaterThan(14);
  for (const { name, page, code } of checked) {
    const file = `${name.replaceAll(/[ /.]/g, '-')}.ts`;
    writeFileSync(
      join(folder, file),
      `${CONTEXT[name] ?? CONTEXT[page] ?? ''}\n${code}\nexport {};\n`,
    );
  }
  writeFileSync(
    join(folder, 'provider.ts'),
    "import type { Provider } from '@terrane/provider';\nexport declare const provider: Provider;\n",
  );
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, isolatedDeclarations: false, declaration: false },
    include: ['*.ts', join(root, 'packages/*/src/**/*.d.ts')],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  const withContext = new Set(
    checked
      .filter(({ name, page }) => CONTEXT[name] !== undefined || CONTEXT[page] !== undefined)
      .map(({ name }) => `${name.replaceAll(/[ /.]/g, '-')}.ts`),
  );
  const problems = stdout.split('\n').filter((line) => {
    const [, file = ''] = /([^/]+\.ts)\(\d+,\d+\): error/.exec(line) ?? [];
    return line !== '' && (withContext.has(file) || !FREE_NAME.test(line));
  });
  expect(problems).toEqual([]);
});

/** Calls of the program in a shell script: the words after "terrane". */
function callsIn(script: string): readonly (readonly string[])[] {
  const lines = script.replaceAll(/\\\n/g, ' ').split('\n');
  return lines.flatMap((line) => {
    const command = line.replace(/^\$ /, '').replace(/(^|\s)#.*$/, '');
    const calls = command.matchAll(
      /(?:^\s*|[(|;&]\s*|\/|\b(?:npx|exec|yarn)\s+(?:-\S+\s+)*)(?:\w+=\S*\s+)*terrane((?: +(?:'[^']*'|"[^"]*"|[^\s|;&)><'"]|(?<=\S)['"])+)*)/g,
    );
    return Array.from(calls, ([, words = '']) => words.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []);
  });
}

describe('shell commands', () => {
  test('use commands and options that the program has', async () => {
    let count = 0;
    for (const { name, code } of blocksIn('sh', 'console')) {
      for (const words of callsIn(code)) {
        const own = words.filter(
          (word) => !/^(?:-chdir|-(?:un)?install-autocomplete|-help|-version|help$)/.test(word),
        );
        if (own.length === 0) continue;
        const load =
          COMMANDS.get(own.slice(0, 3).join(' ')) ??
          COMMANDS.get(own.slice(0, 2).join(' ')) ??
          COMMANDS.get(own[0] ?? '');
        expect(load, `${name}: terrane ${words.join(' ')}`).toBeDefined();
        const { flags = {}, help = '' } = (await load?.())?.command ?? {};
        for (const word of own) {
          const [, option] = /^--?([a-z][\w-]*)/.exec(word) ?? [];
          if (option === undefined) continue;
          const isKnown = option in flags || help.includes(`-${option}`);
          expect(isKnown, `${name}: -${option} of ${own.join(' ')}`).toBe(true);
        }
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(30);
  });

  test('use scripts and files of the repository that exist', () => {
    const scriptsOf = (path: string): object =>
      (JSON.parse(readFileSync(join(root, path), 'utf8')) as { readonly scripts: object }).scripts;
    const scripts = {
      ...scriptsOf('package.json'),
      ...scriptsOf('packages/create-terrane-provider/template/package.json'),
    };
    for (const { name, code } of blocksIn('sh')) {
      for (const [, script = ''] of code.matchAll(/npm run ([\w:-]+)/g))
        expect(scripts, name).toHaveProperty([script]);
      for (const [, path = ''] of code.matchAll(
        /(?:^|\s)(?:\.\/)?((?:scripts|tests|bench)\/[\w./-]+)/gm,
      ))
        expect(existsSync(join(root, path)), `${name}: ${path}`).toBe(true);
    }
  });
});

/** The tests that run the commands of a page and compare all output that it shows. */
const OUTPUT_TESTS: Readonly<Record<string, string>> = {
  'docs/adopt.md': 'packages/cli/src/commands/adopt/adopt.test.ts',
  'docs/drift.md': 'tests/drift/documented.test.ts',
  'docs/history.md': 'tests/history/documentation.test.ts',
  'docs/mcp.md': 'tests/mcp/documented.test.ts',
  'docs/modules.md': 'tests/modules/module-locks.test.ts',
  'docs/policies.md': 'tests/policies-page.test.ts',
  'docs/refactoring.md': 'tests/refactor/refactor.test.ts',
  'docs/tutorial.md': 'tests/tutorial.test.ts',
};

describe('shown output', () => {
  test('of commands is compared by a test of the page', () => {
    const pagesWithOutput = blocksIn('console')
      .filter(({ code }) => /^\$ terrane .*\n[^$\n]/m.test(code))
      .map(({ page }) => page)
      // The pages on the run server show commands that need other services, and parts of logs.
      .filter((page) => !page.startsWith('docs/server'));
    expect([...new Set(pagesWithOutput)].sort()).toEqual(Object.keys(OUTPUT_TESTS));
    for (const [page, path] of Object.entries(OUTPUT_TESTS))
      expect(readFileSync(join(root, path), 'utf8'), page).toContain(page.replace('docs/', ''));
  });

  test('of explain equals its output', () => {
    const work = realpathSync(mkdtempSync(join(tmpdir(), 'terrane-output-')));
    onTestFinished(() => rmSync(work, { recursive: true }));
    const [command = '', ...expected] = blockOf('docs/explain.md 1').trimEnd().split('\n');
    const main = `variable "env" {
  default = "dev"
}

locals {
  title = "web-\${var.env}"
}

resource "terraform_data" "b" {
  input            = "x"
  triggers_replace = [local.title]
}
`;
    writeFileSync(join(work, 'main.tf'), main);
    const env = { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, HOME: work };
    const run = (text: string): string =>
      spawnSync('sh', ['-c', text], { cwd: work, env, encoding: 'utf8' }).stdout;
    run('terrane apply -auto-approve');
    expect(run(command.replace('$ ', '')).trimEnd().split('\n')).toEqual(expected);
  });

  test("of a recovery equals the program's output", async () => {
    const scene = SCENES.find(({ name }) => name === 'recovery');
    if (scene === undefined) throw new Error('there is no such recording');
    const recorded = await recordScene(scene);
    const printed = recorded
      .flatMap(({ lines }) => lines.map((line) => line.map(({ text }) => text).join('')))
      .join(' ');
    const comparable = (text: string): string =>
      text
        .replaceAll(/[│╷╵]/g, ' ')
        .replaceAll(/\S+ on \S+ \(process \d+\)/g, 'TIME on HOST')
        .replaceAll(/\(\d+ changes\)/g, '(N changes)')
        .replaceAll(/\s+/g, ' ');
    expect(comparable(printed)).toContain(comparable(blockOf('docs/state.md 1')).trim());
  });
});
