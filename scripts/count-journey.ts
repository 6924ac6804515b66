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
import { calledFiles, type Coverage, journeyOf } from './journey/journey.ts';
import { root } from './root.ts';

const directory = mkdtempSync(join(tmpdir(), 'terrane-journey-'));
const files = new Set<string>();
try {
  const program = join(root, 'packages/cli/src/terrane.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=terrane-source', program, ...process.argv.slice(2)],
    { env: { ...process.env, NODE_V8_COVERAGE: directory }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`terrane ended with code ${status}: ${stderr}`);
  for (const name of readdirSync(directory)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format of V8
    const coverage = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Coverage;
    for (const url of calledFiles(coverage)) {
      const path = fileURLToPath(url);
      if (path.startsWith(join(root, 'packages/'))) files.add(path.slice(root.length + 1));
    }
  }
} finally {
  rmSync(directory, { recursive: true });
}

const { filesByPackage, crossings } = journeyOf(files, (path) =>
  readFileSync(join(root, path), 'utf8'),
);
console.log(
  `${files.size} files, ${filesByPackage.size} packages, ${crossings.size} package crossings`,
);
for (const [name, count] of [...filesByPackage].sort(([, a], [, b]) => b - a))
  console.log(`${name} ${count}`);
