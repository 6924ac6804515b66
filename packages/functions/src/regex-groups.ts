// Names of groups in patterns. Go allows several groups with one name, which the regular expression library rejects.

/** A pattern whose group names are unique. */
export interface NamedApart {
  readonly pattern: string;
  /** The original names of renamed groups, by their new names. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Matches text without groups inside, or the beginning of a named group. */
const PART = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]?|\(\?P?<(\w+)>/g;

/** Renames groups that repeat the name of an earlier group. */
export function namedApart(pattern: string): NamedApart {
  const seen = new Set<string>();
  const renamed = new Map<string, string>();
  const changed = pattern.replaceAll(PART, (part, name?: string) => {
    if (name === undefined) return part;
    if (!seen.has(name)) {
      seen.add(name);
      return part;
    }
    let other = `${name}_`;
    while (seen.has(other) || pattern.includes(`<${other}>`)) other += '_';
    seen.add(other);
    renamed.set(other, name);
    return part.replace(`<${name}>`, `<${other}>`);
  });
  return { pattern: changed, renamed };
}
