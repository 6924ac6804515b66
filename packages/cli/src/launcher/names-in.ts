import { readdirSync } from 'node:fs';

/** Returns the names in a directory; undefined if it cannot be read. */
export function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}
