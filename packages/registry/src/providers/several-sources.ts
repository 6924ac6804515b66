import type { ProviderSource } from '@terrane/addresses';
import { comparePrecedence, type Version } from '../versions/version.ts';
import type { ProviderFilter } from './matching-patterns.ts';
import type { AvailableVersions, PackageMeta, PackageSource } from './package-source.ts';
import type { Platform } from './platform.ts';
import { notFound, platformNotSupported, SourceError } from './source-error.ts';

/** A source, and the providers that it serves. */
export interface SelectedSource {
  readonly source: PackageSource;
  readonly handles: ProviderFilter;
}

/** All versions of several sources; a package comes from the first source that has it. */
export class SeveralSources implements PackageSource {
  readonly #sources: readonly SelectedSource[];

  constructor(sources: readonly SelectedSource[]) {
    this.#sources = sources;
  }

  #for(provider: ProviderSource): PackageSource[] {
    return this.#sources.filter(({ handles }) => handles(provider)).map(({ source }) => source);
  }

  describe(provider: ProviderSource): string {
    return this.#for(provider)
      .map((source) => source.describe(provider))
      .join('\n');
  }

  async availableVersions(
    provider: ProviderSource,
    signal?: AbortSignal,
  ): Promise<AvailableVersions> {
    if (this.#sources.length === 0) return { versions: [], warnings: [] };
    const versions = new Map<string, Version>();
    const warnings: string[] = [];
    let unknown: SourceError | undefined;
    for (const source of this.#for(provider)) {
      try {
        const available = await source.availableVersions(provider, signal);
        for (const version of available.versions) versions.set(version.text, version);
        warnings.push(...available.warnings);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        const { kind } = error.problem;
        if (kind === 'not-known') unknown = error;
        else if (kind !== 'not-found') throw error;
      }
    }
    if (versions.size === 0) {
      const places = this.#for(provider).map((source) => source.describe(provider));
      throw unknown ?? notFound(provider, places);
    }
    return { versions: [...versions.values()].sort(comparePrecedence), warnings };
  }

  async packageMeta(
    provider: ProviderSource,
    version: string,
    platform: Platform,
    signal?: AbortSignal,
  ): Promise<PackageMeta> {
    if (this.#sources.length === 0) throw notFound(provider);
    for (const source of this.#for(provider)) {
      try {
        return await source.packageMeta(provider, version, platform, signal);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        const { kind } = error.problem;
        if (kind !== 'not-found' && kind !== 'not-known' && kind !== 'platform') throw error;
      }
    }
    throw platformNotSupported(provider, version, platform);
  }

  async legacyNamespace(
    provider: ProviderSource,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const legacySource = this.#sources.find(
      ({ source, handles }) => source.legacyNamespace !== undefined && handles(provider),
    );
    return await legacySource?.source.legacyNamespace?.(provider, signal);
  }
}
