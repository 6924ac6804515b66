// The places at which two texts differ, line by line, so that one of them can be put back.

/** Lines of the later text that stand in place of lines of the earlier one. */
export interface Hunk {
  /** the first line in the later text, from 0, and the one after the last */
  readonly start: number;
  readonly end: number;
  /** what was there */
  readonly lines: readonly string[];
}

/** The hunks that lead from an earlier text to a later one, in order; from nothing every line is one. */
export function hunksOf(before: string, after: string): readonly Hunk[] {
  if (before === '')
    return after.split('\n').map((_, start) => ({ start, end: start + 1, lines: [] }));
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lengths = longest(old, now);
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++;
      j++;
      continue;
    }
    const start = j;
    const lines: string[] = [];
    while (
      (i < old.length || j < now.length) &&
      !(i < old.length && j < now.length && old[i] === now[j])
    ) {
      if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
        lines.push(old[i++] ?? '');
      else j++;
    }
    hunks.push({ start, end: j, lines });
  }
  return hunks;
}

/** The first line of a block says more of where one is than lines that many blocks have. */
function weightOf(line: string): number {
  return /^\S.*\{/.test(line) ? 20 : 1;
}

/** For each pair of positions, how many lines both have in common from there on. */
function longest(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const table: number[][] = Array.from({ length: old.length + 1 }, () =>
    Array.from({ length: now.length + 1 }, () => 0),
  );
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const same = old[i] === now[j];
      const row = table[i];
      if (row === undefined) continue;
      row[j] = same
        ? (table[i + 1]?.[j + 1] ?? 0) + weightOf(old[i] ?? '')
        : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

/** The later text with some hunks put back. */
export function revert(after: string, hunks: readonly Hunk[]): string {
  const lines = after.split('\n');
  for (const { start, end, lines: was } of [...hunks].sort((a, b) => b.start - a.start))
    lines.splice(start, end - start, ...was);
  return lines.join('\n');
}
