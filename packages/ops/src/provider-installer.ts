import type { ProviderSource } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type {
  InstallationMethod,
  InstallEvent,
  InstallOutcome,
  ProviderInstallation,
  ProviderLocks,
  RequiredProvider,
} from '@terrane/registry';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import type { CliConfig } from './cli-config/model.ts';
import type { Project } from './project.ts';

/** The provider package to install. */
export interface InstallRequest {
  readonly required: ReadonlyMap<ProviderSource, RequiredProvider>;
  readonly lock: ProviderLocks;
  readonly upgrade: boolean;
  readonly signal?: AbortSignal;
  readonly events: (event: InstallEvent) => void;
}

/** Installs packages of providers into a project. */
export interface ProviderInstaller {
  install(request: InstallRequest): Promise<InstallOutcome>;
}

/**
 * Returns the provider installer of a project, according to the user's CLI configuration; `pluginDirectories` replace
 * all other sources.
 */
export async function providerInstaller(
  project: Project,
  pluginDirectories: readonly string[],
): Promise<ProviderInstaller> {
  const { defaultRegistry, installProviders } = await import('@terrane/registry');
  const { ociCredentialsOf, serviceDirectory } = await import('./registry-access.ts');
  const { host, dataDirectory } = project;
  const config = cliConfigOf(project);
  const services = serviceDirectory(project);
  const installation = installationOf(config, pluginDirectories);
  const { pluginCacheDirectory, pluginCacheMayBreakLockFile } = config;
  const registry = defaultRegistry(host.environment, config.defaultRegistry);
  if (typeof registry !== 'string') {
    const problem = errorDiagnostic('Invalid default registry', `${registry.error}.`);
    return { install: ({ lock }) => Promise.resolve(failedInstall(lock, [problem])) };
  }
  return {
    install: async (request) => {
      return await installProviders({
        host,
        services,
        installation,
        dataDirectory,
        cacheDirectory: pluginCacheDirectory,
        cacheMayBreakLock: pluginCacheMayBreakLockFile,
        defaultRegistry: registry,
        ociCredentials: ociCredentialsOf(project),
        ...request,
      });
    },
  };
}

function failedInstall(lock: ProviderLocks, diagnostics: readonly Diagnostic[]): InstallOutcome {
  return { lock, diagnostics, incomplete: [], failures: new Map() };
}

/** Returns the sources of provider packages. */
export function installationOf(
  config: CliConfig,
  directories: readonly string[],
): ProviderInstallation {
  if (directories.length > 0) return { kind: 'directories', paths: directories };
  const installation = config.providerInstallation;
  if (installation === undefined) {
    return { kind: 'implied', cliConfigDirectory: config.directory };
  }
  const methods = installation.methods.flatMap((method): readonly InstallationMethod[] => {
    const { location, downloadRetries, trustAllHashes } = method;
    const { include, exclude } = method;
    const filter = { include, exclude };
    const retries = downloadRetries === undefined ? {} : { downloadRetries };
    switch (location.kind) {
      case 'direct':
        return [{ ...filter, kind: 'direct', ...retries }];
      case 'network_mirror':
        return [
          {
            ...filter,
            ...location,
            ...retries,
            ...(trustAllHashes === undefined ? {} : { trustAllHashes }),
          },
        ];
      case 'filesystem_mirror':
      case 'oci_mirror':
        return [{ ...filter, ...location }];
    }
  });
  return { kind: 'explicit', methods };
}
