/** Lines of context around a difference. */
const CONTEXT = 3;

type Line = { readonly kind: ' ' | '-' | '+'; readonly text: string };

/** The differences between two texts as `diff -u` writes them; undefined where there are none. */
export function unifiedDifference(
  before: string,
  after: string,
  names: { readonly before: string; readonly after: string },
): string | undefined {
  if (before === after) return undefined;
  const lines = difference(linesOf(before), linesOf(after));
  let result = `--- ${names.before}\n+++ ${names.after}\n`;
  for (const [from, to] of hunks(lines)) result += hunkText(lines, from, to);
  return result;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => `${line}\n`);
  const last = lines.pop() ?? '';
  if (last !== '\n') lines.push(`${last.slice(0, -1)}\n\\ No newline at end of file\n`);
  return lines;
}

/** The shortest edit script (Myers), on what is left between the equal beginning and the equal end. */
function difference(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++;
  const same = (text: string): Line => ({ kind: ' ', text });
  return [
    ...a.slice(0, start).map(same),
    ...myers(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function myers(a: readonly string[], b: readonly string[]): Line[] {
  const max = a.length + b.length;
  const furthest = new Map<number, number>([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let d = 0; d <= max; d++) {
    history.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(furthest, k - 1) < at(furthest, k + 1));
      let x = down ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest.set(k, x);
      if (x >= a.length && y >= b.length) return trace(a, b, history);
    }
  }
  return [];
}

function trace(
  a: readonly string[],
  b: readonly string[],
  history: readonly Map<number, number>[],
): Line[] {
  const lines: Line[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = history.length - 1; d >= 0; d--) {
    const furthest = history[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && at(furthest, k - 1) < at(furthest, k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(furthest, fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY && a[x - 1] === b[y - 1]) {
      lines.push({ kind: ' ', text: a[--x] ?? '' });
      y--;
    }
    if (d === 0) break;
    if (down) lines.push({ kind: '+', text: b[--y] ?? '' });
    else lines.push({ kind: '-', text: a[--x] ?? '' });
  }
  return lines.reverse();
}

function at(furthest: ReadonlyMap<number, number>, k: number): number {
  return furthest.get(k) ?? -1;
}

/** Ranges of lines around differences; ranges that would touch are one. */
function hunks(lines: readonly Line[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind === ' ') continue;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + 1 + CONTEXT);
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

function hunkText(lines: readonly Line[], from: number, to: number): string {
  const before = lines.slice(0, from);
  const inside = lines.slice(from, to);
  const oldStart = before.filter((line) => line.kind !== '+').length;
  const newStart = before.filter((line) => line.kind !== '-').length;
  const oldCount = inside.filter((line) => line.kind !== '+').length;
  const newCount = inside.filter((line) => line.kind !== '-').length;
  const header = `@@ -${span(oldStart, oldCount)} +${span(newStart, newCount)} @@\n`;
  return header + inside.map((line) => line.kind + line.text).join('');
}

function span(start: number, count: number): string {
  const line = count === 0 ? start : start + 1;
  return count === 1 ? String(line) : `${line},${count}`;
}
