import { cleanPath } from '@terrane/addresses';

/** Returns the directory of a path with forward slashes. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** Returns the last element of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the absolute path of `path` seen from a directory. */
export function resolvePath(directory: string, path: string): string {
  return isAbsolute(path) ? cleanPath(path) : cleanPath(`${directory}/${path}`);
}

/** Returns true for `/…` and `C:/…`. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

/** Returns the path of `target` relative to a directory, beginning with "./" or "../". */
export function relativePath(directory: string, target: string): string {
  const from = directory.split('/').filter((part) => part !== '');
  const to = target.split('/').filter((part) => part !== '');
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common++;
  const up = from.slice(common).map(() => '..');
  const down = to.slice(common);
  return up.length === 0 ? ['.', ...down].join('/') : [...up, ...down].join('/');
}
