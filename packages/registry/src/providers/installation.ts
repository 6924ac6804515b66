import type { UriTemplate } from '../oci/uri-template.ts';

/** A pattern for provider addresses; `*` matches any part. */
export interface ProviderPattern {
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
}

/** The providers that an installation method includes and excludes. */
export interface InstallationFilter {
  /** undefined: all providers */
  readonly include?: readonly ProviderPattern[];
  /** takes precedence over `include` */
  readonly exclude?: readonly ProviderPattern[];
}

/** An installation method of `provider_installation` in the CLI configuration. */
export type InstallationMethod = InstallationFilter &
  (
    | { readonly kind: 'direct'; readonly downloadRetries?: number }
    | { readonly kind: 'filesystem_mirror'; readonly path: string }
    | {
        readonly kind: 'network_mirror';
        readonly url: string;
        readonly downloadRetries?: number;
        /** record all checksums of the mirror, as with OpenTofu's `trust_all_hashes` */
        readonly trustAllHashes?: boolean;
      }
    /** an HCL template with `hostname`, `namespace` and `type` for the address of a repository */
    | { readonly kind: 'oci_mirror'; readonly repositoryTemplate: string }
    /** a mirror whose address is a level 1 URI template with the same variables */
    | { readonly kind: 'oci_mirror'; readonly repositoryUri: UriTemplate }
  );

/** The configured sources of providers. */
export type ProviderInstallation =
  /**
   * the default without `provider_installation`: local directories if they contain the provider, otherwise its registry
   */
  | {
      readonly kind: 'implied';
      /** `~/.terraform.d`, or its replacement */
      readonly cliConfigDirectory?: string | undefined;
    }
  | { readonly kind: 'explicit'; readonly methods: readonly InstallationMethod[] }
  /** `-plugin-dir` */
  | { readonly kind: 'directories'; readonly paths: readonly string[] };
