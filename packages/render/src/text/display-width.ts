/**
 * Returns the width of a text in terminal columns: two for East Asian wide characters and emoji, none for combining
 * characters and escape sequences. Characters whose width depends on the font count as one, as in most terminals.
 */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text.replace(ESCAPES, ''))) {
    width += graphemeWidth(segment);
  }
  return width;
}

/** Cuts a text to a number of columns, with an ellipsis. Removes escape sequences. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let result = '';
  let width = 0;
  for (const { segment } of graphemes().segment(text.replace(ESCAPES, ''))) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    result += segment;
  }
  return columns < 1 ? '' : `${result}…`;
}

/** Pads a text with spaces to a number of columns. */
export function padToWidth(text: string, columns: number): string {
  const missing = columns - displayWidth(text);
  return missing > 0 ? text + ' '.repeat(missing) : text;
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Colors and other control sequences (CSI), and links (OSC). */
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

let segmenter: Intl.Segmenter | undefined;

function graphemes(): Intl.Segmenter {
  return (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Control}\p{Format}\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u.test(grapheme))
    return 0;
  if (/^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2})/u.test(grapheme))
    return 2;
  return isWide(grapheme.codePointAt(0) ?? 0) ? 2 : 1;
}

/**
 * Ranges of wide and full-width characters, alternately first and last code point, sorted: Unicode 16's
 * EastAsianWidth.txt, without emoji (for which JavaScript has a property), merged across unassigned code points.
 */
const WIDE: readonly number[] = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4dc0, 0x4dff,
  0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f,
  0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18d08, 0x1aff0, 0x1b2fb, 0x1d300, 0x1d376, 0x1f200,
  0x1f265, 0x20000, 0x3fffd,
];

function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  for (let i = 0; i < WIDE.length; i += 2) {
    if (code < (WIDE[i] ?? 0)) return false;
    if (code <= (WIDE[i + 1] ?? 0)) return true;
  }
  return false;
}
