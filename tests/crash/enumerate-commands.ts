import type { CommandCase } from './command-cases.ts';
import { CommandScene } from './command-run.ts';
import { readable } from './encrypted.ts';
import { type Enumerated, nameOf } from './enumerate.ts';
import { WAYS } from './ways.ts';

/** The files that determine what is managed and where: states, and the selected workspace. */
type Files = ReadonlyMap<string, string>;

/** The files before a command, and after it if nothing fails. */
interface Expected {
  readonly before: Files;
  readonly after: Files;
  /** the texts of the backups before and after */
  readonly oldBackups: ReadonlySet<string>;
  readonly backups: ReadonlySet<string>;
}

/**
 * Injects every kind of fault at every moment of a command, one at a time, and verifies the files and the next commands.
 * `every`: only every nth moment; `isEncrypted`: with encrypted states.
 */
export async function enumerateCommand(
  case_: CommandCase,
  every = 1,
  isEncrypted = false,
): Promise<Enumerated> {
  const arranged = new CommandScene(isEncrypted);
  await case_.arrange(arranged);
  // All of that is on the disk.
  const start = arranged.copy();
  const complete = start.copy();
  const { moments } = await complete.runCut(case_.command);
  const expected = {
    before: filesOf(start),
    after: filesOf(complete),
    oldBackups: backupsIn(start),
    backups: backupsIn(complete),
  };
  const seen = new Set<string>();
  const problems: string[] = [];
  let faults = 0;
  const recover = async (scene: CommandScene, label: string): Promise<void> => {
    const name = nameOf(scene);
    if (seen.has(name)) return;
    seen.add(name);
    const recoveryProblems = await problemsOf(case_, expected, scene);
    problems.push(...recoveryProblems.map((problem) => `${case_.command}: ${label}: ${problem}`));
  };
  await recover(complete, 'nothing goes wrong');
  for (const [which, way] of WAYS.entries()) {
    for (let at = which % every; at < moments.length; at += every) {
      const moment = moments[at];
      if (moment === undefined || !way.applies(moment)) continue;
      const scene = start.copy();
      const label = `${way.name} at ${at} (${moment.what})`;
      faults++;
      const { result } = await scene.runCut(case_.command, way.cut(at));
      if (result.code === 0 && !same(filesOf(scene), expected.after))
        problems.push(`${case_.command}: ${label}: it says that it has succeeded`);
      for (const survival of way.survivals)
        await recover(scene.copy(survival), `${label}, ${survival} survives`);
    }
  }
  return { faults, recoveries: seen.size, problems };
}

/** Returns the violations in the files that a command left, and in the commands after it. */
async function problemsOf(
  { command, next = command, repeatable = false }: CommandCase,
  expected: Expected,
  scene: CommandScene,
): Promise<readonly string[]> {
  const files = filesOf(scene);
  const problems = [
    ...(scene.isEncrypted ? unencrypted(scene) : []),
    ...neitherOldNorNew(files, expected),
    ...lostObjects(files, expected),
    ...backupProblems(scene, expected),
  ];
  const isUndone = same(files, expected.before);
  const { result } = await scene.runCut(next);
  if (result.code !== 0 && (isUndone || repeatable))
    problems.push(`the next ${next} fails: ${result.stdout}${result.stderr}`);
  const then = filesOf(scene);
  problems.push(...neitherOldNorNew(then, expected), ...lostObjects(then, expected));
  if (result.code === 0 && !same(then, expected.after))
    problems.push(`the next ${next} does not do it`);
  const planned = await scene.runCut('plan');
  if (planned.result.code !== 0) problems.push(`the plan fails: ${planned.result.stderr}`);
  return problems;
}

function neitherOldNorNew(files: Files, { before, after }: Expected): readonly string[] {
  const paths = new Set([...files.keys(), ...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => files.get(path) !== before.get(path) && files.get(path) !== after.get(path))
    .map((path) => `${path} is neither the old nor the new one: ${files.get(path) ?? 'nothing'}`);
}

/** Objects that are managed before and after the command must always be. */
function lostObjects(files: Files, { before, after }: Expected): readonly string[] {
  const wanted = [...managed(before)].filter((id) => managed(after).has(id));
  return wanted.filter((id) => !managed(files).has(id)).map((id) => `${id} is forgotten`);
}

/** Returns the violations of unencrypted states; only the one that is to be pushed may be unencrypted. */
function unencrypted({ disk }: CommandScene): readonly string[] {
  return [...disk.names]
    .filter(([path, { content }]) => {
      const isState =
        path.endsWith('.tfstate') && !/\/(?:changed|\.terraform\/terraform)\.tfstate$/.test(path);
      return isState && content.length > 0 && !Buffer.from(content).includes('"encrypted_data"');
    })
    .map(([path]) => `${path} is not encrypted`);
}

/** Verifies that replaced content is in a backup, complete, before it is replaced. */
function backupProblems(
  scene: CommandScene,
  { before, oldBackups, backups }: Expected,
): readonly string[] {
  const [presentBackups, states] = [backupsIn(scene), new Set(filesOf(scene).values())];
  const known = new Set([...oldBackups, ...backups, ...before.values()]);
  return [
    ...[...presentBackups]
      .filter((text) => !known.has(text))
      .map((text) => `a backup is torn: ${text}`),
    ...[...backups]
      .filter((text) => !presentBackups.has(text) && !states.has(text))
      .map((text) => `no backup is left: ${text}`),
  ];
}

function backupsIn({ disk }: CommandScene): ReadonlySet<string> {
  const backups = [...disk.names].filter(([path]) => /\/(?!\.)[^/]*\.backup$/.test(path));
  return new Set(backups.map(([, { content }]) => readable(content)));
}

function managed(files: Files): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const text of files.values())
    for (const [, id = ''] of text.matchAll(/"id": "([^"]*)"/g)) ids.add(id);
  return ids;
}

function same(first: Files, other: Files): boolean {
  return first.size === other.size && [...first].every(([path, text]) => other.get(path) === text);
}

/** An empty file stands for nothing, as it does for whoever reads a state; a directory may be a workspace. */
function filesOf({ disk }: CommandScene): Files {
  const files = new Map<string, string>();
  for (const directory of disk.directories)
    if (directory.includes('/terraform.tfstate.d/') && !directory.includes('.history'))
      files.set(directory, 'a directory');
  for (const [path, { content }] of disk.names)
    if (content.length > 0 && SAYS.test(path)) files.set(path, readable(content));
  return files;
}

/** The files that commands read. `errored.tfstate` has content that could not be stored; no command reads it. */
const SAYS = /\/(?!\.|errored\.)[^/]*\.tfstate$|\/\.terraform\/environment$/;
