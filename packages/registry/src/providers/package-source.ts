import type { ProviderSource } from '@terrane/addresses';
import type { HttpAnswer } from '@terrane/host';
import type { Version } from '../versions/version.ts';
import type { PackageAuthentication } from './package-authentication.ts';
import type { Platform } from './platform.ts';

/** The location of a package. */
export type PackageLocation =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'archive'; readonly path: string }
  | {
      readonly kind: 'url';
      readonly url: string;
      /** for servers that require them, for this host only */
      readonly headers?: Readonly<Record<string, string>>;
      /** the maximum number of retries */
      readonly retries?: number | undefined;
      /** size in bytes, if known */
      readonly size?: number;
      /** replaces the request by URL */
      readonly ask?: (headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;
    };

/** A package of a provider, for a version and a platform. */
export interface PackageMeta {
  readonly provider: ProviderSource;
  readonly version: string;
  readonly platform: Platform;
  readonly filename: string;
  readonly location: PackageLocation;
  readonly authentication?: PackageAuthentication;
  /** the host that replaces the one of the address */
  readonly standIn?: string | undefined;
}

/** The versions that a source has, lowest first. */
export interface AvailableVersions {
  readonly versions: readonly Version[];
  readonly warnings: readonly string[];
}

/** A source of packages. Both functions reject with `SourceError`, or an error whose message is for users. */
export interface PackageSource {
  availableVersions(provider: ProviderSource, signal?: AbortSignal): Promise<AvailableVersions>;
  /** Returns the package of a version that `availableVersions` listed. */
  packageMeta(
    provider: ProviderSource,
    version: string,
    platform: Platform,
    signal?: AbortSignal,
  ): Promise<PackageMeta>;
  /** Returns the name of the source for messages. */
  describe(provider: ProviderSource): string;
  /** Returns the current namespace of a provider of Terraform 0.12; undefined if unknown. */
  legacyNamespace?(provider: ProviderSource, signal?: AbortSignal): Promise<string | undefined>;
}
