const SHORT: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/**
 * Escapes line breaks, sequences for terminals and other unprintable characters as Go's hclog does, so that a text of
 * others can neither forge an entry of a log nor control a terminal that displays it.
 */
export function escaped(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  // All but letters, marks, numbers, punctuation, symbols and the space.
  return text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const short = SHORT[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x20) return `\\x${hex.padStart(2, '0')}`;
    // A surrogate without its pair is no character.
    if (code >= 0xd800 && code < 0xe000) return '\\ufffd';
    return code < 0x1_00_00 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
}

/** Escapes a text of several lines. The lines after the first begin with a bar, so that they are no entries of a log. */
export function escapedLines(text: string): string {
  return text.replace(/\n+$/, '').split('\n').map(escaped).join('\n  | ');
}
