// How long calls take in a run that is recorded: in each run other objects are slow, so that an order which only
// comes of one being quicker than the other does not show in all of them.

/** Of five runs an object is slow in two, and two objects in the same two only where there are more than ten. */
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
 * How long calls about an object take in a run (from 1 on; 0: no run is recorded, nothing is slow). `held` is one whose
 * calls take very long, to see what waits for it.
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
