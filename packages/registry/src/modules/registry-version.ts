import { quoteText } from '@terrane/cty';
import { type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { chooseModuleVersion } from './choose-module-version.ts';
import { failedModule, type InstalledCall, placeOf } from './installed-module.ts';
import { ModuleNotFound, type RegistryModule } from './module-registry.ts';

/** Access to the versions of a module. */
export interface VersionPorts {
  /** requests the versions from the registry; undefined for a malformed response */
  readonly versions: (module: RegistryModule) => Promise<readonly string[] | undefined>;
  readonly signal: AbortSignal;
}

/** Returns the newest version of a module that the call allows; without one, the diagnostics have the reason. */
export async function selectRegistryVersion(
  call: InstalledCall,
  module: RegistryModule,
  address: string,
  { versions, signal }: VersionPorts,
): Promise<{ readonly match?: string; readonly diagnostics: readonly Diagnostic[] }> {
  const { host } = module;
  const offered = await offeredVersions(call, module, { versions, signal });
  if ('diagnostics' in offered) return offered;
  const { match, newest, invalid } = chooseModuleVersion(offered.versions, call.version);
  const warnings = invalid.map((text) =>
    warningDiagnostic(
      'Invalid response from remote module registry',
      `The registry at ${host} returned an invalid version string ${quoteText(text)} for module ${quoteText(call.name)} (${placeOf(call)}), which Terraform ignored.`,
      call.range,
    ),
  );
  if (newest === undefined) {
    return failedModule(
      'Module has no versions',
      `Module ${quoteText(address)} (${placeOf(call)}) has no versions available on ${host}.`,
      call,
      warnings,
    );
  }
  if (match === undefined) {
    return failedModule(
      'Unresolvable module version constraint',
      `There is no available version of module ${quoteText(address)} (${placeOf(call)}) which matches the given version constraint. The newest available version is ${newest}.`,
      call,
      warnings,
    );
  }
  return { match, diagnostics: warnings };
}

/** Requests the versions of a module from its registry. */
async function offeredVersions(
  call: InstalledCall,
  module: RegistryModule,
  { versions, signal }: VersionPorts,
): Promise<
  { readonly versions: readonly string[] } | { readonly diagnostics: readonly Diagnostic[] }
> {
  const { host } = module;
  let offered: readonly string[] | undefined;
  try {
    offered = await versions(module);
  } catch (error) {
    if (error instanceof ModuleNotFound) {
      return failedModule(
        'Module not found',
        `Module ${quoteText(call.name)} (from ${placeOf(call)}) cannot be found in the module registry at ${host}.`,
        call,
      );
    }
    if (signal.aborted) {
      return failedModule(
        'Module installation was interrupted',
        `Received interrupt signal while retrieving available versions for module ${quoteText(call.name)}.`,
      );
    }
    return failedModule(
      'Error accessing remote module registry',
      `Failed to retrieve available versions for module ${quoteText(call.name)} (${placeOf(call)}) from ${host}: ${userErrorText(error)}.`,
      call,
    );
  }
  if (offered === undefined) {
    return failedModule(
      'Invalid response from remote module registry',
      `The registry at ${host} returned an invalid response when Terraform requested available versions for module ${quoteText(call.name)} (${placeOf(call)}).`,
      call,
    );
  }
  return { versions: offered };
}
