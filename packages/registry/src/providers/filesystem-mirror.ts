import { parseHostname, parseProviderPart, ProviderSource } from '@terrane/addresses';
import { type DirectoryEntry, type FileSystem, userErrorText } from '@terrane/host';
import { comparePrecedence, parseVersion, type Version } from '../versions/version.ts';
import { archiveName } from './package-place.ts';
import type { AvailableVersions, PackageMeta, PackageSource } from './package-source.ts';
import { parsePlatform, type Platform, platformText } from './platform.ts';
import { platformNotSupported } from './source-error.ts';

/** A package that a directory has. */
export interface FoundPackage {
  readonly provider: ProviderSource;
  readonly version: Version;
  readonly platform: Platform;
  readonly filename: string;
  readonly location: { readonly kind: 'directory' | 'archive'; readonly path: string };
}

/**
 * Finds the packages below a directory, unpacked (`HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/`) and packed
 * (`HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip`), by provider, sorted by platform and version.
 * Other names are ignored. Symbolic links are followed for packages and for the directory itself. Rejects if the
 * directory cannot be read.
 */
export async function searchDirectory(
  files: FileSystem,
  base: string,
): Promise<ReadonlyMap<ProviderSource, readonly FoundPackage[]>> {
  let root = base;
  try {
    root = await files.realPath(base);
  } catch {
    // An unresolvable path cannot be read either, which is reported below.
  }
  const packagesByProvider = new Map<ProviderSource, FoundPackage[]>();
  for (const host of await directoriesIn(files, root)) {
    for (const namespace of await directoriesIn(files, `${root}/${host}`)) {
      for (const type of await directoriesIn(files, `${root}/${host}/${namespace}`)) {
        const provider = addressOf(host, namespace, type);
        if (provider === undefined) continue;
        const packages = await packagesOf(files, provider, `${root}/${host}/${namespace}/${type}`);
        if (packages.length === 0) continue;
        const existing = packagesByProvider.get(provider) ?? [];
        packagesByProvider.set(provider, [...existing, ...packages]);
      }
    }
  }
  for (const packages of packagesByProvider.values()) packages.sort(comparePackages);
  return packagesByProvider;
}

function comparePackages(a: FoundPackage, b: FoundPackage): number {
  for (const part of ['os', 'arch'] as const) {
    if (a.platform[part] !== b.platform[part]) return a.platform[part] < b.platform[part] ? -1 : 1;
  }
  return comparePrecedence(a.version, b.version);
}

async function entriesIn(files: FileSystem, path: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await files.readDirectory(path);
  } catch (error) {
    throw new Error(`cannot search ${path}: ${searchProblem(path, error)}`, { cause: error });
  }
}

function searchProblem(path: string, error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `lstat ${path}: no such file or directory`;
  if (code === 'EACCES') return `open ${path}: permission denied`;
  return userErrorText(error);
}

async function directoriesIn(files: FileSystem, path: string): Promise<string[]> {
  return (await entriesIn(files, path))
    .filter(({ kind }) => kind === 'directory')
    .map(({ name }) => name);
}

function addressOf(host: string, namespace: string, type: string): ProviderSource | undefined {
  const hostname = parseHostname(host);
  if (typeof hostname !== 'string' || typeof parseProviderPart(type) !== 'string') return undefined;
  if (namespace === '-') return undefined;
  if (typeof parseProviderPart(namespace) !== 'string') return undefined;
  return ProviderSource.of(hostname, namespace, type);
}

async function packagesOf(
  files: FileSystem,
  provider: ProviderSource,
  directory: string,
): Promise<FoundPackage[]> {
  const packages: FoundPackage[] = [];
  for (const { name, kind } of await entriesIn(files, directory)) {
    const path = `${directory}/${name}`;
    if (kind === 'directory') {
      packages.push(...(await unpackedIn(files, provider, name, path)));
      continue;
    }
    const archive = archiveOf(provider, name);
    if (archive === undefined || (await files.stat(path))?.kind === 'directory') continue;
    packages.push({ ...archive, location: { kind: 'archive', path } });
  }
  return packages;
}

async function unpackedIn(
  files: FileSystem,
  provider: ProviderSource,
  versionText: string,
  directory: string,
): Promise<FoundPackage[]> {
  const version = parseVersion(versionText);
  if ('error' in version) return [];
  const packages: FoundPackage[] = [];
  for (const { name } of await entriesIn(files, directory)) {
    const platform = parsePlatform(name);
    const path = `${directory}/${name}`;
    if ('error' in platform || (await files.stat(path))?.kind !== 'directory') continue;
    packages.push({
      provider,
      version,
      platform,
      filename: archiveName(provider, version.text, platform),
      location: { kind: 'directory', path },
    });
  }
  return packages;
}

function archiveOf(
  provider: ProviderSource,
  entryName: string,
): Omit<FoundPackage, 'location'> | undefined {
  const filename = entryName.toLowerCase();
  const prefix = `terraform-provider-${provider.type}_`;
  if (!filename.startsWith(prefix) || !filename.endsWith('.zip')) return undefined;
  const [versionText, os, arch] = filename.slice(prefix.length, -'.zip'.length).split('_');
  if (versionText === undefined || os === undefined || arch === undefined) return undefined;
  const version = parseVersion(versionText);
  const platform = parsePlatform(`${os}_${arch}`);
  if ('error' in version || 'error' in platform) return undefined;
  return { provider, version, platform, filename };
}

/** Packages of a directory that is laid out as a mirror. */
export class FilesystemMirror implements PackageSource {
  readonly #files: FileSystem;
  readonly #base: string;
  #packages: ReturnType<typeof searchDirectory> | undefined;

  constructor(files: FileSystem, base: string) {
    this.#files = files;
    this.#base = base;
  }

  describe(): string {
    return this.#base;
  }

  /** Returns all packages. */
  packages(): ReturnType<typeof searchDirectory> {
    this.#packages ??= searchDirectory(this.#files, this.#base);
    return this.#packages;
  }

  async availableVersions(provider: ProviderSource): Promise<AvailableVersions> {
    const packages = (await this.packages()).get(provider) ?? [];
    const versions = new Map(packages.map(({ version }) => [version.text, version]));
    return { versions: [...versions.values()].sort(comparePrecedence), warnings: [] };
  }

  async packageMeta(
    provider: ProviderSource,
    version: string,
    platform: Platform,
  ): Promise<PackageMeta> {
    const platformName = platformText(platform);
    const match = ((await this.packages()).get(provider) ?? []).find(
      (each) => each.version.text === version && platformText(each.platform) === platformName,
    );
    if (match === undefined) throw platformNotSupported(provider, version, platform);
    const { filename, location } = match;
    return { provider, version, platform, filename, location };
  }
}
