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
