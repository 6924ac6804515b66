import type { ProviderSource } from '@terrane/addresses';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { Host } from '@terrane/host';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import type { ProviderLocks } from '../lock/dependency-lock.ts';
import type { OciCredentials } from '../oci/oci-repository.ts';
import type { AuthenticationResult } from './authentication-result.ts';
import type { ProviderInstallation } from './installation.ts';
import type { Platform } from './platform.ts';

/** The requirements of a provider. */
export interface RequiredProvider {
  /** as written */
  readonly constraints: readonly string[];
  /** the ranges of the constraints, for messages */
  readonly ranges?: readonly (Range | undefined)[];
  /** true if the configuration contains the host; otherwise the default registry may replace it */
  readonly explicitHost?: boolean;
}

/** Events of provider installation, in the order of Terraform's messages. */
export type InstallEvent =
  /** "Initializing provider plugins..." */
  | { readonly kind: 'begin' }
  | { readonly kind: 'built-in'; readonly provider: ProviderSource }
  /** "Reusing previous version of …": the lock file has one */
  | { readonly kind: 'reusing'; readonly provider: ProviderSource }
  /** "Finding … versions matching …"; "Finding latest version of …" without constraints */
  | { readonly kind: 'finding'; readonly provider: ProviderSource; readonly constraints: string }
  | {
      readonly kind: 'already-installed';
      readonly provider: ProviderSource;
      readonly version: string;
    }
  /** "Using … from the shared cache directory" */
  | { readonly kind: 'from-cache'; readonly provider: ProviderSource; readonly version: string }
  | { readonly kind: 'installing'; readonly provider: ProviderSource; readonly version: string }
  | {
      readonly kind: 'progress';
      readonly provider: ProviderSource;
      readonly version: string;
      /** bytes */
      readonly received: number;
      /** total bytes, if the server declares them */
      readonly total?: number;
    }
  | {
      readonly kind: 'installed';
      readonly provider: ProviderSource;
      readonly version: string;
      /** undefined: unauthenticated */
      readonly authentication: AuthenticationResult | undefined;
    }
  /** some packages are signed by others than HashiCorp: "Partner and community providers are signed by their developers." */
  | { readonly kind: 'third-party-signed' }
  /** another process has been installing into the shared cache for more than five seconds */
  | { readonly kind: 'waiting-for-cache'; readonly directory: string };

/** Options of provider installation. */
export interface InstallOptions {
  readonly host: Host;
  readonly services: ServiceDirectory;
  readonly required: ReadonlyMap<ProviderSource, RequiredProvider>;
  readonly lock: ProviderLocks;
  readonly installation: ProviderInstallation;
  /** `.terraform`, or TF_DATA_DIR: packages are installed in its `providers` */
  readonly dataDirectory: string;
  /** default: this machine's */
  readonly platform?: Platform;
  /** `-upgrade`: versions are selected again */
  readonly upgrade?: boolean;
  /** true if checksums of the lock file are ignored, to record new ones */
  readonly force?: boolean;
  /** `plugin_cache_dir`, TF_PLUGIN_CACHE_DIR */
  readonly cacheDirectory?: string | undefined;
  /** `plugin_cache_may_break_dependency_lock_file` */
  readonly cacheMayBreakLock?: boolean | undefined;
  /** names of `terraform.io/builtin` that exist */
  readonly builtIn?: ReadonlySet<string>;
  /** providers that are not installed, because they are provided otherwise */
  readonly unmanaged?: ReadonlySet<ProviderSource>;
  /** the host of packages of `registry.terraform.io` if that host is only implied */
  readonly defaultRegistry?: string | undefined;
  /** credentials for OCI registries */
  readonly ociCredentials?:
    | ((registry: string, repository: string) => Promise<OciCredentials | undefined>)
    | undefined;
  readonly events?: (event: InstallEvent) => void;
  readonly signal?: AbortSignal;
}

/** The result of provider installation. */
export interface InstallOutcome {
  /** the new content of the lock file; unchanged if there are errors */
  readonly lock: ProviderLocks;
  readonly diagnostics: readonly Diagnostic[];
  /** providers with checksums of this platform only, formatted for users, in order */
  readonly incomplete: readonly string[];
  /** why providers could not be installed, in order of their addresses */
  readonly failures?: ReadonlyMap<ProviderSource, string>;
}
