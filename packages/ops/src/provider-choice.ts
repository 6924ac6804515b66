import type { ProviderSource } from '@terrane/addresses';
import type { Diagnostic } from '@terrane/hcl';
import type { PluginTarget } from '@terrane/plugin';
import type { BundledProvider } from '@terrane/provider';

/** The source of a provider. */
export type ProviderOrigin =
  | { readonly kind: 'bundled'; readonly provider: BundledProvider }
  /** a package in the project's data directory */
  | {
      readonly kind: 'installed';
      readonly version: string;
      readonly executable: string;
    }
  /** `dev_overrides` of the CLI configuration name its directory */
  | { readonly kind: 'override'; readonly directory: string; readonly executable: string }
  /** `TF_REATTACH_PROVIDERS` names its address */
  | { readonly kind: 'running'; readonly target: PluginTarget };

/** A provider that this run uses. */
export interface ChosenProvider {
  readonly source: ProviderSource;
  readonly origin: ProviderOrigin;
}

/** The providers of a configuration and a state, or why some of them cannot be had. */
export interface ProviderChoice {
  readonly providers: readonly ChosenProvider[];
  readonly diagnostics: readonly Diagnostic[];
}
