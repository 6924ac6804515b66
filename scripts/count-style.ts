/**
 * Prints how often the sources do what their style avoids, as a table.
 *
 * `--at <commit>` counts in the sources of a commit, `--list <text>` lists the places of the rows whose name contains
 * the text, and arguments restrict the count to files whose path starts with one of them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.ts';
import { styleCounts } from './style/counts.ts';
import { isCounted } from './style/counted-files.ts';

const { values, positionals } = parseArgs({
  options: { at: { type: 'string' }, list: { type: 'string' } },
  allowPositionals: true,
});

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });

function selected(paths: string): string[] {
  return paths
    .split('\0')
    .filter(isCounted)
    .filter((path) => positionals.length === 0 || positionals.some((at) => path.startsWith(at)));
}

const { at } = values;
const files =
  at === undefined
    ? selected(git('ls-files', '-z', '--cached', '--others', '--exclude-standard'))
        .filter((path) => existsSync(join(root, path)))
        .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    : selected(git('ls-tree', '-r', '-z', '--name-only', at)).map((path) => ({
        path,
        text: git('show', `${at}:${path}`),
      }));
const counts = styleCounts(files);
const width = Math.max(...counts.map(({ name }) => name.length));
for (const { name, count, places } of counts) {
  console.log(`| ${name.padEnd(width)} | ${String(count).padStart(6)} |`);
  if (values.list !== undefined && name.includes(values.list)) {
    for (const place of places) console.log(`    ${place}`);
  }
}
