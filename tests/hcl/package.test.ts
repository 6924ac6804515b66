// The packages as they are published: packed, installed into an empty folder, compiled against with
// strict types, and run by plain Node.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { comparable, readmeExamples } from './readme-examples.ts';

let work: string;
let app: string;
const tsc = join(root, 'node_modules/typescript/bin/tsc');

function run(program: string, args: readonly string[], cwd: string): string {
  const done = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')}:\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

/** Packs a package as `npm publish` would; gives the path of the archive and what is in it. */
function pack(name: string): { readonly archive: string; readonly files: readonly string[] } {
  const from = join(root, 'packages', name);
  const folder = join(work, name);
  mkdirSync(folder);
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    cpSync(join(from, file), join(folder, file));
  cpSync(join(work, 'built/packages', name, 'src'), join(folder, 'dist'), { recursive: true });
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--silent'], folder)) as {
    filename: string;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error('nothing was packed');
  return { archive: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

let packed: readonly ReturnType<typeof pack>[];

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-package-'));
  run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(work, 'built')], root);
  packed = [pack('cty'), pack('hcl')];
  app = join(work, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }\n');
  const archives = packed.map(({ archive }) => archive);
  run('npm', ['install', '--offline', '--silent', '--no-audit', '--no-fund', ...archives], app);
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

test('the archives contain exactly the code, its types, the README and the license', () => {
  for (const { files } of packed) {
    expect(files).toContain('README.md');
    expect(files).toContain('LICENSE');
    expect(files).toContain('dist/index.js');
    expect(files).toContain('dist/index.d.ts');
    const other = files.filter(
      (file) => !/^(?:dist\/.*\.(?:js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(file),
    );
    expect(other).toEqual([]);
    expect(files.filter((file) => /test|arbitrar/i.test(file))).toEqual([]);
  }
});

test('only these two packages are installed', () => {
  const installed = readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['@terrane']);
  expect(readdirSync(join(app, 'node_modules/@terrane')).toSorted()).toEqual(['cty', 'hcl']);
});

test('no module needs anything of Node', () => {
  for (const name of ['cty', 'hcl']) {
    const folder = join(app, 'node_modules/@terrane', name, 'dist');
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue;
      const code = readFileSync(join(folder, file), 'utf8').replace(
        /\/\*[^]*?\*\/|^\s*\/\/.*$/gm,
        '',
      );
      expect(code, file).not.toMatch(
        /\bfrom '(?!\.|@terrane\/cty)|\bBuffer\b|\bprocess\.|\brequire\(/,
      );
    }
  }
});

test('the examples of the README compile and print the documented output', () => {
  const examples = readmeExamples();
  expect(examples.length).toBeGreaterThan(4);
  for (const [i, { code }] of examples.entries()) writeFileSync(join(app, `example-${i}.ts`), code);
  writeFileSync(
    join(app, 'console.d.ts'),
    'declare const console: { log(...values: unknown[]): void };\n',
  );
  const options = {
    strict: true,
    target: 'ES2023',
    lib: ['ES2023'],
    types: [],
    module: 'NodeNext',
    skipLibCheck: false,
  };
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  );
  run(process.execPath, [tsc, '-p', '.'], app);
  for (const [i, { heading, output }] of examples.entries()) {
    const printed = run(process.execPath, [`example-${i}.js`], app);
    expect(comparable(printed), heading).toBe(comparable(output));
  }
});
