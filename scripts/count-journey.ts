/**
 * Counts the files and package boundaries that a command of Terrane passes through.
 *
 * Usage, in a directory with a configuration: `npm run ts -- scripts/count-journey.ts plan`. Runs the command from the
 * sources with V8 coverage. A file counts if one of its functions was called; a crossing is an ordered pair of packages
 * of which a counted file of the first imports the second.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './root.ts';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

const directory = mkdtempSync(join(tmpdir(), 'terrane-journey-'));
const program = join(root, 'packages/cli/src/terrane.ts');
const { status, stderr } = spawnSync(
  process.execPath,
  ['--conditions=terrane-source', program, ...process.argv.slice(2)],
  { env: { ...process.env, NODE_V8_COVERAGE: directory }, encoding: 'utf8' },
);
if (status !== 0) throw new Error(`terrane ended with code ${status}: ${stderr}`);

const files = new Set<string>();
for (const name of readdirSync(directory)) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format of V8
  const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Coverage;
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const path = fileURLToPath(url);
    if (!path.startsWith(join(root, 'packages/'))) continue;
    // The first function is the module itself, which runs when it is imported.
    const isCalled = functions.slice(1).some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    if (isCalled) files.add(path.slice(root.length + 1));
  }
}
rmSync(directory, { recursive: true });

const packageOf = (path: string): string => path.split('/')[1] ?? '';
const counts = new Map<string, number>();
const crossings = new Set<string>();
for (const file of files) {
  const from = packageOf(file);
  counts.set(from, (counts.get(from) ?? 0) + 1);
  const imports = readFileSync(join(root, file), 'utf8').matchAll(/from '@terrane\/([a-z-]+)/g);
  for (const [, to = ''] of imports) if (to !== from) crossings.add(`${from} -> ${to}`);
}
console.log(`${files.size} files, ${counts.size} packages, ${crossings.size} package crossings`);
for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a))
  console.log(`${name} ${count}`);
