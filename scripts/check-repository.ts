/** Checks the repository itself: conflict markers, commit subjects, lock files, and the enumerations in ARCHITECTURE.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  conflictMarkers,
  enumerationProblems,
  lockFileProblems,
  longSubjects,
  parenthesizedNames,
  SUBJECTS_SINCE,
  tableNames,
  unionKinds,
} from './repository-rules.ts';
import { root } from './root.ts';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const source = (path: string): string => readFileSync(join(root, path), 'utf8');

function markerProblems(): string[] {
  const tracked = git('ls-files', '-z').split('\0').filter(Boolean);
  return tracked.flatMap((path) => {
    if (!existsSync(join(root, path))) return [];
    const bytes = readFileSync(join(root, path));
    if (bytes.includes(0)) return [];
    return conflictMarkers(bytes.toString('utf8')).map(
      (line) => `${path}:${line}: conflict marker`,
    );
  });
}

/** Checks the commits since the limit was introduced; of a shallow clone, the commits that it has. */
function subjectProblems(): string[] {
  const shallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
  const range = shallow ? 'HEAD' : `${SUBJECTS_SINCE}..HEAD`;
  const subjects = git('log', '--format=%s', range).split('\n').filter(Boolean);
  return longSubjects(subjects).map((subject) => `commit subject too long: ${subject}`);
}

function architectureProblems(): string[] {
  const page = source('ARCHITECTURE.md');
  const folders = (parent: string): string[] =>
    readdirSync(join(root, parent), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? entry.name : [],
    );
  const layers = tableNames(page, '| layer | package | contents |', 1);
  layers.delete('providers/*');
  const engine = page.split('\n').find((line) => line.includes('| `engine` |')) ?? '';
  return [
    ...enumerationProblems('packages', layers, new Set(folders('packages'))),
    ...enumerationProblems(
      'stages of engine',
      parenthesizedNames(engine, 'in stages, each above the one before'),
      new Set(folders('packages/engine/src')),
    ),
    ...enumerationProblems(
      'kinds of steps',
      tableNames(page, '| kind | does |'),
      unionKinds(source('packages/engine/src/plan/step.ts'), 'StepWork'),
    ),
    ...enumerationProblems(
      'kinds of state events',
      parenthesizedNames(page, 'State events'),
      unionKinds(source('packages/engine/src/state/event.ts'), 'StateEvent'),
    ),
  ];
}

function lockProblems(): string[] {
  const paths = git('ls-files', '*package-lock.json').split('\n').filter(Boolean);
  return paths.flatMap((path) =>
    lockFileProblems(source(path)).map((problem) => `${path}: ${problem}`),
  );
}

const problems = [
  ...markerProblems(),
  ...subjectProblems(),
  ...architectureProblems(),
  ...lockProblems(),
];
for (const problem of problems) console.error(problem);
console.log(`${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
