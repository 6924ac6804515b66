// Padding and trimming by the rules of Go's standard library, so that output equals Terraform's.

const ASCII = /^[\x00-\x7f]*$/;

/** Length in UTF-8, as Go's `len`. */
export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : Buffer.byteLength(text, 'utf8');
}

/** Pads with spaces to a number of characters (code points), as Go's `%-*s`. */
export function padRight(text: string, width: number): string {
  if (ASCII.test(text)) return text.padEnd(width);
  let length = 0;
  for (const _ of text) length++;
  return length < width ? text + ' '.repeat(width - length) : text;
}

const OUTER_SPACE =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** Removes white space at both ends, as Go's strings.TrimSpace (a byte order mark is not white space). */
export function trimSpace(text: string): string {
  return text.replace(OUTER_SPACE, '');
}

const TRAILING_SPACE =
  /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;

/** Removes white space at the end, as Go's TrimRightFunc with unicode.IsSpace. */
export function trimSpaceRight(text: string): string {
  return text.replace(TRAILING_SPACE, '');
}
