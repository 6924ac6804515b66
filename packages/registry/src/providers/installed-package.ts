import type { ProviderSource } from '@terrane/addresses';
import type { Environment, FileSystem } from '@terrane/host';
import type { LockedProvider } from '../lock/dependency-lock.ts';
import { isKnownHash, packageMatches } from './package-match.ts';
import { unpackedPlace } from './package-place.ts';
import { currentPlatform } from './platform.ts';

/** A package of a provider, or the reason why the installed one cannot be used. */
export type InstalledPackage =
  | { readonly executable: string; readonly version: string }
  | { readonly problem: string };

/** The installation directory and the target platform. */
export interface InstallationPlace {
  readonly files: FileSystem;
  readonly environment: Environment;
  /** `.terraform`, or TF_DATA_DIR */
  readonly dataDirectory: string;
}

/**
 * Returns the package that `init` has installed for the version in the lock file; undefined if it is missing. If the
 * lock file has checksums of a known scheme, the files of the package must match one of them. A `zh:` checksum is of an
 * archive, which an installed package never matches.
 */
export async function installedPackage(
  { files, environment, dataDirectory }: InstallationPlace,
  source: ProviderSource,
  locked: LockedProvider,
): Promise<InstalledPackage | undefined> {
  const base = `${dataDirectory}/providers`;
  const packagePath = unpackedPlace(base, source, locked.version, currentPlatform(environment));
  if ((await files.stat(packagePath))?.kind !== 'directory') return undefined;
  const lockedHashes = locked.hashes.filter(isKnownHash);
  if (
    lockedHashes.length > 0 &&
    !(await packageMatches(files, { kind: 'directory', path: packagePath }, lockedHashes))
  ) {
    return {
      problem: `the cached package for ${source.text} ${locked.version} (in ${base}) does not match any of the checksums recorded in the dependency lock file`,
    };
  }
  // Packages from a mirror are links into it.
  const directory = await files.realPath(packagePath);
  const executable = await executableIn(files, directory, source);
  return executable === undefined
    ? { problem: `could not find executable file starting with terraform-provider-${source.type}` }
    : { executable, version: locked.version };
}

/** Returns the executable of a provider in a directory; undefined if it is missing. */
export async function executableIn(
  files: FileSystem,
  directory: string,
  source: ProviderSource,
): Promise<string | undefined> {
  const prefix = `terraform-provider-${source.type}`;
  if ((await files.stat(directory))?.kind !== 'directory') return undefined;
  for (const { name, kind } of await files.readDirectory(directory)) {
    if (kind === 'directory' || !name.startsWith(prefix)) continue;
    if (/^(?:[_.]|$)/.test(name.slice(prefix.length))) return `${directory}/${name}`;
  }
  return undefined;
}
