import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';

/** Public addresses of the project, of `release.json`, and the version that all packages have. */
export interface Identity {
  /** address of the repository, without a trailing slash */
  readonly repository: string;
  readonly homepage: string;
  /** name and e-mail address for Debian and RPM packages */
  readonly maintainer: string;
  readonly version: string;
}

/** Reads a JSON file of the repository. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

/** Returns the identity of the release. */
export function readIdentity(): Identity {
  const { version } = readJson<{ version: string }>('packages/cli/package.json');
  return { ...readJson<Omit<Identity, 'version'>>('release.json'), version };
}

/** Returns the address where the files of a release are downloaded from. */
export function downloadAddress({ repository, version }: Identity): string {
  return `${repository}/releases/download/v${version}`;
}
