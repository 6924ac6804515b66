import { changedLines } from './line-matching.ts';

/** Lines of context around a difference. */
const CONTEXT = 3;

type Line = { readonly kind: ' ' | '-' | '+'; readonly text: string };

/** Returns the differences between two texts in the format of `diff -u`; undefined if they are equal. */
export function unifiedDifference(
  before: string,
  after: string,
  names: { readonly before: string; readonly after: string },
): string | undefined {
  if (before === after) return undefined;
  // The message of `diff` for binary files.
  if (looksBinary(before) || looksBinary(after))
    return `Binary files ${names.before} and ${names.after} differ\n`;
  const lines = difference(linesOf(before), linesOf(after));
  const pieces = [`--- ${names.before}\n+++ ${names.after}\n`];
  let [oldLine, newLine, at] = [0, 0, 0];
  for (const [from, to] of hunks(lines)) {
    // Lines between hunks are in both texts.
    oldLine += from - at;
    newLine += from - at;
    const inside = lines.slice(from, to);
    const oldCount = inside.filter((line) => line.kind !== '+').length;
    const newCount = inside.filter((line) => line.kind !== '-').length;
    pieces.push(`@@ -${span(oldLine, oldCount)} +${span(newLine, newCount)} @@\n`);
    for (const { kind, text } of inside) pieces.push(kind, text);
    oldLine += oldCount;
    newLine += newCount;
    at = to;
  }
  return pieces.join('');
}

/** Returns true if a text is likely binary, judging by its start. */
function looksBinary(text: string): boolean {
  const beginning = new TextEncoder().encode(text.slice(0, 4096));
  return beginning.subarray(0, 4096).includes(0);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => `${line}\n`);
  const last = lines.pop() ?? '';
  if (last !== '\n') lines.push(`${last.slice(0, -1)}\n\\ No newline at end of file\n`);
  return lines;
}

/** Merges the lines of both texts into one list. In each change, removed lines precede added ones. */
function difference(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  // Some equal lines at the ends are included, because changes may move across them.
  start = Math.max(0, start - CONTEXT);
  end = Math.max(0, end - CONTEXT);
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines.slice(start, lines.length - end), (line) => {
      const existing = numbers.get(line) ?? numbers.size;
      numbers.set(line, existing);
      return existing;
    });
  const inside = [numbered(a), numbered(b)] as const;
  const [removedLines, addedLines] = changedLines(inside, numbers.size);
  const result: Line[] = [];
  let [x, y] = [0, 0];
  while (x < a.length || y < b.length) {
    if (removedLines[x - start] === 1) result.push({ kind: '-', text: a[x++] ?? '' });
    else if (addedLines[y - start] === 1) result.push({ kind: '+', text: b[y++] ?? '' });
    else {
      result.push({ kind: ' ', text: a[x++] ?? '' });
      y++;
    }
  }
  return result;
}

/** Returns the line ranges of the hunks. Hunks that overlap or touch are merged. */
function hunks(lines: readonly Line[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind === ' ') continue;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + 1 + CONTEXT);
    const last = ranges.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}

function span(start: number, count: number): string {
  const line = count === 0 ? start : start + 1;
  return count === 1 ? String(line) : `${line},${count}`;
}
