/** Fails where the built program is larger than scripts/bundle-budget.json allows. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Budget, judge, measure, type Metafile } from './bundle-size.ts';
import { root } from './root.ts';

async function read(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(root, path), 'utf8'));
}

/** The size of the scripts that are published, without the code that V8 compiled of them: the program's or the libraries'. */
async function published(what: 'program' | 'libraries'): Promise<number> {
  const dist = join(root, 'packages/cli/dist');
  const names = (await readdir(dist)).filter(
    (name) => /\.c?js$/.test(name) && name.startsWith('library-') === (what === 'libraries'),
  );
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dist, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

// Both files are written by this repository: one by the build, one by hand.
const meta = (await read('.build/cli-meta.json')) as Metafile;
const budget = (await read('scripts/bundle-budget.json')) as Budget;
const { lines, over } = judge(
  measure(
    meta,
    'packages/cli/src/terrane.ts',
    await published('program'),
    await published('libraries'),
  ),
  budget,
);
for (const line of lines) console.log(line);
if (over) process.exitCode = 1;
