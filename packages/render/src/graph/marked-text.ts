import { stripVTControlCharacters } from 'node:util';

/** A text of a plan for a page: its lines and their markers. */
export interface MarkedText {
  readonly text: string;
  /** a character for each line: "+" added, "-" removed, "~" changed, " " unmarked */
  readonly marks: string;
}

// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const BEGINNING = /^(?:\u001b\[[\d;]*m|\s)*/;

/** Marks by the color of a sign at the beginning of a line. */
const MARKS: Readonly<Record<string, string>> = { '31': '-', '32': '+', '33': '~' };

/**
 * Splits a colored text into its plain text and a mark for each line. The marks depend on the colors, not on the
 * characters: unchanged lines may start with "-" or "+" too.
 */
export function markedText(coloured: string): MarkedText {
  const lines = coloured.split('\n');
  return { text: stripVTControlCharacters(coloured), marks: lines.map(markOf).join('') };
}

function markOf(line: string): string {
  const beginning = BEGINNING.exec(line)?.[0] ?? '';
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
  const colour = /\u001b\[(\d+)m\s*$/.exec(beginning)?.[1] ?? '';
  const rest = stripVTControlCharacters(line.slice(beginning.length));
  if (/^(?:-\/\+|\+\/-)\s/.test(rest)) return colour in MARKS ? '~' : ' ';
  return /^(?:[-+~])\s/.test(rest) ? (MARKS[colour] ?? ' ') : ' ';
}
