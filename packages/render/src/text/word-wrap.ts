import { displayWidth } from './display-width.ts';

/**
 * Wraps lines to `width` columns, one of which remains empty. Lines that start with a space are code or file names and
 * are not wrapped. A width of 0 or 1 disables wrapping.
 */
export function wordWrap(text: string, width: number): string {
  if (width <= 1) return text;
  return text
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : wrapLine(line, width - 1)))
    .join('\n');
}

const SPACE = /[\t\n\v\f\r \u0085\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/**
 * Wraps a line at white space to parts of at most `limit` characters; a longer word is not split. White space at a
 * break is dropped. As the go-wordwrap library, which counts code points and never breaks at a no-break space. On a
 * terminal, columns are counted.
 */
export function wrapLine(line: string, limit: number, terminal = false): string {
  // Counting UTF-16 units first is safe: there are never more code points, and at most twice as many columns.
  if (line.length * (terminal ? 2 : 1) <= limit) return line;
  const widthOf = terminal ? displayWidth : (): number => 1;
  let result = '';
  let column = 0;
  let word = '';
  let wordLength = 0;
  let space = '';
  let spaceLength = 0;
  for (const char of line) {
    if (SPACE.test(char)) {
      if (space === '' || word !== '') {
        column += spaceLength + wordLength;
        result += space + word;
        space = '';
        spaceLength = 0;
        word = '';
        wordLength = 0;
      }
      space += char;
      spaceLength += widthOf(char);
      continue;
    }
    word += char;
    wordLength += widthOf(char);
    if (column + wordLength + spaceLength > limit && wordLength < limit) {
      result += '\n';
      column = 0;
      space = '';
      spaceLength = 0;
    }
  }
  if (word !== '') return result + space + word;
  return column + spaceLength <= limit ? result + space : result;
}
