import type { Workspace } from '../access/place.ts';

/** Returns true if changed files are to start a run of a workspace; `undefined` files are unknown ones. */
export function isTriggered(
  { settings }: Pick<Workspace, 'settings'>,
  files: readonly string[] | undefined,
): boolean {
  if (settings['file-triggers-enabled'] === false || files === undefined) return true;
  const texts = (name: string): readonly string[] => {
    const value = settings[name];
    return Array.isArray(value) ? value.map(String).filter((each) => each !== '') : [];
  };
  const patterns = texts('trigger-patterns');
  if (patterns.length > 0) {
    return files.some((file) => patterns.some((pattern) => matches(pattern, file)));
  }
  const directory = settings['working-directory'];
  const prefixes = [
    ...(typeof directory === 'string' && directory !== '' ? [directory] : []),
    ...texts('trigger-prefixes'),
  ].map((prefix) => prefix.replaceAll(/^\/+|\/+$/g, ''));
  if (prefixes.length === 0) return true;
  return files.some((file) =>
    prefixes.some((prefix) => file === prefix || file.startsWith(`${prefix}/`)),
  );
}

/**
 * Returns true if a path matches a pattern, in which `*` matches within a name and `**` matches any names. The
 * cost is at most proportional to the product of their lengths.
 */
export function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.replace(/^\/+/, '').split('/');
  const names = path.split('/');
  // reached[i]: the patterns so far match the first i names.
  let reached = names.map(() => false);
  reached = [true, ...reached];
  for (const each of patternParts) {
    const next = reached.map(() => false);
    for (let index = 0; index < reached.length; index++) {
      if (each === '**') {
        next[index] = reached[index] === true || (index > 0 && next[index - 1] === true);
      } else if (index > 0) {
        next[index] = reached[index - 1] === true && matchesName(each, names[index - 1] ?? '');
      }
    }
    reached = next;
  }
  return reached.at(-1) === true;
}

function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const partStart = name.indexOf(part, at);
    if (partStart < 0) return false;
    at = partStart + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
