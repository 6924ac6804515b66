import { formatNative, Source } from '@terrane/hcl';

/** A replacement of a span of a text. */
export interface FormatEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the edits that bring a native text into canonical style; none if it has syntax errors. Equal lines at both
 * ends of a change are left alone, and lines that formatting only changes in place are separate edits, so that cursors
 * and markers stay where they are.
 */
export function formatEdits(text: string): readonly FormatEdit[] {
  const { text: formatted } = formatNative(new Source('', text));
  return formatted === text ? [] : lineEdits(text, formatted);
}

/** Edits of whole lines that turn one text into another. */
export function lineEdits(before: string, after: string): readonly FormatEdit[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  if (oldLines.length === newLines.length) {
    const edits: FormatEdit[] = [];
    let at = 0;
    for (const [i, line] of oldLines.entries()) {
      const other = newLines[i] ?? '';
      if (line !== other) edits.push({ start: at, end: at + line.length, text: other });
      at += line.length;
    }
    return edits;
  }
  let first = 0;
  while (first < oldLines.length && first < newLines.length && oldLines[first] === newLines[first])
    first++;
  let last = 0;
  const maxCommon = Math.min(oldLines.length, newLines.length) - first;
  while (
    last < maxCommon &&
    oldLines[oldLines.length - 1 - last] === newLines[newLines.length - 1 - last]
  )
    last++;
  const start = oldLines.slice(0, first).join('').length;
  const removed = oldLines.slice(first, oldLines.length - last).join('');
  const text = newLines.slice(first, newLines.length - last).join('');
  return [{ start, end: start + removed.length, text }];
}

function splitLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}
