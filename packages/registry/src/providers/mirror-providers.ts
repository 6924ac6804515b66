import { compareProviderSources, type ProviderSource } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { type Host, userErrorText } from '@terrane/host';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import type { ProviderLocks } from '../lock/dependency-lock.ts';
import { allowsVersion, constraintsText } from '../versions/provider-constraints.ts';
import type { AuthenticationResult } from './authentication-result.ts';
import { IMPLIED_HOST, registryOf } from './default-registry.ts';
import { download } from './download.ts';
import { type FoundPackage, searchDirectory } from './filesystem-mirror.ts';
import type { RequiredProvider } from './install-options.ts';
import { readConstraints } from './required-constraints.ts';
import { packedPlace } from './package-place.ts';
import type { PackageMeta } from './package-source.ts';
import { type Platform, platformText } from './platform.ts';
import { RegistrySource } from './registry-source.ts';

/** Events of mirroring. */
export type MirrorEvent =
  | { readonly kind: 'skipping'; readonly provider: ProviderSource }
  | { readonly kind: 'mirroring'; readonly provider: ProviderSource }
  | {
      readonly kind: 'selected';
      readonly provider: ProviderSource;
      readonly version: string;
      /** "to match dependency lock file", "to meet constraints …", "with no constraints" */
      readonly reason: 'lock' | 'constraints' | 'none';
      readonly constraints: string;
    }
  | {
      readonly kind: 'downloading';
      readonly provider: ProviderSource;
      readonly version: string;
      readonly platform: Platform;
    }
  | {
      readonly kind: 'authenticated';
      readonly provider: ProviderSource;
      readonly version: string;
      readonly platform: Platform;
      readonly result: AuthenticationResult;
    };

/** Options of mirroring. */
export interface MirrorProvidersOptions {
  readonly host: Host;
  readonly services: ServiceDirectory;
  readonly required: ReadonlyMap<ProviderSource, RequiredProvider>;
  /** selected versions; undefined with `-lock-file=false` */
  readonly lock: ProviderLocks | undefined;
  readonly platforms: readonly Platform[];
  /** the directory */
  readonly target: string;
  readonly defaultRegistry?: string | undefined;
  readonly events?: (event: MirrorEvent) => void;
  readonly signal?: AbortSignal;
}

/**
 * Downloads provider archives from their registries into a directory and writes the indexes of a network mirror, as
 * `providers mirror` does. Returns the errors; successfully mirrored packages are kept.
 */
export async function mirrorProviders(options: MirrorProvidersOptions): Promise<Diagnostic[]> {
  const { required, services, defaultRegistry } = options;
  const constraints = readConstraints(required);
  if ('diagnostics' in constraints) return [...constraints.diagnostics];
  const source = new RegistrySource({
    services,
    hostOf: registryOf(
      defaultRegistry,
      (provider) =>
        required.get(provider)?.explicitHost === true || services.isOverridden(IMPLIED_HOST),
    ),
  });
  const diagnostics: Diagnostic[] = [];
  for (const provider of [...required.keys()].sort(compareProviderSources)) {
    if (provider.isBuiltin) {
      options.events?.({ kind: 'skipping', provider });
      continue;
    }
    options.events?.({ kind: 'mirroring', provider });
    const allowed = constraints.constraints.get(provider) ?? { terms: [] };
    let version: string;
    try {
      version = await select(options, source, provider, allowed);
    } catch (error) {
      options.signal?.throwIfAborted();
      diagnostics.push(
        errorDiagnostic(
          'Provider not available',
          `Failed to download ${provider.text} from its origin registry: ${userErrorText(error)}.`,
        ),
      );
      continue;
    }
    for (const platform of options.platforms) {
      options.events?.({ kind: 'downloading', provider, version, platform });
      const problem = await mirror(options, source, provider, version, platform);
      if (problem !== undefined) diagnostics.push(problem);
    }
  }
  diagnostics.push(...(await writeIndexes(options)));
  return diagnostics;
}

async function select(
  { lock, events, signal }: MirrorProvidersOptions,
  source: RegistrySource,
  provider: ProviderSource,
  allowed: Parameters<typeof allowsVersion>[0],
): Promise<string> {
  const constraints = constraintsText(allowed);
  const { versions } = await source.availableVersions(provider, signal);
  const newest = versions.findLast((version) => allowsVersion(allowed, version));
  if (newest === undefined) {
    throw new Error(`no releases match the given constraints ${constraints}`);
  }
  const locked = lock?.get(provider)?.version;
  const version = locked ?? newest.text;
  const reason = locked !== undefined ? 'lock' : constraints === '' ? 'none' : 'constraints';
  events?.({ kind: 'selected', provider, version, reason, constraints });
  return version;
}

async function mirror(
  { host, target, events, signal }: MirrorProvidersOptions,
  source: RegistrySource,
  provider: ProviderSource,
  version: string,
  platform: Platform,
): Promise<Diagnostic | undefined> {
  const { files } = host;
  const failed = (error: unknown): string => {
    signal?.throwIfAborted();
    return `Failed to download ${provider.text} v${version} for ${platformText(platform)}: ${userErrorText(error)}.`;
  };
  let meta: PackageMeta;
  try {
    meta = await source.packageMeta(provider, version, platform, signal);
  } catch (error) {
    return errorDiagnostic('Provider release not available', failed(error));
  }
  const { location } = meta;
  if (location.kind !== 'url') throw new Error('registries give addresses');
  const archivePath = packedPlace(target, provider, version, platform);
  const directory = archivePath.slice(0, archivePath.lastIndexOf('/'));
  // Not a valid package name, so that an unverified file is never used as a package.
  const staging = `${directory}/.${archivePath.slice(directory.length + 1)}`;
  try {
    try {
      await files.makeDirectory(directory);
      await files.remove(staging);
      await download(host, { ...location, signal }, staging);
    } catch (error) {
      return errorDiagnostic('Cannot download provider release', failed(error));
    }
    try {
      const result = (await meta.authentication?.(files, { kind: 'archive', path: staging }))
        ?.result;
      if (result !== undefined)
        events?.({ kind: 'authenticated', provider, version, platform, result });
    } catch (error) {
      return errorDiagnostic(
        'Invalid provider package',
        `Failed to authenticate ${provider.text} v${version} for ${platformText(platform)}: ${userErrorText(error)}.`,
      );
    }
    try {
      await files.chmod(staging, 0o644);
      await files.rename(staging, archivePath);
    } catch (error) {
      return errorDiagnostic(
        'Cannot download provider release',
        `Failed to place ${provider.text} package into mirror directory: ${userErrorText(error)}.`,
      );
    }
    return undefined;
  } finally {
    await files.remove(staging);
  }
}

const SUMMARY = 'Failed to update indexes';

/** Writes the indexes of all packages in the directory, including existing ones. */
async function writeIndexes({ host, target }: MirrorProvidersOptions): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  let packagesByProvider: ReadonlyMap<ProviderSource, readonly FoundPackage[]>;
  try {
    packagesByProvider = await searchDirectory(host.files, target);
  } catch (error) {
    return [
      errorDiagnostic(
        SUMMARY,
        `Could not scan the output directory to get package metadata for the JSON indexes: ${userErrorText(error)}.`,
      ),
    ];
  }
  for (const [provider, packages] of packagesByProvider) {
    const directory = `${target}/${provider.text}`;
    const archives = await archivesOf(host, packages, diagnostics);
    const versions = Object.fromEntries([...archives.keys()].map((version) => [version, {}]));
    const write = async (name: string, content: unknown, subject: string): Promise<void> => {
      try {
        await host.files.replaceFile(`${directory}/${name}`, indexText(content), { mode: 0o644 });
      } catch (error) {
        diagnostics.push(
          errorDiagnostic(
            SUMMARY,
            `Failed to write an updated JSON index for ${subject}: ${userErrorText(error)}.`,
          ),
        );
      }
    };
    await write('index.json', { versions }, provider.text);
    for (const [version, byPlatform] of archives) {
      const subject = `${provider.text} v${version}`;
      await write(`${version}.json`, { archives: byPlatform }, subject);
    }
  }
  return diagnostics;
}

type ArchivesByPlatform = Record<string, { readonly hashes: string[]; readonly url: string }>;

async function archivesOf(
  { files }: Host,
  packages: readonly FoundPackage[],
  diagnostics: Diagnostic[],
): Promise<Map<string, ArchivesByPlatform>> {
  const { zipHash } = await import('./unzip.ts');
  const archives = new Map<string, ArchivesByPlatform>();
  for (const { provider, version, platform, location } of packages) {
    // Unpacked packages cannot be served.
    if (location.kind !== 'archive') continue;
    const { path } = location;
    let hash: string;
    try {
      hash = await zipHash(files, path);
    } catch (error) {
      diagnostics.push(
        errorDiagnostic(
          SUMMARY,
          `Failed to determine a hash value for ${provider.text} v${version.text} on ${platformText(platform)}: ${userErrorText(error)}.`,
        ),
      );
      continue;
    }
    const existing = archives.get(version.text) ?? {};
    existing[platformText(platform)] = {
      hashes: [hash],
      url: path.slice(path.lastIndexOf('/') + 1),
    };
    archives.set(version.text, existing);
  }
  return archives;
}

/** JSON as Go writes it: keys in order, two blanks for a level. */
function indexText(content: unknown): string {
  return JSON.stringify(sorted(content), undefined, 2);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
