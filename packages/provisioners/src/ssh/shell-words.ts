/** Quotes the words of a command for a shell of the platform. */
export function shellWords(words: readonly string[], platform: 'unix' | 'windows'): string {
  return words.map(platform === 'unix' ? posixWord : windowsWord).join(' ');
}

function posixWord(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Backslashes count twice before a quotation mark only (CommandLineToArgvW). */
function windowsWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.replaceAll(
    /(\\*)("|$)/g,
    (_all, slashes: string, mark: string) =>
      `${slashes}${slashes}${mark === '' ? '' : String.raw`\"`}`,
  )}"`;
}
