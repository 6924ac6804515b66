/** Throws an error that lists the known names if one of the names is unknown. */
export function requireKnown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}; known are ${known.join(', ')}`);
}
