// Properties of the editor over the whole differential suite:
//   npm run ts -- tests/editor/fuzz-editor.ts rename [SEED] [CASES]
//   npm run ts -- tests/editor/fuzz-editor.ts prefixes [SEED] [SECONDS] [PART/PARTS]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMilliseconds } from '@terrane/testkit';
import { root } from '../../scripts/root.ts';
import { askEverything } from './ask-everything.ts';
import { renameInCase } from './rename-in-case.ts';
import { seededNumbers, suiteFiles } from './sample-files.ts';

const [what = '', seedText = '1', limitText = '100', partText = '1/1'] = process.argv.slice(2);
const next = seededNumbers(Number(seedText));
const limit = Number(limitText);

if (what === 'rename') await renames();
else prefixes();

/** The directories of the suite that contain configurations. */
async function renames(): Promise<void> {
  const cases = join(root, 'tests/differential/cases');
  const directories = [
    ...new Set(
      readdirSync(cases, { recursive: true, encoding: 'utf8' })
        .filter((name) => /[\\/]main\.(?:tf|tofu|tf\.json)$/.test(name))
        .map((name) => join(cases, name, '..')),
    ),
  ].sort();
  const counts = { renamed: 0, refused: 0, used: 0, unused: 0 };
  const problems: string[] = [];
  for (let i = 0; i < limit && directories.length > 0; i++) {
    const [directory = ''] = directories.splice(next(directories.length), 1);
    const result = await Promise.race([
      renameInCase(directory, 6, next),
      // The clock of the memory host does not move, so configurations that wait never end.
      delay(30_000, { unused: 'waits' } as const),
    ]);
    if ('unused' in result) {
      counts.unused++;
      continue;
    }
    counts.used++;
    counts.renamed += result.renamed;
    counts.refused += result.refused;
    problems.push(...result.problems.map((problem) => `${directory}: ${problem}`));
  }
  console.log(
    `${counts.used} configurations (${counts.unused} not used), ${counts.renamed} renames, ${counts.refused} refused; ${problems.length} problems`,
  );
  for (const problem of problems) console.log(`FAILED ${problem}`);
  // Configurations that wait are still open.
  process.exit(problems.length === 0 ? 0 : 1);
}

/** Every prefix of files, or of a part of them, in random order, for a number of seconds of processor time. */
function prefixes(): void {
  const [part = 1, parts = 1] = partText.split('/').map(Number);
  const files = [
    ...suiteFiles('.tf', '.hcl', '.tfvars', '.tf.json', '.tofu', '.tftpl', '.tfvars.json'),
  ].filter((_file, index) => index % parts === part - 1);
  const all = files.length;
  const problems: string[] = [];
  let count = 0;
  let read = 0;
  let slowest = 0;
  const began = process.cpuUsage().user;
  while (files.length > 0 && process.cpuUsage().user - began < limit * 1e6) {
    const [path = ''] = files.splice(next(files.length), 1);
    const text = readFileSync(path, 'utf8');
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    // Of long files, a random part.
    const from = text.length > 3000 ? next(text.length - 3000) : 0;
    read++;
    for (let end = from; end <= Math.min(text.length, from + 3000); end++) {
      const ask = (): number => cpuMilliseconds(() => askEverything(text.slice(0, end), name));
      count++;
      try {
        const first = ask();
        // A first measurement includes compilation and garbage of others.
        const time = first > 50 ? Math.min(first, ask(), ask()) : first;
        slowest = Math.max(slowest, time);
        if (time > 50) problems.push(`${path} at ${end}: ${time.toFixed(0)} ms`);
      } catch (error) {
        problems.push(`${path} at ${end}: ${String(error)}`);
      }
    }
  }
  console.log(
    `${count} prefixes of ${read} of ${all} files, slowest ${slowest.toFixed(0)} ms; ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, 40)) console.log(`FAILED ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
