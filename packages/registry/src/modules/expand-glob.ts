import type { FileSystem } from '@terrane/host';
import { quoteText } from '@terrane/cty';
import { FetchFailed } from './fetch/fetch-failed.ts';

/**
 * Returns the only directory or file that a subdirectory pattern matches, with the wildcards of Go's `filepath.Match`.
 * Throws `FetchFailed` if there is none, or more than one.
 */
export async function expandGlob(
  files: FileSystem,
  directory: string,
  subdirectory: string,
): Promise<string> {
  let directories = [directory];
  for (const part of subdirectory.split('/')) {
    if (part === '' || part === '.') continue;
    const next: string[] = [];
    for (const above of directories) next.push(...(await matching(files, above, part)));
    directories = next;
  }
  const [first] = directories;
  if (first === undefined) throw new FetchFailed(`subdir ${quoteText(subdirectory)} not found`);
  if (directories.length > 1) {
    throw new FetchFailed(`subdir ${quoteText(subdirectory)} matches multiple paths`);
  }
  return first;
}

async function matching(
  files: FileSystem,
  directory: string,
  part: string,
): Promise<readonly string[]> {
  if (!/[*?[\\]/.test(part)) {
    const path = `${directory}/${part}`;
    return (await files.stat(path)) === undefined ? [] : [path];
  }
  const pattern = patternOf(part);
  if ((await files.stat(directory))?.kind !== 'directory') return [];
  const entries = await files.readDirectory(directory);
  return entries.filter(({ name }) => pattern.test(name)).map(({ name }) => `${directory}/${name}`);
}

function patternOf(glob: string): RegExp {
  let text = '';
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '*') text += '[^/]*';
    else if (character === '?') text += '[^/]';
    else if (character === '[') {
      const close = glob.indexOf(']', at + 2);
      if (close === -1) throw new FetchFailed('syntax error in pattern');
      const inside = glob.slice(at + 1, close).replaceAll('[', String.raw`\[`);
      text += `[${inside}]`;
      at = close;
    } else {
      if (character === '\\') at += 1;
      text += glob.charAt(at).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    }
  }
  return new RegExp(`^${text}$`, 'su');
}
