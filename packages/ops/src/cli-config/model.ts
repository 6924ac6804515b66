import type { ProviderSource } from '@terrane/addresses';
import type { Diagnostic } from '@terrane/hcl';
import type { SourcePattern } from './source-pattern.ts';

/** The user's CLI configuration, from files and the environment. */
export interface CliConfig {
  /** service discovery results by normalised host name */
  readonly hosts: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** tokens of `credentials` blocks by normalised host name; undefined for a block without a token */
  readonly credentials: ReadonlyMap<string, string | undefined>;
  readonly credentialsHelper: CredentialsHelper | undefined;
  /** undefined without configuration, in which case Terraform's default locations apply */
  readonly providerInstallation: ProviderInstallation | undefined;
  /** the registry that replaces the implied host, as written (Terrane's own setting) */
  readonly defaultRegistry: string | undefined;
  /** the directory of provider packages that all projects share */
  readonly pluginCacheDirectory: string | undefined;
  readonly pluginCacheMayBreakLockFile: boolean;
  readonly registryProtocols: RegistryProtocols;
  /** the location of module locks (Terrane's own setting); undefined: the existing location, or a separate file */
  readonly moduleLocks: ModuleLocksSetting | undefined;
  /** number of retries of a provider package download */
  readonly downloadRetries: number;
  readonly disableCheckpoint: boolean;
  /** absolute paths of policies that every plan and apply evaluates (Terrane's own setting) */
  readonly policies: readonly string[];
  /** external checkers of every plan, by name (Terrane's own setting) */
  readonly policyCheckers: ReadonlyMap<string, PolicyCheckerConfig>;
  readonly ociCredentials: readonly OciCredentials[];
  readonly ociDefaultCredentials: OciDefaultCredentials;
  /** errors in the files */
  readonly diagnostics: readonly Diagnostic[];
  /** further errors in `provider_installation` methods */
  readonly installationDiagnostics: readonly Diagnostic[];
  /** the directory for credentials of `login` and other user files */
  readonly directory: string | undefined;
}

/** A value of `module_locks`: a file of their own, the lock file of providers, or none. */
export type ModuleLocksSetting = 'separate' | 'shared' | 'off';

/** A block `policy_checker "NAME"`. */
export interface PolicyCheckerConfig {
  /** the program and its arguments */
  readonly command: readonly string[];
  readonly level: 'advisory' | 'mandatory_overridable' | 'mandatory';
  readonly timeoutMs: number;
}

/** A credentials helper: `credentials_helper "NAME"`. */
export interface CredentialsHelper {
  readonly name: string;
  readonly args: readonly string[];
}

/** The block `provider_installation`. */
export interface ProviderInstallation {
  /** in order of precedence */
  readonly methods: readonly InstallationMethod[];
  /** directories of providers under development */
  readonly developmentOverrides: ReadonlyMap<ProviderSource, string>;
}

/** The source of provider packages. */
export type InstallationLocation =
  | { readonly kind: 'direct' }
  | { readonly kind: 'filesystem_mirror'; readonly path: string }
  /** the URL as written */
  | { readonly kind: 'network_mirror'; readonly url: string }
  /** a template over `hostname`, `namespace` and `type` */
  | { readonly kind: 'oci_mirror'; readonly repositoryTemplate: string };

/** An installation method for the providers that the patterns select. */
export interface InstallationMethod {
  readonly location: InstallationLocation;
  readonly include: readonly SourcePattern[];
  readonly exclude: readonly SourcePattern[];
  readonly downloadRetries?: number;
  /** true if checksums of a network mirror are trusted like those of the registry (OpenTofu) */
  readonly trustAllHashes?: boolean;
}

/** Retries and time-outs of requests to registries. */
export interface RegistryProtocols {
  readonly retryCount: number;
  readonly requestTimeoutMs: number;
}

/** `oci_credentials "PREFIX"` of OpenTofu. */
export interface OciCredentials {
  readonly repositoryPrefix: string;
  readonly credentials:
    | { readonly kind: 'basic'; readonly username: string; readonly password: string }
    | { readonly kind: 'oauth'; readonly accessToken: string; readonly refreshToken: string }
    | { readonly kind: 'helper'; readonly name: string };
}

/** `oci_default_credentials` of OpenTofu. */
export interface OciDefaultCredentials {
  readonly discoverAmbient: boolean;
  /** undefined: the default locations */
  readonly dockerStyleConfigFiles: readonly string[] | undefined;
  readonly dockerCredentialsHelper: string | undefined;
}
