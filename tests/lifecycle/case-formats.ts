/**
 * Measures a conversion between the two formats of cases, which CONTRIBUTING.md cites:
 *
 *     npm run ts -- tests/lifecycle/case-formats.ts
 *
 * The cases of tests/differential, interop and served are folders; those of this suite are texts. Both are read into
 * the same `Case`. For folders, the script lists what the text format has no notation for; for texts, it compares the
 * size of the edits with that of the files that a folder would hold instead.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Case,
  caseNames,
  here as differential,
  loadCase,
  type Step,
} from '../differential/case.ts';
import { lifecycleCases } from './read-cases.ts';

/** Members of a step that the text format sets for all cases alike, or cannot express. */
const STEP_MEMBERS = [
  'env',
  'input',
  'capture',
  'ordered',
  'stderr',
  'configuration',
  'state',
] as const;
const BEFORE_MEMBERS = ['write', 'append', 'copy', 'commands'] as const;

/** Returns what of a case in a folder has no notation in the text format. */
export function lossesOf(each: Case): readonly string[] {
  const losses = new Set<string>();
  if (each.settle) losses.add('the plan at the end');
  if (each.providers.length > 0) losses.add('providers');
  if (each.needs.length > 0) losses.add('servers');
  if (Object.keys(each.env).length > 0) losses.add('environment');
  if (each.oracle !== undefined || each.calledAs !== 'terraform') losses.add('reference program');
  for (const step of each.steps) for (const loss of stepLosses(step)) losses.add(loss);
  for (const [path, content] of filesOf(each.directory)) {
    const text = content.toString('utf8');
    if (!Buffer.from(text).equals(content)) losses.add('files that are not UTF-8');
    else if (text !== '' && !text.endsWith('\n')) losses.add('files without a final line feed');
    else if (text.includes('\r')) losses.add('carriage returns');
    if (/^[-+~@!] /m.test(text)) losses.add('lines that begin with a sign of the format');
    if (/\s/.test(path)) losses.add('file names with spaces');
  }
  return [...losses];
}

function stepLosses({ args = [], init, before = {}, ...step }: Step): readonly string[] {
  return [
    ...STEP_MEMBERS.filter((name) => step[name] !== undefined),
    ...BEFORE_MEMBERS.filter((name) => before[name] !== undefined).map((name) => `before.${name}`),
    ...(init === undefined ? ['init'] : []),
    ...(args.some((arg) => arg === '' || /\s/.test(arg)) ? ['arguments with spaces'] : []),
  ];
}

function filesOf(directory: string): readonly (readonly [string, Buffer])[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'case.json')
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]);
}

function printFolders(): void {
  const cases = [
    ...caseNames().map((name) => loadCase(name)),
    ...['../interop/cases', '../served/cases'].flatMap((folder) =>
      readdirSync(join(differential, folder)).map((name) => loadCase(name, folder)),
    ),
  ];
  const counts = new Map<string, number>();
  let complete = 0;
  for (const each of cases) {
    const losses = lossesOf(each);
    if (losses.length === 0) complete++;
    for (const loss of losses) counts.set(loss, (counts.get(loss) ?? 0) + 1);
  }
  console.log(
    `${cases.length} cases in folders, of which ${complete} are complete as texts; lost:`,
  );
  for (const [loss, count] of [...counts].sort(([, a], [, b]) => b - a))
    console.log(`  ${loss}: ${count}`);
}

function printTexts(): void {
  const folder = join(import.meta.dirname, 'cases');
  const source = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const edits = source.join('').match(/^~ /gm)?.length ?? 0;
  const lines = source.reduce((sum, text) => sum + text.split('\n').length, 0);
  let files = 0;
  let written = 0;
  const cases = lifecycleCases();
  for (const { steps } of cases) {
    for (const { before } of steps) {
      for (const text of Object.values(before?.write ?? {})) {
        files++;
        written += text.split('\n').length;
      }
    }
  }
  console.log(
    `${cases.length} cases in ${source.length} texts of ${lines} lines, with ${edits} edits; as folders: ${files + cases.length} files, of ${written} lines without the case.json`,
  );
}

printFolders();
printTexts();
