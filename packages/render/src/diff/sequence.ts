/**
 * The longest table of the alignment, in cells of one byte. Past it (two texts of 16,000 wholly
 * different lines) elements are aligned only where they occur once on both sides.
 */
const TABLE_LIMIT = 1 << 28;

const DIAGONAL = 1;
const LEFT = 2;

/**
 * Pairs the elements of two sequences, given as keys that are equal for equal elements, and calls `pair` in display
 * order; a position equal to the length represents no element. Sequences of equal length that are not permutations of
 * each other are paired by position, all others along their longest common subsequence, as in Terraform. `isObject`:
 * unequal elements at these positions may be paired, because their attributes can be compared.
 */
export function pairSequences(
  before: readonly string[],
  after: readonly string[],
  isObject: (beforeIndex: number, afterIndex: number) => boolean,
  pair: (beforeIndex: number, afterIndex: number) => void,
): void {
  if (before.length === after.length && !isReorder(before, after)) {
    for (let i = 0; i < before.length; i++) pair(i, i);
    return;
  }
  alignSequences(before, after, isObject, pair);
}

/** Variant of {@link pairSequences} that aligns along the longest common subsequence even for equal lengths. */
export function alignSequences(
  before: readonly string[],
  after: readonly string[],
  isObject: (beforeIndex: number, afterIndex: number) => boolean,
  pair: (beforeIndex: number, afterIndex: number) => void,
): void {
  const common = commonSubsequence(before, after);
  let b = 0;
  let a = 0;
  let c = 0;
  while (b < before.length || a < after.length || c < common.length) {
    const next = common[c];
    while (b < before.length && (next === undefined || before[b] !== next)) {
      if (a < after.length && (next === undefined || after[a] !== next) && isObject(b, a)) {
        pair(b, a);
        b++;
        a++;
        continue;
      }
      pair(b, after.length);
      b++;
    }
    while (a < after.length && (next === undefined || after[a] !== next)) {
      pair(before.length, a);
      a++;
    }
    if (next !== undefined) {
      pair(b, a);
      b++;
      a++;
      c++;
    }
  }
}

/** Returns true if every element of `before` is found in `after`; both have one length. */
function isReorder(before: readonly string[], after: readonly string[]): boolean {
  const afterKeys = new Set(after);
  return before.every((key) => afterKeys.has(key));
}

/**
 * Returns the longest common subsequence; of several, the one that Terraform's algorithm finds: common prefixes and
 * suffixes are removed first, since that algorithm matches them too.
 */
function commonSubsequence(before: readonly string[], after: readonly string[]): readonly string[] {
  let start = 0;
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > 0 && afterEnd > 0 && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--;
    afterEnd--;
  }
  while (start < beforeEnd && start < afterEnd && before[start] === after[start]) start++;
  const middle = inTable(before.slice(start, beforeEnd), after.slice(start, afterEnd));
  return [...before.slice(0, start), ...middle, ...before.slice(beforeEnd)];
}

function inTable(xs: readonly string[], ys: readonly string[]): readonly string[] {
  const width = xs.length;
  const height = ys.length;
  if (width === 0 || height === 0) return [];
  if (width * height > TABLE_LIMIT) return uniqueSubsequence(xs, ys);
  const numbers = new Map<string, number>();
  const x = numberKeys(xs, numbers);
  const y = numberKeys(ys, numbers);
  // One row of lengths suffices, but backtracking needs a direction per cell.
  const lengths = new Uint32Array(width);
  const directions = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const yKey = y[row];
    let diagonal = 0;
    let left = 0;
    for (let column = 0; column < width; column++) {
      const up = lengths[column] ?? 0;
      let length: number;
      if (x[column] === yKey) {
        length = diagonal + 1;
        directions[row * width + column] = DIAGONAL;
      } else if (left > up) {
        length = left;
        directions[row * width + column] = LEFT;
      } else {
        length = up;
      }
      lengths[column] = length;
      diagonal = up;
      left = length;
    }
  }
  const result: string[] = [];
  let column = width - 1;
  let row = height - 1;
  while (column >= 0 && row >= 0) {
    const direction = directions[row * width + column];
    if (direction === DIAGONAL) {
      const key = xs[column];
      if (key !== undefined) result.push(key);
      column--;
      row--;
    } else if (direction === LEFT) {
      column--;
    } else {
      row--;
    }
  }
  return result.reverse();
}

function numberKeys(keys: readonly string[], numbers: Map<string, number>): Uint32Array {
  return Uint32Array.from(keys, (key) => {
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
    }
    return number;
  });
}

/** The longest common subsequence of the elements that occur once on both sides. */
function uniqueSubsequence(xs: readonly string[], ys: readonly string[]): readonly string[] {
  const positions = uniquePositions(ys);
  const subsequence: number[] = [];
  for (const key of uniquePositions(xs).keys()) {
    const position = positions.get(key);
    if (position !== undefined) subsequence.push(position);
  }
  return increasing(subsequence).map((position) => ys[position] ?? '');
}

function uniquePositions(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const result = new Map<string, number>();
  keys.forEach((key, i) => {
    if (counts.get(key) === 1) result.set(key, i);
  });
  return result;
}

/** A longest increasing subsequence, by piles. */
function increasing(values: readonly number[]): readonly number[] {
  const tops: number[] = [];
  const previous = new Int32Array(values.length).fill(-1);
  values.forEach((value, i) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tops[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[i] = tops[low - 1] ?? -1;
    tops[low] = i;
  });
  const result: number[] = [];
  for (let i = tops.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) result.push(values[i] ?? 0);
  return result.reverse();
}

/**
 * Pairs the elements of two sets: equal ones at their old positions, followed by new elements. A key of `undefined`
 * never equals another (its element is not wholly known). Linear, with the same result as Terraform's comparison of
 * every pair.
 */
export function pairSets(
  before: readonly string[],
  after: readonly (string | undefined)[],
  pair: (beforeIndex: number, afterIndex: number) => void,
): void {
  const open = new Map<string, number[]>();
  after.forEach((key, i) => {
    if (key === undefined) return;
    const positions = open.get(key);
    if (positions === undefined) open.set(key, [i]);
    else positions.push(i);
  });
  const isPaired = new Uint8Array(after.length);
  before.forEach((key, i) => {
    const positions = open.get(key);
    if (positions === undefined) {
      pair(i, after.length);
      return;
    }
    open.delete(key);
    for (const position of positions) isPaired[position] = 1;
    pair(i, positions.at(-1) ?? after.length);
  });
  for (let i = 0; i < after.length; i++) if (isPaired[i] !== 1) pair(before.length, i);
}
