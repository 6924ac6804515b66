/** A provider of a public registry, built from its sources. */
export interface PublishedProvider {
  /** default: `hashicorp` */
  readonly namespace?: string;
  readonly type: string;
  readonly version: string;
  /** the Go module proxy has it: it can be built wherever Go is */
  readonly module?: string;
}

/** What the recorded results of the differential tests were made with, by type. */
export const PROVIDERS: Readonly<Record<string, Omit<PublishedProvider, 'type' | 'namespace'>>>;
/** What tests/interop runs besides. */
export const INTEROP: readonly PublishedProvider[];
/** Whether a provider was built. */
export function isInstalled(provider: PublishedProvider): boolean;
/** Where what is built for tests is kept. */
export function cacheDirectory(): string;
/** The folder that builds are laid out in. */
export function mirrorDirectory(): string;
/** Text of a CLI configuration that installs providers from the mirror and from nowhere else. */
export function cliConfig(mirror?: string): string;
