// Undoes exactly what an explanation names, and nothing else.
import type { Cause, CauseKind, Explanation } from '@terrane/engine';
import { type Hunk, hunksOf, revert } from './hunks.ts';
import type { Moment } from './project.ts';

/** What is to be done so that the causes of something are gone. */
export interface Undoing {
  readonly files: Readonly<Record<string, string>>;
  readonly choices: NonNullable<Moment['choices']>;
  /** what exists is put back to what it was */
  readonly world: boolean;
  /** objects are not tainted any more */
  readonly taint: boolean;
}

/** Kinds of which it cannot be undone mechanically what they name, and why. */
export const CANNOT: Readonly<Partial<Record<CauseKind, string>>> = {
  computed: 'only says that the provider decides',
  provider: 'the provider decides it, for reasons of its own',
  data: 'what a data source reads belongs to somebody else',
  function: 'gives something new each time',
  file: 'what the file held before is not known',
  environment: 'where a run takes place is not in the configuration',
  deposed: 'an earlier run left it',
  check: 'is read in every run',
  'schema-upgrade': 'the older provider is gone',
  'invoke-option': 'without the option the plan is another one',
  'read-now': 'nothing is planned',
  equal: 'nothing is planned',
  ignored: 'nothing is planned',
  normalised: 'nothing is planned',
  'refresh-only': 'nothing is planned',
  'not-targeted': 'nothing is planned',
};

/** The causes at the ends of the chains of an explanation. */
export function leavesOf(causes: readonly Cause[]): readonly Cause[] {
  return causes.flatMap((cause) =>
    cause.causes.length > 0 ? leavesOf(cause.causes) : cause.told === true ? [] : [cause],
  );
}

/** What undoes the causes of an explanation; a text where a cause is not what changed. */
export function undo(explanation: Explanation, before: Moment, after: Moment): Undoing | string {
  const chosen = new Map<string, Set<Hunk>>();
  const all = new Map<string, readonly Hunk[]>();
  for (const name of new Set([...Object.keys(before.files), ...Object.keys(after.files)]))
    all.set(name, hunksOf(before.files[name] ?? '', after.files[name] ?? ''));
  const put = (name: string, hunks: readonly Hunk[]): boolean => {
    const set = chosen.get(name) ?? new Set();
    for (const hunk of hunks) set.add(hunk);
    chosen.set(name, set);
    return hunks.length > 0;
  };
  let choices = { ...after.choices };
  let [world, taint] = [false, false];
  const leaves = leavesOf(explanation.causes);
  let undone = false;
  const cannot: string[] = [];
  for (const leaf of leaves) {
    const problem = undoOne(leaf);
    if (problem === undefined) undone = true;
    // Of those that may be it, one at least has to be.
    else if (leaf.possible !== true) return problem;
    else cannot.push(problem);
  }
  if (!undone) return cannot.join(', ');
  const files: Record<string, string> = { ...after.files };
  for (const [name, hunks] of chosen)
    if (hunks.size > 0) files[name] = revert(after.files[name] ?? '', [...hunks]);
  return { files, choices, world, taint };

  function undoOne(leaf: Cause): string | undefined {
    const { kind, range, address = '', origin } = leaf;
    switch (kind) {
      case 'drift':
        world = true;
        return undefined;
      case 'tainted':
        taint = true;
        return undefined;
      case 'replace-option':
        choices = { ...choices, replace: [] };
        return undefined;
      case 'destroy-mode':
        choices = { ...choices, mode: 'normal' };
        return undefined;
      case 'no-block':
      case 'no-module': {
        const header = headerOf(address);
        const found = [...all].some(([name, hunks]) =>
          put(
            name,
            hunks.filter(({ lines }) => lines.some((line) => header.test(line))),
          ),
        );
        if (!found) return `no block of ${address} went`;
        return undefined;
      }
      default:
        break;
    }
    if (kind === 'variable' && origin?.name !== undefined && origin.line !== undefined) {
      // Where the value stands: the declaration, or the file that gives it.
      const { name, line } = origin;
      const isDefault = origin.source === 'default';
      const file = isDefault ? range?.filename : name.replace(/^\.\//, '');
      const hunks = all.get(file ?? name) ?? [];
      const lines = (after.files[file ?? name] ?? '').split('\n');
      const end = isDefault ? endOfBlock(lines, line - 1) : line;
      if (put(file ?? name, touching(hunks, line - 1, end))) return undefined;
      return `${address} at ${name}:${line}: nothing changed there`;
    }
    if (kind === 'variable' && origin !== undefined) {
      const name = address.replace(/^var\./, '');
      const variables = { ...choices.variables };
      const was = before.choices?.variables?.[name];
      if (after.choices?.variables?.[name] === was) return `${address} was not given another value`;
      delete variables[name];
      choices = {
        ...choices,
        variables: was === undefined ? variables : { ...variables, [name]: was },
      };
      return undefined;
    }
    if (CANNOT[kind] !== undefined) return `${kind} is no cause of an action`;
    if (range === undefined) return `${kind} of ${address} has no place`;
    const hunks = all.get(range.filename) ?? [];
    const [from, to] = [range.from.line - 1, range.to.line];
    const lines = (after.files[range.filename] ?? '').split('\n');
    const end = BLOCKS.has(kind) ? endOfBlock(lines, from) : to;
    if (!put(range.filename, touching(hunks, from, end)))
      return `${kind} at ${String(range)}: nothing changed there`;
    return undefined;
  }
}

/** The hunks between two lines. */
function touching(hunks: readonly Hunk[], from: number, end: number): readonly Hunk[] {
  return hunks.filter((hunk) => hunk.start < end && Math.max(hunk.end, hunk.start + 1) > from);
}

const BLOCKS: ReadonlySet<CauseKind> = new Set([
  'argument-removed',
  'block',
  'variable',
  'repetition-form',
]);

function headerOf(address: string): RegExp {
  const parts = address.replaceAll(/\[[^\]]*\]/g, '').split('.');
  if (parts[0] === 'output') return new RegExp(`^output "${parts[1]}"`);
  const [type, name] = parts.slice(-2);
  return parts.at(-2) === 'module'
    ? new RegExp(`^module "${name}"`)
    : new RegExp(`^(resource|data) "${type}" "${name}"`);
}

/** The line after the block that begins at a line. */
function endOfBlock(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, at) => at > from && line === '}');
  return end < 0 ? lines.length : end + 1;
}
