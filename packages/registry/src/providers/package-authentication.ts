import { quoteText } from '@terrane/cty';
import type { FileSystem } from '@terrane/host';
import type { AuthenticationResult } from './authentication-result.ts';
import { isKnownHash, type LocalPackage, packageMatches } from './package-match.ts';

/** The result of authentication. */
export interface Authenticated {
  readonly result: AuthenticationResult;
  /** checksums of this version's packages, for any platform, that the lock file may record */
  readonly hashes: readonly string[];
  /** verified checksums of this package, which are recorded in addition to the computed one */
  readonly packageHashes?: readonly string[];
}

/** Authenticates a package. Rejects with the reason if that fails. */
export type PackageAuthentication = (
  files: FileSystem,
  localPackage: LocalPackage,
) => Promise<Authenticated>;

/**
 * Holds a package against the checksums that a mirror names. With `trusted`, all of them may be recorded.
 */
export function authenticateByHashes(
  hashes: readonly string[],
  trusted = false,
): PackageAuthentication {
  const knownHashes = hashes.filter(isKnownHash);
  return async (files, localPackage) => {
    if (knownHashes.length === 0) {
      throw new Error(
        'this version of Terraform does not support any of the checksum formats given for this provider',
      );
    }
    if (await packageMatches(files, localPackage, knownHashes)) {
      return { result: { kind: 'checksum' }, hashes: trusted ? hashes : [] };
    }
    const [only] = knownHashes;
    throw new Error(
      knownHashes.length === 1 && only !== undefined
        ? `provider package doesn't match the expected checksum ${quoteText(only)}`
        : "provider package doesn't match the any of the expected checksums",
    );
  };
}
