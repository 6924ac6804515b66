import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const LOCK = join(ROOT, 'scripts/aws-schemas/package-lock.json');

/** The package with the schemas of the published provider, where it has been fetched. */
export function publishedPackage(): string | undefined {
  const lock: { readonly packages: Readonly<Record<string, { readonly version: string }>> } =
    JSON.parse(readFileSync(LOCK, 'utf8'));
  const version = lock.packages['node_modules/@cdktf/provider-aws']?.version;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const file = join(cache, 'terrane-servers', 'aws-schemas', `${version}.tgz`);
  return existsSync(file) ? file : undefined;
}

/** Fetches the package. @throws Error where it can't be had */
export function fetchPublishedPackage(): void {
  execFileSync(join(ROOT, 'scripts/install-aws-schemas.sh'), {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/**
 * Unpacks folders of the package into a directory.
 *
 * @returns the directory that holds the folders
 * @throws Error where the package has no folder of a name
 */
export function unpackPublished(file: string, folders: readonly string[], into: string): string {
  const members = folders.map((folder) => `package/lib/${folder}`);
  execFileSync('tar', ['-xzf', file, '-C', into, ...members], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return join(into, 'package', 'lib');
}
