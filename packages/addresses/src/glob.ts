/** Literal pieces between the asterisks of a pattern. */
export type Glob = readonly string[];

/** Compiles a pattern in which `*` represents any characters. */
export function globOf(text: string): Glob {
  return text.split('*');
}

/**
 * Matches a whole text. Each piece takes the first place where it fits, so that matching needs no backtracking, as a
 * regular expression with many wildcards would.
 */
export function matchGlob(glob: Glob, text: string): boolean {
  const first = glob[0] ?? '';
  if (glob.length === 1) return text === first;
  const last = glob.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  if (text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of glob.slice(1, -1)) {
    const pieceStart = text.indexOf(piece, at);
    if (pieceStart < 0 || pieceStart + piece.length > end) return false;
    at = pieceStart + piece.length;
  }
  return at <= end;
}
