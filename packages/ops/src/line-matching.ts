// Matches the lines of two texts as `diff` does: Myers' search from both ends ("An O(ND) Difference Algorithm and Its
// Variations", 1986) over the informative lines, after which changes are shifted to natural positions. Cost and memory
// stay small for large texts.

/** Lines of two texts, equal ones with equal numbers from 0 up. */
export type LineNumbers = readonly [Int32Array, Int32Array];

/** For each line of either text, 1 if the line is only in that text. Both arrays end with an additional 0. */
export type ChangedLines = readonly [Uint8Array, Uint8Array];

/** After this number of steps in both directions the best path so far is used. */
const MIN_PATIENCE = 4096;

/** Finds which lines are only in one of two texts. */
export function changedLines(lines: LineNumbers, kinds: number): ChangedLines {
  const [a, b] = lines;
  const changed: ChangedLines = [new Uint8Array(a.length + 1), new Uint8Array(b.length + 1)];
  const informative = [
    distinctiveLines(a, countsOf(b, kinds)),
    distinctiveLines(b, countsOf(a, kinds)),
  ] as const;
  for (const side of [0, 1] as const) {
    changed[side].fill(1, 0, lines[side].length);
    for (const index of informative[side]) changed[side][index] = 0;
  }
  new Search(
    Int32Array.from(informative[0], (index) => a[index] ?? 0),
    Int32Array.from(informative[1], (index) => b[index] ?? 0),
    (index) => void (changed[0][informative[0][index] ?? 0] = 1),
    (index) => void (changed[1][informative[1][index] ?? 0] = 1),
  ).run();
  moveChanges(a, changed[0], changed[1]);
  moveChanges(b, changed[1], changed[0]);
  return changed;
}

function countsOf(lines: Int32Array, kinds: number): Int32Array {
  const counts = new Int32Array(kinds);
  for (const line of lines) counts[line] = (counts[line] ?? 0) + 1;
  return counts;
}

const KEPT = 0;
/** no line of the other text equals it */
const ALONE = 1;
/** too many equal lines to be significant */
const COMMON = 2;

/**
 * Returns the indices of the lines to compare: without lines that have no counterpart, and common lines between such.
 */
function distinctiveLines(lines: Int32Array, countsInOther: Int32Array): number[] {
  let many = 5;
  for (let rest = lines.length >> 8; rest > 0; rest >>= 2) many *= 2;
  const marks = Uint8Array.from(lines, (line) => {
    const count = countsInOther[line] ?? 0;
    return count === 0 ? ALONE : count > many ? COMMON : KEPT;
  });
  let at = 0;
  while (at < marks.length) {
    if (marks[at] !== ALONE) {
      marks[at++] = KEPT;
      continue;
    }
    let end = at;
    while (end < marks.length && marks[end] !== KEPT) end++;
    while (marks[end - 1] === COMMON) marks[--end] = KEPT;
    keepDistinctive(marks.subarray(at, end));
    at = end;
  }
  const informative: number[] = [];
  for (const [index, mark] of marks.entries()) if (mark === KEPT) informative.push(index);
  return informative;
}

/** Selects the common lines to retain in a run that begins and ends with lines without a counterpart. */
function keepDistinctive(run: Uint8Array): void {
  const common = run.reduce((sum, mark) => sum + (mark === COMMON ? 1 : 0), 0);
  if (common === 0) return;
  if (common * 4 > run.length) {
    for (const [index, mark] of run.entries()) if (mark === COMMON) run[index] = KEPT;
    return;
  }
  let minLength = 1;
  for (let rest = run.length >> 4; rest > 0; rest >>= 2) minLength *= 2;
  keepLongStretches(run, minLength + 1);
  keepNearEdge(run.length, (index) => index, run);
  keepNearEdge(run.length, (index) => run.length - 1 - index, run);
}

function keepLongStretches(run: Uint8Array, minLength: number): void {
  let start = 0;
  for (let index = 0; index <= run.length; index++) {
    if (run[index] === COMMON) continue;
    if (index - start >= minLength) run.fill(KEPT, start, index);
    start = index + 1;
  }
}

function keepNearEdge(length: number, place: (index: number) => number, run: Uint8Array): void {
  let runLength = 0;
  for (let index = 0; index < length && runLength < 3; index++) {
    const at = place(index);
    if (index >= 8 && run[at] === ALONE) return;
    runLength = run[at] === ALONE ? runLength + 1 : 0;
    if (run[at] === COMMON) run[at] = KEPT;
  }
}

interface Part {
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
  /** searches exhaustively, regardless of cost */
  readonly thorough: boolean;
}

interface Middle {
  readonly x: number;
  readonly y: number;
  readonly thoroughBefore: boolean;
  readonly thoroughAfter: boolean;
}

/** Divides two sequences where a shortest path from one to the other crosses, again and again. */
class Search {
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #deleted: (index: number) => void;
  readonly #inserted: (index: number) => void;
  readonly #patience: number;
  /** Furthest points by diagonal, from the beginning and from the end; `#zero` is diagonal 0. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #zero: number;

  constructor(
    a: Int32Array,
    b: Int32Array,
    deleted: (index: number) => void,
    inserted: (index: number) => void,
  ) {
    this.#a = a;
    this.#b = b;
    this.#deleted = deleted;
    this.#inserted = inserted;
    const diagonals = a.length + b.length + 3;
    this.#zero = b.length + 1;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    let patience = 1;
    for (let rest = diagonals; rest > 0; rest >>= 2) patience *= 2;
    this.#patience = Math.max(MIN_PATIENCE, patience);
  }

  run(): void {
    const parts: Part[] = [{ a: [0, this.#a.length], b: [0, this.#b.length], thorough: false }];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      let [left, right] = part.a;
      let [top, bottom] = part.b;
      while (left < right && top < bottom && this.#a[left] === this.#b[top]) {
        left++;
        top++;
      }
      while (left < right && top < bottom && this.#a[right - 1] === this.#b[bottom - 1]) {
        right--;
        bottom--;
      }
      if (left === right) {
        for (let y = top; y < bottom; y++) this.#inserted(y);
      } else if (top === bottom) {
        for (let x = left; x < right; x++) this.#deleted(x);
      } else {
        const middle = this.#middle(left, right, top, bottom, part.thorough);
        const { x, y, thoroughBefore, thoroughAfter } = middle;
        parts.push(
          { a: [x, right], b: [y, bottom], thorough: thoroughAfter },
          { a: [left, x], b: [top, y], thorough: thoroughBefore },
        );
      }
    }
  }

  #middle(left: number, right: number, top: number, bottom: number, thorough: boolean): Middle {
    const a = this.#a;
    const b = this.#b;
    const forward = this.#forward;
    const backward = this.#backward;
    const zero = this.#zero;
    const lowest = left - bottom;
    const highest = right - top;
    const first = left - top;
    const last = right - bottom;
    const isOdd = ((first - last) & 1) !== 0;
    let [fLow, fHigh, bLow, bHigh] = [first, first, last, last];
    forward[zero + first] = left;
    backward[zero + last] = right;
    for (let steps = 1; ; steps++) {
      if (fLow > lowest) forward[zero + --fLow - 1] = -1;
      else fLow++;
      if (fHigh < highest) forward[zero + ++fHigh + 1] = -1;
      else fHigh--;
      for (let d = fHigh; d >= fLow; d -= 2) {
        const below = forward[zero + d - 1] ?? -1;
        const above = forward[zero + d + 1] ?? -1;
        let x = below < above ? above : below + 1;
        while (x < right && x - d < bottom && a[x] === b[x - d]) x++;
        forward[zero + d] = x;
        if (isOdd && bLow <= d && d <= bHigh && (backward[zero + d] ?? 0) <= x)
          return { x, y: x - d, thoroughBefore: true, thoroughAfter: true };
      }
      if (bLow > lowest) backward[zero + --bLow - 1] = 0x7fffffff;
      else bLow++;
      if (bHigh < highest) backward[zero + ++bHigh + 1] = 0x7fffffff;
      else bHigh--;
      for (let d = bHigh; d >= bLow; d -= 2) {
        const below = backward[zero + d - 1] ?? 0;
        const above = backward[zero + d + 1] ?? 0;
        let x = below < above ? below : above - 1;
        while (x > left && x - d > top && a[x - 1] === b[x - d - 1]) x--;
        backward[zero + d] = x;
        if (!isOdd && fLow <= d && d <= fHigh && x <= (forward[zero + d] ?? 0))
          return { x, y: x - d, thoroughBefore: true, thoroughAfter: true };
      }
      if (thorough || steps < this.#patience) continue;
      const ahead = furthest(forward, zero, fLow, fHigh, [left, right, top, bottom], 1);
      const back = furthest(backward, zero, bLow, bHigh, [left, right, top, bottom], -1);
      return right + bottom - (back.x + back.y) < ahead.x + ahead.y - (left + top)
        ? { ...ahead, thoroughBefore: true, thoroughAfter: false }
        : { ...back, thoroughBefore: false, thoroughAfter: true };
    }
  }
}

/** The point of the furthest progress, in one direction or the other. */
function furthest(
  points: Int32Array,
  zero: number,
  low: number,
  high: number,
  [left, right, top, bottom]: readonly [number, number, number, number],
  direction: 1 | -1,
): { readonly x: number; readonly y: number } {
  let best: { readonly x: number; readonly y: number } | undefined;
  for (let d = high; d >= low; d -= 2) {
    let x = Math.max(left, Math.min(points[zero + d] ?? 0, right));
    let y = x - d;
    if (y > bottom || y < top) {
      y = y > bottom ? bottom : top;
      x = y + d;
    }
    if (best === undefined || direction * (x + y) > direction * (best.x + best.y)) best = { x, y };
  }
  return best ?? { x: left, y: top };
}

/**
 * Moves runs of changed lines up and down where the text allows it: they join with others, and otherwise go as
 * far down as they can, or to where the other text has changes too.
 */
function moveChanges(lines: Int32Array, changed: Uint8Array, other: Uint8Array): void {
  const { length } = lines;
  let end = 0;
  let beside = 0;
  for (;;) {
    while (end < length && changed[end] === 0) {
      while (other[beside] === 1) beside++;
      beside++;
      end++;
    }
    if (end === length) return;
    let start = end;
    while (changed[end] === 1) end++;
    while (other[beside] === 1) beside++;
    let matching: number;
    let size: number;
    do {
      size = end - start;
      while (start > 0 && lines[start - 1] === lines[end - 1]) {
        changed[--start] = 1;
        changed[--end] = 0;
        while (changed[start - 1] === 1) start--;
        do beside--;
        while (other[beside] === 1);
      }
      matching = other[beside - 1] === 1 ? end : length;
      while (end < length && lines[start] === lines[end]) {
        changed[start++] = 0;
        changed[end++] = 1;
        while (changed[end] === 1) end++;
        beside++;
        while (other[beside] === 1) {
          beside++;
          matching = end;
        }
      }
    } while (size !== end - start);
    while (matching < end) {
      changed[--start] = 1;
      changed[--end] = 0;
      do beside--;
      while (other[beside] === 1);
    }
  }
}
