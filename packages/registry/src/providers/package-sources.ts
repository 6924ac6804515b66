import type { ProviderSource } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Host } from '@terrane/host';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import { FilesystemMirror } from './filesystem-mirror.ts';
import { implicitDirectories } from './implicit-directories.ts';
import type { InstallationMethod, ProviderInstallation } from './installation.ts';
import { filterOf, type ProviderFilter } from './matching-patterns.ts';
import type { OciAccess } from '../oci/oci-repository.ts';
import { NetworkMirror, parseMirrorUrl } from './network-mirror.ts';
import { evaluateTemplate, OciMirror, repositoryVariables } from './oci-mirror.ts';
import type { PackageSource } from './package-source.ts';
import { RegistrySource } from './registry-source.ts';
import { type SelectedSource, SeveralSources } from './several-sources.ts';

/** Dependencies of package sources. */
export interface PackageSourcesOptions {
  readonly host: Host;
  readonly services: ServiceDirectory;
  readonly installation: ProviderInstallation;
  /** returns the host that serves a provider */
  readonly hostOf: (provider: ProviderSource) => string;
  /** credentials for OCI registries */
  readonly ociCredentials?: OciAccess['ociCredentials'];
  readonly signal?: AbortSignal;
}

/** Creates the package source of an installation; diagnostics if it is invalid. */
export async function packageSource(
  options: PackageSourcesOptions,
): Promise<{ readonly source: PackageSource; readonly diagnostics: readonly Diagnostic[] }> {
  const { installation, host } = options;
  switch (installation.kind) {
    case 'directories': {
      const sources = installation.paths.map((path) => ({
        source: new FilesystemMirror(host.files, path),
        handles: allProviders,
      }));
      return { source: new SeveralSources(sources), diagnostics: [] };
    }
    case 'explicit':
      return explicitSource(options, installation.methods);
    case 'implied':
      return {
        source: await impliedSource(options, installation.cliConfigDirectory),
        diagnostics: [],
      };
  }
}

const allProviders: ProviderFilter = () => true;

function explicitSource(
  options: PackageSourcesOptions,
  methods: readonly InstallationMethod[],
): { source: PackageSource; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const sources: SelectedSource[] = [];
  for (const method of methods) {
    const source = methodSource(options, method);
    if ('severity' in source) diagnostics.push(source);
    else sources.push({ source, handles: filterOf(method) });
  }
  return { source: new SeveralSources(sources), diagnostics };
}

function methodSource(
  options: PackageSourcesOptions,
  method: InstallationMethod,
): PackageSource | Diagnostic {
  const { host, services, hostOf } = options;
  switch (method.kind) {
    case 'direct':
      return new RegistrySource({ services, hostOf, downloadRetries: method.downloadRetries });
    case 'filesystem_mirror':
      return new FilesystemMirror(host.files, method.path);
    case 'network_mirror': {
      const url = parseMirrorUrl(method.url);
      if ('error' in url) {
        return errorDiagnostic('Invalid URL for provider installation source', url.error);
      }
      const { downloadRetries, trustAllHashes } = method;
      return new NetworkMirror({ services, url, downloadRetries, trustAllHashes });
    }
    case 'oci_mirror': {
      const { ociCredentials, signal = new AbortController().signal } = options;
      const addressOf =
        'repositoryUri' in method
          ? (provider: ProviderSource) => method.repositoryUri.expand(repositoryVariables(provider))
          : (provider: ProviderSource) => evaluateTemplate(method.repositoryTemplate, provider);
      return new OciMirror({ host, signal, ociCredentials }, addressOf);
    }
  }
}

/** Local directories have precedence, and their providers are not searched in registries. */
async function impliedSource(
  { host, services, hostOf }: PackageSourcesOptions,
  cliConfigDirectory: string | undefined,
): Promise<PackageSource> {
  const sources: SelectedSource[] = [];
  const local = new Set<ProviderSource>();
  for (const path of implicitDirectories(host.environment, cliConfigDirectory)) {
    if ((await host.files.stat(path))?.kind !== 'directory') continue;
    const source = new FilesystemMirror(host.files, path);
    try {
      for (const provider of (await source.packages()).keys()) local.add(provider);
    } catch {
      // The installation reports the error.
    }
    sources.push({ source, handles: allProviders });
  }
  const source = new RegistrySource({ services, hostOf });
  sources.push({ source, handles: (provider) => !local.has(provider) });
  return new SeveralSources(sources);
}
