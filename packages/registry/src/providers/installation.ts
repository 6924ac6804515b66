import type { UriTemplate } from '../oci/uri-template.ts';

/** A pattern for addresses of providers; `*` stands for anything. */
export interface ProviderPattern {
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
}

/** The providers that an installation method includes and excludes. */
export interface InstallationFilter {
  /** none: all */
  readonly include?: readonly ProviderPattern[];
  /** comes before `include` */
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
    /** a mirror whose template is a level 1 URI template of the same variables */
    | { readonly kind: 'oci_mirror'; readonly repositoryUri: UriTemplate }
  );

/** The configured sources of providers. */
export type ProviderInstallation =
  /** no `provider_installation` is written: local directories that have a provider, else its registry */
  | {
      readonly kind: 'implied';
      /** `~/.terraform.d`, or its replacement */
      readonly cliConfigDirectory?: string | undefined;
    }
  | { readonly kind: 'explicit'; readonly methods: readonly InstallationMethod[] }
  /** `-plugin-dir` */
  | { readonly kind: 'directories'; readonly paths: readonly string[] };
