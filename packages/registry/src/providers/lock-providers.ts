import { compareProviderSources, type ProviderSource } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Host } from '@terrane/host';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import {
  isLockable,
  type LockedProvider,
  normalHashes,
  type ProviderLocks,
} from '../lock/dependency-lock.ts';
import { parseUriTemplate } from '../oci/uri-template.ts';
import type { AuthenticationResult } from './authentication-result.ts';
import type { InstallEvent, RequiredProvider } from './install-options.ts';
import { installProviders } from './install-providers.ts';
import type { InstallationMethod, ProviderInstallation } from './installation.ts';
import { parseMirrorUrl } from './network-mirror.ts';
import type { PackageSourcesOptions } from './package-sources.ts';
import { type Platform, platformText } from './platform.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

/** Events of checksum collection. */
export type LockEvent =
  /** "- Fetching …" */
  | {
      readonly kind: 'fetching';
      readonly provider: ProviderSource;
      readonly version: string;
      readonly platform: Platform;
    }
  /** "- Retrieved …" */
  | {
      readonly kind: 'retrieved';
      readonly provider: ProviderSource;
      readonly version: string;
      readonly platform: Platform;
      readonly authentication: AuthenticationResult | undefined;
    }
  /** "- Obtained … checksums for …" */
  | {
      readonly kind: 'obtained';
      readonly provider: ProviderSource;
      readonly platform: Platform;
      readonly change: 'new-provider' | 'new-hashes' | 'none';
    };

/** Options of checksum collection. */
export interface LockProvidersOptions {
  readonly host: Host;
  readonly services: ServiceDirectory;
  /** the providers to lock; those that cannot be locked are ignored */
  readonly required: ReadonlyMap<ProviderSource, RequiredProvider>;
  readonly lock: ProviderLocks;
  readonly platforms: readonly Platform[];
  /** `-fs-mirror` */
  readonly filesystemMirror?: string | undefined;
  /** `-net-mirror` */
  readonly networkMirror?: string | undefined;
  /** `-oci-mirror`, a URI template of a repository address */
  readonly ociMirror?: string | undefined;
  readonly ociCredentials?: PackageSourcesOptions['ociCredentials'];
  /** the shared cache, with `-enable-plugin-cache` */
  readonly cacheDirectory?: string | undefined;
  readonly cacheMayBreakLock?: boolean | undefined;
  readonly defaultRegistry?: string | undefined;
  readonly events?: (event: LockEvent) => void;
  readonly signal?: AbortSignal;
}

/** The new content of the lock file. */
export interface LockOutcome {
  readonly lock: ProviderLocks;
  readonly diagnostics: readonly Diagnostic[];
  /** true if there are new checksums */
  readonly changed: boolean;
}

/**
 * Collects the checksums of providers for several platforms, as `providers lock` does: from their registries, or from
 * the given mirror, regardless of the CLI configuration. Packages are fetched, verified and discarded.
 */
export async function lockProviders(options: LockProvidersOptions): Promise<LockOutcome> {
  const { lock, platforms } = options;
  const installation = installationOf(options);
  if ('severity' in installation) {
    return { lock, diagnostics: [installation], changed: false };
  }
  const required = new Map([...options.required].filter(([source]) => isLockable(source)));
  const diagnostics: Diagnostic[] = [];
  const platformLocks: { readonly platform: Platform; readonly lock: ProviderLocks }[] = [];
  const versions = new Map<ProviderSource, string>();
  for (const platform of platforms) {
    const result = await lockFor(options, installation, required, platform, (provider, version) => {
      const before = versions.get(provider);
      versions.set(provider, version);
      if (before !== undefined && before !== version) diagnostics.push(inconsistent(provider));
    });
    if ('severity' in result) {
      diagnostics.push(result);
      break;
    }
    platformLocks.push({ platform, lock: result.lock });
  }
  if (hasErrors(diagnostics)) return { lock, diagnostics, changed: false };
  return { ...merge(options, required, platformLocks), diagnostics };
}

function installationOf({
  filesystemMirror,
  networkMirror,
  ociMirror,
}: LockProvidersOptions): ProviderInstallation | Diagnostic {
  let method: InstallationMethod = { kind: 'direct' };
  if (filesystemMirror !== undefined)
    method = { kind: 'filesystem_mirror', path: filesystemMirror };
  else if (networkMirror !== undefined) {
    if ('error' in parseMirrorUrl(networkMirror)) {
      return errorDiagnostic(
        'Invalid network mirror URL',
        'The -net-mirror option requires a valid https: URL as the mirror base URL.',
      );
    }
    method = { kind: 'network_mirror', url: networkMirror };
  } else if (ociMirror !== undefined) {
    const repositoryUri = parseUriTemplate(ociMirror);
    if ('error' in repositoryUri) {
      return errorDiagnostic(
        'Invalid OCI mirror URI template',
        `The -oci-mirror argument is not a valid URI template: ${repositoryUri.error}.`,
      );
    }
    method = { kind: 'oci_mirror', repositoryUri };
  }
  return { kind: 'explicit', methods: [method] };
}

async function lockFor(
  options: LockProvidersOptions,
  installation: ProviderInstallation,
  required: ReadonlyMap<ProviderSource, RequiredProvider>,
  platform: Platform,
  choose: (provider: ProviderSource, version: string) => void,
): Promise<{ readonly lock: ProviderLocks } | Diagnostic> {
  const { host, services, lock, cacheDirectory, cacheMayBreakLock, defaultRegistry, signal } =
    options;
  return await withTemporaryDirectory(host, 'terraform-providers-lock', async (directory) => {
    const outcome = await installProviders({
      host,
      services,
      required,
      lock,
      installation,
      dataDirectory: directory,
      platform,
      force: true,
      cacheDirectory,
      cacheMayBreakLock,
      defaultRegistry,
      ociCredentials: options.ociCredentials,
      ...(signal !== undefined && { signal }),
      events: (event) => {
        if (event.kind === 'installing') choose(event.provider, event.version);
        tell(options, platform, event);
      },
    });
    signal?.throwIfAborted();
    if (!hasErrors(outcome.diagnostics)) return { lock: outcome.lock };
    const failures = [...(outcome.failures ?? [])].map(
      ([source, reason]) => `- ${source.text}: ${reason}`,
    );
    const reason =
      failures.length > 0
        ? `some providers could not be installed:\n${failures.join('\n')}`
        : outcome.diagnostics.map(({ detail }) => detail).join('\n');
    return errorDiagnostic(
      'Could not retrieve providers for locking',
      `Terraform failed to fetch the requested providers for ${platformText(platform)} in order to calculate their checksums: ${reason}.`,
    );
  });
}

function tell({ events }: LockProvidersOptions, platform: Platform, event: InstallEvent): void {
  if (event.kind === 'installing') {
    const { provider, version } = event;
    events?.({ kind: 'fetching', provider, version, platform });
  } else if (event.kind === 'installed') {
    const { provider, version, authentication } = event;
    events?.({ kind: 'retrieved', provider, version, platform, authentication });
  }
}

/** Merges the known checksums with those found for each platform. */
function merge(
  { lock, events }: LockProvidersOptions,
  required: ReadonlyMap<ProviderSource, RequiredProvider>,
  platformLocks: readonly { readonly platform: Platform; readonly lock: ProviderLocks }[],
): { lock: ProviderLocks; changed: boolean } {
  const merged = new Map(lock);
  let changed = false;
  for (const provider of [...required.keys()].sort(compareProviderSources)) {
    const before = lock.get(provider);
    let entry: LockedProvider | undefined = before;
    for (const { platform, lock: there } of platformLocks) {
      const platformEntry = there.get(provider);
      if (platformEntry === undefined) continue;
      entry = {
        ...platformEntry,
        hashes: normalHashes([...(entry?.hashes ?? []), ...platformEntry.hashes]),
      };
      const change = changeOf(before, platformEntry);
      if (change !== 'none') changed = true;
      events?.({ kind: 'obtained', provider, platform, change });
    }
    if (entry !== undefined) merged.set(provider, entry);
  }
  return { lock: merged, changed };
}

function changeOf(
  before: LockedProvider | undefined,
  after: LockedProvider,
): 'new-provider' | 'new-hashes' | 'none' {
  if (before === undefined) return 'new-provider';
  return after.hashes.every((hash) => before.hashes.includes(hash)) ? 'none' : 'new-hashes';
}

function inconsistent(provider: ProviderSource): Diagnostic {
  return errorDiagnostic(
    'Inconsistent provider versions',
    `The version constraint for ${provider.text} selected inconsistent versions for different platforms, which is unexpected.\n\nThe upstream registry may have changed its available versions during Terraform's work. If so, re-running this command may produce a successful result.`,
  );
}
