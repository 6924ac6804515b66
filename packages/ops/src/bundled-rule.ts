import { parseVersionConstraint, type ProviderSource } from '@terrane/addresses';
import type { BundledProvider } from '@terrane/provider';
import { bundledProvider } from './bundled-providers.ts';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import { coversSource } from './cli-config/source-pattern.ts';
import { rememberedPluginDirectories } from './plugin-directories.ts';
import type { Project } from './project.ts';

/**
 * Returns the bundled provider if it is used: it satisfies the constraints and the lock file, and no installation
 * method is configured for it. `TF_BUNDLED_PROVIDERS` (or `TERRANE_BUNDLED_PROVIDERS`) is `off` to use none that a
 * registry has too, and `prefer` to use them regardless of installation methods.
 */
export async function servingBundled(
  project: Project,
  source: ProviderSource,
  constraints: readonly string[],
  lockedVersion: string | undefined,
): Promise<BundledProvider | undefined> {
  if (source.isBuiltin) return await bundledProvider(source.text);
  const wish = project.host.environment.get('TF_BUNDLED_PROVIDERS') ?? '';
  if (/^(?:off|0|false)$/i.test(wish)) return undefined;
  if (wish.toLowerCase() !== 'prefer' && isInstalledByChoice(project, source)) return undefined;
  const provider = await bundledProvider(source.text);
  if (provider === undefined) return undefined;
  const { version } = provider;
  if (lockedVersion !== undefined && lockedVersion !== '' && lockedVersion !== version) {
    return undefined;
  }
  const suits = constraints.every(
    (text) => parseVersionConstraint(text).allows?.(version) !== false,
  );
  return suits ? provider : undefined;
}

/** Returns true if the user configured an installation method for this provider. */
function isInstalledByChoice(project: Project, source: ProviderSource): boolean {
  if (rememberedPluginDirectories(project).length > 0) return true;
  const methods = cliConfigOf(project).providerInstallation?.methods ?? [];
  return methods.some((method) => coversSource(method, source));
}
