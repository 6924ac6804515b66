import { cleanPath } from '@terrane/addresses';
import type { FileSystem } from '@terrane/host';

const MAX_LINKS = 255;

/**
 * Resolves symbolic links like Go's `filepath.EvalSymlinks`: a relative path stays relative unless a link leads to an
 * absolute path. Returns the path of a missing file unchanged.
 */
export function evaluateLinks(files: Pick<FileSystem, 'readLinkSync'>, path: string): string {
  let rest = cleanPath(path).split('/');
  let resolvedPath = path.startsWith('/') ? '/' : '';
  for (let links = 0; rest.length > 0;) {
    const [part = '', ...after] = rest;
    rest = after;
    if (part === '' || part === '.') continue;
    const next = cleanPath(`${resolvedPath === '' ? '.' : resolvedPath}/${part}`);
    const leads = part === '..' ? undefined : files.readLinkSync(next);
    if (leads === undefined) {
      resolvedPath = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return path;
    if (leads.startsWith('/')) resolvedPath = '/';
    rest = [...leads.split('/'), ...rest];
  }
  return resolvedPath === '' ? '.' : resolvedPath;
}
