// Plans of a case once more, without the causes that explanations of the first plan name.
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
import { dirname, join, relative } from 'node:path';
import type { Cause, Explanation } from '@terrane/engine';
import type { Step } from '../differential/case.ts';
import { run, type Ran } from '../differential/program.ts';
import { TERRANE_WITHIN } from '../differential/terrane-within.ts';
import type { Moment } from './project.ts';
import { holds, repaired, withoutReferences } from './go-with.ts';
import { CANNOT, reasonsOf, undo, undoByValues, type Undoing } from './undo.ts';

/** The inputs of a step of a case. */
export interface StepMoment extends Moment {
  readonly args: readonly string[];
}

/** The files of a directory after a step, without the configuration: the state and external files. */
export type World = ReadonlyMap<string, Buffer>;

/** The result of undoing: the action is gone, or the reason why that could not be tried. */
export type Outcome =
  | { readonly kind: 'vanishes' }
  | { readonly kind: 'cannot'; readonly reason: string }
  | { readonly kind: 'wrong'; readonly problem: string };

const CONFIGURATION = /\.(tf|tofu|tfvars)(\.json)?$/;

function* filesIn(work: string, folder: string = work): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.terraform') || entry.name === 'tfplan') continue;
    if (entry.isDirectory()) yield* filesIn(work, path);
    else if (entry.isFile()) yield relative(work, path);
  }
}

/** Returns the files of a directory besides the configuration. */
export function worldIn(work: string): World {
  const files = new Map<string, Buffer>();
  for (const name of filesIn(work))
    if (!CONFIGURATION.test(name)) files.set(name, readFileSync(join(work, name)));
  return files;
}

/** The configuration in a folder, and the variables that a step gives. */
export function momentOf(work: string, step: Step): StepMoment {
  const files: Record<string, string> = {};
  for (const name of filesIn(work))
    if (CONFIGURATION.test(name)) files[name] = readFileSync(join(work, name), 'utf8');
  const args = [
    ...(step.run.startsWith('destroy') ? ['-destroy'] : []),
    ...joined(step.args ?? []),
  ];
  const variables: Record<string, string> = {};
  const variableFiles: string[] = [];
  for (const arg of args) {
    const pair = /^-var=([^=]+)=(.*)$/s.exec(arg);
    if (pair?.[1] !== undefined) variables[pair[1]] = pair[2] ?? '';
    const file = /^-var-file=(.*)$/s.exec(arg)?.[1];
    if (file !== undefined) variableFiles.push(file.replace(/^\.\//, ''));
  }
  return { files, choices: { variables }, args, variableFiles };
}

/** Options with their values in one word, with one dash. */
function joined(args: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = (args[at] ?? '').replace(/^--/, '-');
    const takesNext = /^-(var|var-file|replace|target|exclude|invoke)$/.test(arg);
    words.push(takesNext ? `${arg}=${args[++at] ?? ''}` : arg);
  }
  return words;
}

/** The environment in which the causes of a plan are undone. */
export interface Undone {
  readonly work: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly world: World;
  /** somebody has edited the state in between */
  readonly isEdited: boolean;
  /** what came of what was tried: many things have the same cause */
  readonly tried: Map<string, Promise<Tried>>;
}

/** Returns true if the action is gone once its causes are undone. */
export async function vanishes(
  explanation: Explanation,
  earlier: readonly StepMoment[],
  after: StepMoment,
  where: Undone,
): Promise<Outcome> {
  const leaves = reasonsOf(explanation);
  for (const { kind, possible, origin } of leaves) {
    if (possible !== true && CANNOT[kind] !== undefined)
      return { kind: 'cannot', reason: `${kind}: ${CANNOT[kind]}` };
    if (origin?.source === 'env' || origin?.source === 'input')
      return { kind: 'cannot', reason: 'variable: given by the environment or the keyboard' };
  }
  const problems: string[] = [];
  const attempts = [
    ...earlier.map((before) => undo(explanation, before, after)),
    undoByValues(explanation, after),
  ];
  for (const undoing of attempts) {
    const problem =
      typeof undoing === 'string' ? undoing : await planWithout(undoing, explanation, after, where);
    if (problem === undefined) return { kind: 'vanishes' };
    problems.push(problem);
  }
  const problem =
    problems.find(
      (candidate) => candidate === REFUSED || candidate === ELSEWHERE || candidate === UNMADE,
    ) ?? problems.join('; ');
  if (problem === REFUSED || problem === ELSEWHERE || problem === UNMADE)
    return { kind: 'cannot', reason: problem };
  const reason = whyNot(leaves, after, where);
  if (reason !== undefined) return { kind: 'cannot', reason };
  return { kind: 'wrong', problem };
}

/** Why something cannot be undone mechanically here, though what is named is right. */
function whyNot(
  leaves: readonly Cause[],
  { files }: StepMoment,
  { isEdited }: Undone,
): string | undefined {
  if (isEdited) return 'the state was edited by hand';
  if (Object.values(files).some((text) => /^moved \{/m.test(text)))
    return 'what moved was declared elsewhere before';
  if (leaves.some(({ range }) => range?.filename.endsWith('.json') === true))
    return 'what stands in JSON cannot be taken out line by line';
  if (leaves.some(({ kind, name }) => kind === 'source' && name !== undefined))
    return 'a key cannot be taken out of the line that it shares with others';
  return undefined;
}

const REFUSED = 'a part of an earlier configuration does not go with the rest of the later one';
const UNMADE = 'what a refresh-only run does not make is never known';
const ELSEWHERE = 'a part of an earlier configuration is about another address';

/** Undefined where the action is gone, else what is the matter. */
async function planWithout(
  undoing: Undoing,
  explanation: Explanation,
  after: StepMoment,
  where: Undone,
): Promise<string | undefined> {
  const key = JSON.stringify(undoing);
  let tried = where.tried.get(key);
  if (tried === undefined) where.tried.set(key, (tried = planned(undoing, after, where)));
  const { shown, isErrored, repairs } = await tried;
  if (shown === undefined) return REFUSED;
  // Repairing must not remove the subject itself.
  if (repairs !== undefined && holds(repairs, explanation.address)) return REFUSED;
  const remaining = leftOf(explanation, shown, isErrored);
  return remaining !== undefined && (repairs !== undefined || isErrored) ? REFUSED : remaining;
}

/** The maximum number of repairs of an inconsistent configuration. */
const REPAIRS = 6;

/** The result of planning with something undone. */
interface Tried {
  readonly shown: Shown | undefined;
  /** the plan ended early */
  readonly isErrored: boolean;
  /** first lines of what was taken out because it does not go with the rest, where something had to be changed for that */
  readonly repairs?: readonly string[];
}

/** The plan of what a case has come to, with something undone, and with what goes with that. */
async function planned(undoing: Undoing, after: StepMoment, where: Undone): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'explain-undo-'));
  try {
    const work = join(folder, 'work');
    cpSync(where.work, work, { recursive: true });
    if (undoing.world) {
      for (const name of [...filesIn(work)]) rmSync(join(work, name), { force: true });
      for (const [name, bytes] of where.world) write(work, name, bytes);
    }
    const options = { cwd: work, env: { ...where.environment } };
    const terrane = (...args: string[]): Promise<Ran> => run(TERRANE_WITHIN, args, options);
    for (const address of undoing.tainted) await terrane('untaint', '-no-color', address);
    const plan = planner(undoing, after, work, terrane);
    let files = undoing.files;
    let { shown, errors } = await plan(files);
    if (shown !== undefined && errors === '') return { shown, isErrored: false };
    const early = shown;
    const repairs: string[] = [];
    for (let round = 0; round < REPAIRS; round++) {
      const without = round === 0 ? withoutReferences(after.files, files) : files;
      const isTried = Object.entries(without).every(([name, text]) => files[name] === text);
      const next = isTried ? repaired(files, undoing.earlier, errors) : undefined;
      if (isTried && next === undefined) break;
      files = next?.files ?? without;
      repairs.push(...(next?.removed ?? []));
      ({ shown, errors } = await plan(files));
      if (shown !== undefined && errors === '') return { shown, isErrored: false, repairs };
    }
    return { shown: early, isErrored: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Planned {
  /** what the plan shows, also of one that ended early */
  readonly shown: Shown | undefined;
  readonly errors: string;
}

/** Plans with other files of the configuration. */
function planner(
  undoing: Undoing,
  after: StepMoment,
  work: string,
  terrane: (...args: string[]) => Promise<Ran>,
): (files: Undoing['files']) => Promise<Planned> {
  const isUngiven = (arg: string): boolean =>
    undoing.ungiven.some((file) => arg.replace('=./', '=') === `-var-file=${file}`);
  const kept = after.args.filter(
    (arg) =>
      !arg.startsWith('-var=') &&
      !isUngiven(arg) &&
      // An option may name all instances at once.
      !undoing.options.some((option) => option === arg || option.startsWith(`${arg}[`)),
  );
  const variables = Object.entries(undoing.choices.variables ?? {}).map(
    ([name, value]) => `-var=${name}=${value}`,
  );
  const args = ['plan', '-input=false', '-no-color', '-out=undone', ...kept, ...variables];
  const there = new Set(Object.keys(after.files));
  let isInstalled = false;
  return async (files) => {
    for (const name of there) rmSync(join(work, name), { force: true });
    rmSync(join(work, 'undone'), { force: true });
    for (const [name, text] of Object.entries(files)) {
      const isEmpty = text.trim() === '';
      // A file that is empty now may hide another one as before.
      if (isEmpty && after.files[name] === undefined) continue;
      write(work, name, isEmpty && name.endsWith('.json') ? '{}' : text);
      there.add(name);
    }
    let ran = await terrane(...args);
    if (ran.exit !== 0 && !isInstalled) {
      // Modules and providers of an earlier configuration may have to be installed again.
      await terrane('init', '-input=false', '-no-color');
      isInstalled = true;
      ran = await terrane(...args);
    }
    const errors = ran.exit === 0 ? '' : `${ran.stderr} ${ran.stdout}`.replaceAll(/[\s│╷╵]+/g, ' ');
    const shown = await terrane('show', '-json', 'undone');
    // As the documentation of the JSON of plans says.
    return { shown: shown.exit === 0 ? (JSON.parse(shown.stdout) as Shown) : undefined, errors };
  };
}

function leftOf(
  { kind, address, action }: Explanation,
  shown: Shown,
  isErrored: boolean,
): string | undefined {
  if (kind === 'action') {
    const isLeft =
      isErrored ||
      shown.action_invocations?.some((invocation) => invocation.address === address) === true;
    return isLeft ? 'still invoked without its causes' : undefined;
  }
  const output =
    kind === 'output' ? shown.output_changes?.[address.replace(/^output\./, '')] : undefined;
  const remaining =
    kind === 'output'
      ? output?.actions
      : shown.resource_changes?.find(
          (change) => change.address === address && change.deposed === undefined,
        )?.change.actions;
  const comesOrGoes = action === 'create' || action === 'delete' || action === 'forget';
  // Kept objects are in the plan; objects that were never created, or never read, are not.
  if (remaining === undefined)
    return !isErrored && (comesOrGoes || kind === 'output' || action === 'read')
      ? undefined
      : ELSEWHERE;
  const text = remaining.join();
  if (text === 'no-op' || (comesOrGoes && text !== action)) return undefined;
  if (action === 'update' && isOnlyUnknown(output)) return UNMADE;
  return `still ${text} without its causes`;
}

/** Returns true if an output has its earlier value, except for unknown values, which are stored as null. */
function isOnlyUnknown(output: NonNullable<Shown['output_changes']>[string] | undefined): boolean {
  const { before, after, after_unknown: unknown } = output ?? {};
  const isSome = unknown !== undefined && JSON.stringify(unknown).includes('true');
  return isSome && Array.isArray(before) && JSON.stringify(before) === JSON.stringify(after);
}

function write(work: string, name: string, content: string | Buffer): void {
  mkdirSync(dirname(join(work, name)), { recursive: true });
  writeFileSync(join(work, name), content);
}

/** The members of a JSON plan that are compared. */
export interface Shown {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly deposed?: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
  readonly output_changes?: Readonly<
    Record<
      string,
      {
        readonly actions: readonly string[];
        readonly before?: unknown;
        readonly after?: unknown;
        readonly after_unknown?: unknown;
      }
    >
  >;
  readonly action_invocations?: readonly { readonly address: string }[];
}
