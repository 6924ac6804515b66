import type { ProviderSource } from '@terrane/engine';
import { errorDiagnostic } from '@terrane/hcl';
import type { InstallEvent, InstallOutcome, ProviderLocks, RequiredProvider } from '@terrane/registry';
import type { Project } from './project.ts';

/** What is to be installed. */
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

/** The installer for a project; it takes what Terraform's or OpenTofu's `init` has installed. */
export async function providerInstaller(
  project: Project,
  _pluginDirectories: readonly string[],
): Promise<ProviderInstaller> {
  const { installedPackage } = await import('./locked-packages.ts');
  const { files, environment } = project.host;
  const place = { files, environment, dataDirectory: project.dataDirectory };
  return {
    install: async ({ required, lock, events }) => {
      const diagnostics = [];
      for (const provider of required.keys()) {
        const locked = lock.get(provider);
        const found =
          locked === undefined ? undefined : await installedPackage(place, provider, locked);
        if (found !== undefined && 'version' in found) {
          events({ kind: 'reusing', provider });
          events({ kind: 'already-installed', provider, version: found.version });
        } else {
          diagnostics.push(
            errorDiagnostic(
              'Provider not available',
              `Provider ${provider.display} is neither bundled with this version of Terrane in a version that is allowed, nor installed. Providers are used where Terraform's init has installed them: run "terraform init".`,
            ),
          );
        }
      }
      return { lock, diagnostics, incomplete: [] };
    },
  };
}
