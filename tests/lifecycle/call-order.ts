// The calls of a run, and in which order they have to come: what is ordered the same way in all runs of Terraform.
import type { LogLine } from './provider/call-log.ts';

/** One call: what was asked and answered; `begin` and `end` are places in the order of all beginnings and ends. */
export interface Call {
  readonly what: string;
  readonly gave: string;
  readonly begin: number;
  readonly end: number;
}

/** The calls that one command made. */
export interface Calls {
  /** The requests and responses, sorted. */
  readonly calls: readonly string[];
  /**
   * `[1, 4]`: the second call ended before the fifth began, in all runs. What follows from others is left out. The
   * numbers are places in `calls`.
   */
  readonly order: readonly (readonly [number, number])[];
}

/** Reads a log. A call without an end ends when all is over. */
export function readLog(text: string): Call[] {
  const open = new Map<string, { what: string; begin: number }>();
  const calls: Call[] = [];
  const lines = text.split('\n').filter((line) => line !== '');
  for (const [place, line] of lines.entries()) {
    const entry = JSON.parse(line) as LogLine;
    if ('begin' in entry) {
      // Terraform 1.11 knows of identities, and gives none.
      const what = entry.call.replace(/ identity=\{[^}]*\}/, '');
      open.set(entry.begin, { what, begin: place });
      continue;
    }
    const begun = open.get(entry.end);
    if (begun === undefined) throw new Error(`${entry.end} ended before it began`);
    open.delete(entry.end);
    calls.push({ ...begun, gave: entry.gave, end: place });
  }
  for (const begun of open.values()) calls.push({ ...begun, gave: 'never', end: lines.length });
  return calls.sort((a, b) => compareTexts(textOf(a), textOf(b)) || a.begin - b.begin);
}

export const textOf = ({ what, gave }: Call): string => `${what} => ${gave}`;

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the common order of runs, which must have made the same calls. */
export function orderOf(runs: readonly (readonly Call[])[]): Calls {
  const calls = (runs[0] ?? []).map(textOf);
  return { calls, order: reduced(calls.length, (i, j) => isInOrder(runs, i, j)) };
}

/** The order that is left where another run is known too. */
export function narrowed({ calls, order }: Calls, run: readonly Call[]): Calls {
  const after = closureOf(calls.length, order);
  const before = (i: number, j: number): boolean =>
    after[i]?.has(j) === true && isInOrder([run], i, j);
  return { calls, order: reduced(calls.length, before) };
}

/** Without some calls: the last ones of those that are the same. */
export function without({ calls, order }: Calls, dropped: readonly string[]): Calls {
  const drop = [...dropped];
  const kept = [...calls.keys()]
    .reverse()
    .filter((i) => {
      const index = drop.indexOf(calls[i] ?? '');
      if (index >= 0) drop.splice(index, 1);
      return index < 0;
    })
    .reverse();
  const after = closureOf(calls.length, order);
  const before = (i: number, j: number): boolean =>
    after[kept[i] ?? -1]?.has(kept[j] ?? -1) === true;
  return { calls: kept.map((i) => calls[i] ?? ''), order: reduced(kept.length, before) };
}

/** Returns the successors of each call, by a simple traversal, because calls are few. */
function closureOf(size: number, order: Calls['order']): readonly ReadonlySet<number>[] {
  const after = Array.from({ length: size }, () => new Set<number>());
  const follow = (from: number, at: number): void => {
    for (const [i, j] of order) {
      if (i !== at || after[from]?.has(j) === true) continue;
      after[from]?.add(j);
      follow(from, j);
    }
  };
  for (let i = 0; i < size; i += 1) follow(i, i);
  return after;
}

function isInOrder(runs: readonly (readonly Call[])[], i: number, j: number): boolean {
  return runs.every((run) => (run[i]?.end ?? 0) < (run[j]?.begin ?? 0));
}

function reduced(size: number, before: (i: number, j: number) => boolean): [number, number][] {
  const order: [number, number][] = [];
  const all = [...Array.from({ length: size }).keys()];
  for (const i of all) {
    const after = all.filter((j) => before(i, j));
    for (const j of after) if (!after.some((between) => before(between, j))) order.push([i, j]);
  }
  return order;
}

/** Returns the violations in the calls of a run, for people; empty if there are none. */
export function callProblems(expected: Calls, actual: readonly Call[]): string[] {
  const texts = actual.map(textOf);
  const missing = missingIn(texts, expected.calls).map((each) => `- ${each}`);
  const more = missingIn(expected.calls, texts).map((each) => `+ ${each}`);
  if (missing.length + more.length > 0) return [...missing, ...more];
  return outOfOrder(expected, actual).map(
    ([first, second]) => `not one after the other:\n    ${first.what}\n    ${second.what}`,
  );
}

/** The pairs of the same calls that did not come in order. */
export function outOfOrder(
  { order }: Calls,
  actual: readonly Call[],
): (readonly [first: Call, second: Call])[] {
  const leaves = leavingOf(actual);
  return order.flatMap(([i, j]) => {
    const [first, second] = [actual[i], actual[j]];
    if (first === undefined || second === undefined || first.end < second.begin) return [];
    // The configuration of a provider for destroying is in the state, and needs no other provider.
    if (first.what.startsWith('configure ') && second.what.startsWith('configure ')) return [];
    // Objects to delete are refreshed concurrently with the rest, and nothing waits for them (docs/differences.md).
    const about = [idOf(first), idOf(second)];
    const isBeside = about[0] !== about[1] && about.some((id) => leaves.has(id));
    return isBeside ? [] : [[first, second] as const];
  });
}

/** The objects that a plan with other changes too is to destroy, by id. */
function leavingOf(calls: readonly Call[]): ReadonlySet<string> {
  const isMixed = calls.some(({ what }) => what.startsWith('validate '));
  const deletions = calls.filter(({ what }) => what.startsWith('plan delete '));
  const isPlan = !calls.some(({ what }) => what.startsWith('apply '));
  return new Set(isMixed && isPlan ? deletions.map(idOf) : []);
}

/** The id that a call about an object gives. */
function idOf({ what }: Call): string {
  return (
    /^upgrade \S+ (\S+)/.exec(what)?.[1] ?? /^[^{]*\{(?:[^{}]* )?id=([^ {}]+)/.exec(what)?.[1] ?? ''
  );
}

/** The texts that a list has less often than another one. */
export function missingIn(texts: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of texts) counts.set(each, (counts.get(each) ?? 0) + 1);
  return others.filter((each) => {
    const remaining = counts.get(each) ?? 0;
    counts.set(each, remaining - 1);
    return remaining <= 0;
  });
}
