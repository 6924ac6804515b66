// Delays of calls in recorded runs: other objects are slow in each run, so that an order by chance does not occur in all
// of them.

/** An object is slow in two of five runs, and two objects are slow in the same two only if there are more than ten. */
const RUNS_SLOW: readonly (readonly [number, number])[] = [
  [1, 2],
  [3, 4],
  [5, 1],
  [2, 3],
  [4, 5],
  [1, 3],
  [2, 4],
  [3, 5],
  [4, 1],
  [5, 2],
];

const LONG_MS = 60;
const HELD_MS = 1500;

/**
 * Returns the delays of calls about an object in a run (numbered from 1; 0: nothing is recorded, no delays). Calls about
 * `held` take very long, which shows its dependents.
 */
export function slowness(run: number, held?: string): (name: string) => Promise<void> | undefined {
  if (run === 0 && held === undefined) return () => undefined;
  return (name) => {
    if (held !== undefined) return name === held ? after(HELD_MS) : undefined;
    const hash = hashOf(name);
    const [first, second] = RUNS_SLOW[hash % RUNS_SLOW.length] ?? [1, 2];
    const slow = (run - 1) % 5 === first - 1 || (run - 1) % 5 === second - 1;
    const ms = slow ? LONG_MS + ((hash >> 4) % 7) * 10 : (hash + run * 7) % 5;
    return after(ms);
  };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** The names of cases are short: neighbours must not share their runs. */
function hashOf(name: string): number {
  let hash = 7;
  for (const letter of name.replace(/^data\./, 'd'))
    hash = (hash * 31 + letter.charCodeAt(0)) % 65_521;
  return hash;
}
