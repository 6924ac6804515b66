/**
 * Splits a text into words as a POSIX shell does, without expansions, for `TF_CLI_ARGS`. Returns undefined if a quote
 * is not closed.
 */
export function shellWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word = '';
  let inWord = false;
  let quote = '';
  let escaped = false;
  for (const char of text) {
    if (escaped) {
      word += char;
      escaped = false;
      inWord = true;
    } else if (char === '\\' && quote !== "'") {
      escaped = true;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      inWord = true;
    } else if (/\s/.test(char)) {
      if (inWord) words.push(word);
      word = '';
      inWord = false;
    } else {
      word += char;
      inWord = true;
    }
  }
  if (quote !== '' || escaped) return undefined;
  if (inWord) words.push(word);
  return words;
}
