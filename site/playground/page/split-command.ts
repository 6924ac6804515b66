/** Splits a command line into words, with single and double quotes as in a shell. */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  const pattern = /(?:"((?:\\.|[^"\\])*)"|'([^']*)'|((?:\\.|[^\s"'\\])+))(\s*)/gy;
  let word = '';
  let text = line.trim();
  // An open quote is part of the word.
  for (;;) {
    const match = pattern.exec(text);
    if (match === null) break;
    const [, double, single, plain, space = ''] = match;
    word += single ?? (double ?? plain ?? '').replace(/\\(.)/g, '$1');
    if (space !== '' || pattern.lastIndex === text.length) {
      words.push(word);
      word = '';
    }
    text = text.slice(pattern.lastIndex);
    pattern.lastIndex = 0;
  }
  if (word + text !== '') words.push(word + text);
  return words;
}
