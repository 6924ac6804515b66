import type { FileSystem } from '@terrane/host';
import { archiveHash, directoryHash } from './package-hash.ts';

/** A package on this machine. */
export interface LocalPackage {
  readonly kind: 'directory' | 'archive';
  readonly path: string;
}

/** Returns whether the scheme of a checksum is one that packages can be verified with. */
export function isKnownHash(hash: string): boolean {
  return /^(?:h1|zh):/.test(hash);
}

/**
 * Returns true if a package has one of the checksums. Each scheme is computed at most once; `zh:` never matches an
 * unpacked package, and unknown schemes never match.
 */
export async function packageMatches(
  files: FileSystem,
  { kind, path }: LocalPackage,
  hashes: readonly string[],
): Promise<boolean> {
  if (kind === 'archive' && hashes.some((hash) => hash.startsWith('zh:'))) {
    if (hashes.includes(await archiveHash(files, path))) return true;
  }
  if (!hashes.some((hash) => hash.startsWith('h1:'))) return false;
  if (kind === 'directory') {
    return hashes.includes(await directoryHash(files, await files.realPath(path)));
  }
  const { zipHash } = await import('./unzip.ts');
  return hashes.includes(await zipHash(files, path));
}
