import { compareText, CtyError, quoteText } from '@terrane/cty';
import type { FileSystem } from '@terrane/host';
import { posix } from 'node:path';

/** A path segment of a pattern: `**`, or the expression that a name must match. */
type Segment = { readonly kind: 'any' } | { readonly kind: 'name'; readonly pattern: RegExp };

/**
 * Returns the regular files under `root` that match a pattern, as sorted paths relative to `root`. The pattern supports
 * `*`, `?`, `[...]` and `{a,b}` within a name, and `**` for any number of directories.
 */
export function globFiles(
  files: Pick<FileSystem, 'readDirectorySync' | 'statSync'>,
  root: string,
  pattern: string,
): string[] {
  const prefix = root === '/' ? root : `${root}/`;
  const isInside = root === '.' || pattern.startsWith(prefix);
  // For a pattern outside of the root, the search starts in the longest directory prefix without special characters.
  const base = isInside ? root : (/^[^*?[{\\]*(?=\/)/.exec(pattern)?.[0] ?? '.');
  const relativePattern =
    base === '.' ? pattern : pattern.slice(base === '/' ? 1 : base.length + 1);
  const matches = new Set<string>();
  for (const alternative of expandBraces(relativePattern)) {
    const segments = alternative.split('/').map((part) => segmentOf(part, pattern));
    search(files, base === '' ? '/' : base, '', segments, 0, matches);
  }
  if (!isInside) {
    return Array.from(matches, (match) => posix.relative(root, `${base}/${match}`)).sort(
      compareText,
    );
  }
  return [...matches].sort(compareText);
}

function segmentOf(part: string, pattern: string): Segment {
  if (part === '**') return { kind: 'any' };
  return { kind: 'name', pattern: namePattern(part, pattern) };
}

function search(
  files: Pick<FileSystem, 'readDirectorySync' | 'statSync'>,
  base: string,
  path: string,
  segments: readonly Segment[],
  at: number,
  matches: Set<string>,
): void {
  const segment = segments[at];
  if (segment === undefined) return;
  const directory = path === '' ? base : `${base}/${path}`;
  const isLast = at === segments.length - 1;
  let names: readonly string[];
  try {
    names = files.readDirectorySync(directory).map((entry) => entry.name);
  } catch {
    return;
  }
  if (segment.kind === 'any' && !isLast) search(files, base, path, segments, at + 1, matches);
  for (const name of names) {
    if (segment.kind === 'name' && !segment.pattern.test(name)) continue;
    const inner = path === '' ? name : `${path}/${name}`;
    const kind = files.statSync(`${base}/${inner}`)?.kind;
    if (kind === 'directory') {
      if (segment.kind === 'any') search(files, base, inner, segments, at, matches);
      else if (!isLast) search(files, base, inner, segments, at + 1, matches);
    } else if (kind === 'file' && isLast) matches.add(inner);
  }
}

/** The maximum number of alternatives of the braces in a pattern. */
const MAX_ALTERNATIVES = 10_000;

/** Expands `{a,b}` into all combinations of alternatives. */
function expandBraces(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  let depth = 0;
  const commas: number[] = [];
  for (let i = open; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '{') depth++;
    else if (character === ',' && depth === 1) commas.push(i);
    else if (character === '}' && --depth === 0) {
      const cuts = [open, ...commas, i];
      const rests = expandBraces(pattern.slice(i + 1));
      const choices = cuts
        .slice(0, -1)
        .flatMap((comma, j) => expandBraces(pattern.slice(comma + 1, cuts[j + 1])));
      if (choices.length * rests.length > MAX_ALTERNATIVES) {
        throw new CtyError(`the pattern has more than ${MAX_ALTERNATIVES} alternatives in braces`);
      }
      return choices.flatMap((choice) =>
        rests.map((rest) => pattern.slice(0, open) + choice + rest),
      );
    }
  }
  throw badPattern(pattern);
}

function badPattern(pattern: string): CtyError {
  const displayPattern = pattern.length > 200 ? `${pattern.slice(0, 200)}...` : pattern;
  return new CtyError(
    `failed to glob pattern ${quoteText(displayPattern)}: syntax error in pattern`,
  );
}

/** The maximum length of a pattern segment. File names are shorter, and the runtime rejects very long expressions. */
const MAX_SEGMENT_LENGTH = 4096;

function namePattern(part: string, pattern: string): RegExp {
  if (part.length > MAX_SEGMENT_LENGTH) throw badPattern(pattern);
  let source = '';
  for (let i = 0; i < part.length; i++) {
    const character = part[i] ?? '';
    if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const close = part.indexOf(']', i + 2);
      if (close < 0) throw badPattern(pattern);
      const inner = part.slice(i + 1, close).replace(/^[!^]/, '^');
      source += `[${inner.replaceAll('\\', '\\\\').replaceAll('[', '\\[')}]`;
      i = close;
    } else if (character === '\\') {
      i++;
      source += escape(part[i] ?? '');
    } else source += escape(character);
  }
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    // For example, a character class with an invalid range.
    throw badPattern(pattern);
  }
}

function escape(character: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
