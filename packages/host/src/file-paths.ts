import { posix, win32 } from 'node:path';
import type { Environment } from './host.ts';

/** Returns Node's path functions for the platform of an environment, which is not always that of this process. */
export function pathsOf({ platform }: Pick<Environment, 'platform'>): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/**
 * Paths by the rules of Go's `path/filepath`, which configurations observe through functions such as `dirname`. Node's
 * own differ: they keep trailing slashes, and consider `\x`, which has no drive, absolute.
 */
export interface GoPaths {
  /** On Windows only a path with a volume: `C:\x`, `\\server\share`. */
  isAbsolute(path: string): boolean;
  clean(path: string): string;
  join(first: string, second: string): string;
  /** The last part; a separator for a root, `.` for an empty path. */
  base(path: string): string;
  /** The path without its last part. */
  directory(path: string): string;
  /** Resolves a path relative to `cwd`. */
  absolute(cwd: string, path: string): string;
  /** Replaces the separators of the platform with forward slashes. */
  toSlash(path: string): string;
}

/** Returns the path rules of Go for a platform. */
export function goPaths({ platform }: Pick<Environment, 'platform'>): GoPaths {
  const windows = platform === 'win32';
  const separator = windows ? '\\' : '/';
  const separators = windows ? /[/\\]/ : /\//;
  const volumeOf = (path: string): string =>
    windows
      ? (/^(?:.:|[/\\]{2}[^/\\]*(?:[/\\][^/\\]*)?)/s.exec(path)?.[0] ?? '').replaceAll('/', '\\')
      : '';
  const isRooted = (path: string): boolean => separators.test(path.charAt(0));
  const isAbsolute = (path: string): boolean => {
    const volume = volumeOf(path);
    return isRooted(volume) || ((!windows || volume !== '') && isRooted(path.slice(volume.length)));
  };
  const clean = (path: string): string => {
    const volume = volumeOf(path);
    const inside = path.slice(volume.length);
    if (inside === '' && isRooted(volume)) return volume;
    const root = isRooted(inside) ? separator : '';
    const parts: string[] = [];
    for (const part of inside.split(separators)) {
      if (part === '' || part === '.') continue;
      if (part !== '..') parts.push(part);
      else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
      else if (root === '') parts.push(part);
    }
    const joined = root + parts.join(separator);
    // If the first part contains a colon after cleaning, it must not be parsed as a drive.
    const guard = windows && volume === '' && root === '' && parts[0]?.includes(':') === true;
    return volume + (guard ? `.${separator}` : '') + (joined === '' ? '.' : joined);
  };
  const join = (first: string, second: string): string => {
    if (first === '' || second === '') return first + second === '' ? '' : clean(first + second);
    return clean(first + separator + second.replace(windows ? /^[/\\]+/ : /^\/+/, ''));
  };
  return {
    isAbsolute,
    clean,
    join,
    base(path) {
      if (path === '') return '.';
      const inside = path.slice(volumeOf(path).length).split(separators);
      return inside.findLast((part) => part !== '') ?? separator;
    },
    directory(path) {
      const volume = volumeOf(path);
      const inside = path.slice(volume.length);
      const parents = clean(
        inside.slice(0, inside.length - (inside.split(separators).at(-1) ?? '').length),
      );
      return parents === '.' && volume.length > 2 ? volume : volume + parents;
    },
    absolute: (cwd, path) =>
      windows ? clean(win32.resolve(cwd, path)) : isAbsolute(path) ? clean(path) : join(cwd, path),
    toSlash: (path) => (windows ? path.replaceAll('\\', '/') : path),
  };
}
