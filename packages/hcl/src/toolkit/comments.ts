import { Range } from '../source/source.ts';
import type { NativeAttribute } from '../syntax/attribute-list.ts';
import type { NativeBlock } from '../syntax/native-body.ts';
import { Token, type TokenList } from '../syntax/tokens.ts';

/** A comment with its range. */
export interface Comment {
  /** `#` and `//` extend to the end of the line, `/* *\/` may occur anywhere */
  readonly kind: 'line' | 'block';
  /** the text between the markers, trimmed */
  readonly text: string;
  /** including its markers, without the newline */
  readonly range: Range;
}

/** The comments of an attribute or a block. */
export interface ItemComments {
  /** the comments on the lines directly above the item, and before it on its line */
  readonly leading: readonly Comment[];
  /** the comment after the opening brace of a block, on the same line */
  readonly header: Comment | undefined;
  /** the comment after the item, on its last line */
  readonly trailing: Comment | undefined;
}

/** The comments among tokens, in order. */
export function commentsIn(tokens: TokenList): Comment[] {
  const comments: Comment[] = [];
  const { text } = tokens.source;
  for (let i = 0; i < tokens.length; i++) {
    if (tokens.types[i] !== Token.Comment) continue;
    const start = tokens.starts[i] ?? 0;
    const end = tokens.ends[i] ?? 0;
    const block = text.startsWith('/*', start);
    const last = block ? end : lineEnd(text, end);
    const from = start + (text.charCodeAt(start) === 0x23 ? 1 : 2);
    comments.push({
      kind: block ? 'block' : 'line',
      text: text.slice(from, block ? end - 2 : last).trim(),
      range: new Range(tokens.source, start, last),
    });
  }
  return comments;
}

/** Returns the end of a line without its newline; `end` includes it. */
function lineEnd(text: string, end: number): number {
  if (text.charCodeAt(end - 1) !== 0x0a) return end;
  return text.charCodeAt(end - 2) === 0x0d ? end - 2 : end - 1;
}

/** The comments of an item, out of all comments of its file in order. */
export function itemComments(
  comments: readonly Comment[],
  item: NativeAttribute | NativeBlock,
): ItemComments {
  const { range } = item;
  const { text } = range.source;
  const at = firstFrom(comments, range.start);
  const leading: Comment[] = [];
  let start = range.start;
  for (let i = at - 1; i >= 0; i--) {
    const comment = comments[i];
    if (comment === undefined || !isJustAbove(text, comment, start)) break;
    start = comment.range.start;
    leading.unshift(comment);
  }
  // A comment after other text on its line belongs to that text.
  while (leading[0] !== undefined && !isFirstOnLine(text, leading[0], range.start)) leading.shift();
  return {
    leading,
    header: 'openBraceRange' in item ? sameLine(comments, item.openBraceRange.end) : undefined,
    trailing: sameLine(comments, range.end),
  };
}

/** Returns true if a comment and an offset are separated only by white space without an empty line. */
export function isJustAbove(text: string, comment: Comment, start: number): boolean {
  const between = text.slice(comment.range.end, start);
  return /^[ \t]*(?:\r?\n[ \t]*)?$/.test(between);
}

function isFirstOnLine(text: string, comment: Comment, itemStart: number): boolean {
  const line = text.lastIndexOf('\n', comment.range.start - 1) + 1;
  if (/^[\uFEFF \t]*$/.test(text.slice(line, comment.range.start))) return true;
  // On the item's own line only other comments may precede it.
  return text.indexOf('\n', comment.range.end) > itemStart && /^[ \t]*\/\*/.test(text.slice(line));
}

function sameLine(comments: readonly Comment[], end: number): Comment | undefined {
  const comment = comments[firstFrom(comments, end)];
  if (comment === undefined) return undefined;
  const between = comment.range.source.text.slice(end, comment.range.start);
  return /^[ \t]*$/.test(between) ? comment : undefined;
}

/** The index of the first comment that starts at or after an offset. */
export function firstFrom(comments: readonly Comment[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.range.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
