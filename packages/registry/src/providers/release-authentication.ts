import { quoteText } from '@terrane/cty';
import type { Clock, Environment, FileSystem } from '@terrane/host';
import type { PackageAuthentication } from './package-authentication.ts';
import { archiveHash } from './package-hash.ts';
import { isKnownHash } from './package-match.ts';
import { type Platform, platformText } from './platform.ts';
import type { SigningKey } from './signature.ts';

/** The metadata of a release that its archive is verified against. */
export interface Release {
  /** SHA256SUMS */
  readonly document: Uint8Array;
  /** detached, of the document */
  readonly signature: Uint8Array;
  readonly filename: string;
  /** SHA-256 in hexadecimal digits, lower case */
  readonly sum: string;
  readonly keys: readonly SigningKey[];
  /** the packages of all platforms according to the registry; empty if it does not list them */
  readonly packages: RegistryPackages;
  readonly platform: Platform;
  /** the host of the registry */
  readonly registry: string;
  readonly environment: Pick<Environment, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Checksums and sizes of the packages of a version, by platform (`linux_amd64`). */
export type RegistryPackages = ReadonlyMap<
  string,
  { readonly hashes: readonly string[]; readonly size: number }
>;

/** The registry that serves most providers without keys. */
const OPENTOFU_REGISTRY = 'registry.opentofu.org';

/**
 * Verifies an archive against the data of its registry: its name and checksum against the list of checksums, and the
 * list against its signature. OpenTofu's registry may have no keys: then the list is trusted, as in OpenTofu, unless
 * OPENTOFU_ENFORCE_GPG_VALIDATION is `true`.
 */
export function authenticateRelease(release: Release): PackageAuthentication {
  const { document, signature, filename, sum, keys, registry, environment, clock } = release;
  const list = new TextDecoder().decode(document);
  return async (files, localPackage) => {
    checkList(list, filename, sum);
    if (localPackage.kind !== 'archive') {
      throw new Error(`cannot check archive hash for non-archive location ${localPackage.path}`);
    }
    const hash = await archiveHash(files, localPackage.path);
    if (hash !== `zh:${sum}`) {
      throw new Error(`archive has incorrect checksum ${hash} (expected zh:${sum})`);
    }
    await checkPackage(release, files, localPackage.path);
    const listed = hashesIn(list);
    const enforced = environment.get('OPENTOFU_ENFORCE_GPG_VALIDATION') === 'true';
    // These are not signed. They are recorded if no signature is required, as in OpenTofu.
    const unsigned =
      registry === OPENTOFU_REGISTRY && !enforced
        ? [...release.packages.values()].flatMap((each) => each.hashes.filter(isKnownHash))
        : [];
    const hashes = [...(listed.length > 0 ? listed : [hash]), ...unsigned];
    if (keys.length === 0 && registry === OPENTOFU_REGISTRY && !enforced) {
      return { result: { kind: 'checksum' }, hashes };
    }
    // Loaded on demand, because it is large.
    const { verifyRelease } = await import('./signature.ts');
    const expiredKeys =
      environment.get('OPENTOFU_ENFORCE_GPG_EXPIRATION') === 'true' ? 'refused' : 'accepted';
    const options = { now: clock.now(), expiredKeys } as const;
    return { result: await verifyRelease(document, signature, keys, options), hashes };
  };
}

/** Verifies a package against the registry's data about the packages of all platforms, as OpenTofu 1.12 does. */
async function checkPackage(
  { packages, platform, sum }: Release,
  files: FileSystem,
  path: string,
): Promise<void> {
  if (packages.size === 0) return;
  const expectedPackage = packages.get(platformText(platform));
  if (expectedPackage === undefined) {
    throw new Error(
      `registry response missing package with platform ${quoteText(platformText(platform))}`,
    );
  }
  if (expectedPackage.size <= 0)
    throw new Error(`registry response has invalid package size ${expectedPackage.size}`);
  const size = (await files.stat(path))?.size ?? 0;
  if (size !== expectedPackage.size) {
    throw new Error(
      `registry response indicates a package of size ${expectedPackage.size}, but received a package of size ${size}`,
    );
  }
  const archives = expectedPackage.hashes.filter((each) => each.startsWith('zh:'));
  if (archives.length === 0) {
    throw new Error(
      'registry response does not contain matching sha256sum package entry and is invalid',
    );
  }
  for (const each of archives) {
    if (each === `zh:${sum}`) continue;
    throw new Error(
      `registry response expected sha256sum is ${quoteText(sum)}, which does not match the platform's value of ${quoteText(each.slice(3))}`,
    );
  }
}

function checkList(list: string, filename: string, sum: string): void {
  const line = list
    .split('\n')
    .map((each) => each.trim().split(/\s+/))
    .find((fields) => fields[1] === filename);
  const listed = line?.[0];
  if (listed === undefined) {
    throw new Error(`checksum list has no SHA-256 hash for ${quoteText(filename)}`);
  }
  if (!/^[0-9a-fA-F]{64}$/.test(listed)) {
    throw new Error(`checksum list has invalid SHA256 hash ${quoteText(listed)}`);
  }
  if (listed.toLowerCase() !== sum) {
    throw new Error(
      `checksum list has unexpected SHA-256 hash ${listed.toLowerCase()} (expected ${sum})`,
    );
  }
}

/** Returns the `zh:` checksums of a list; empty if it is malformed. */
function hashesIn(list: string): string[] {
  const hashes: string[] = [];
  for (const line of list.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const [sum = ''] = fields;
    if (sum === '') continue;
    if (fields.length < 2 || !/^[0-9a-fA-F]{64}$/.test(sum)) return [];
    hashes.push(`zh:${sum.toLowerCase()}`);
  }
  return hashes;
}
