import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Configuration } from '../config/model.ts';
import { providerBlockOf } from '../config/resolve-provider.ts';
import type { State, StoredObject } from '../state/model.ts';

/**
 * Returns errors for orphans whose provider configuration is also removed, so that they cannot be deleted (Terraform's
 * ProviderTransformer). `role` is Terraform's name for the operation on current objects.
 */
export function missingOrphanProviders(
  configuration: Configuration,
  state: State,
  role: 'orphan' | 'destroy',
): readonly Diagnostic[] {
  const existence = new Map<ProviderConfigAddr, boolean>();
  const isMissing = ({ provider: { configuration: address } }: StoredObject): boolean => {
    let exists = existence.get(address);
    if (exists === undefined) {
      // The default configuration in the root module needs no provider block.
      exists =
        (address.alias === undefined && address.module.isRoot) ||
        providerBlockOf(configuration, address) !== undefined;
      existence.set(address, exists);
    }
    return !exists;
  };
  const problems: Diagnostic[] = [];
  const check = (addr: InstanceAddr): void => {
    const { current, deposed } = state.instance(addr) ?? {};
    if (current !== undefined && isMissing(current))
      problems.push(missingProvider(`${addr.text} (${role})`, current));
    for (const [key, object] of deposed ?? []) {
      if (isMissing(object))
        problems.push(missingProvider(`${addr.text} (deposed ${key})`, object));
    }
  };
  for (const absolute of state.resources()) {
    const { module, resource } = absolute;
    if (resource.mode !== 'managed') continue;
    if (configuration.modules.get(module.path.text)?.resources.has(resource.text) === true)
      continue;
    for (const addr of state.instancesOf(absolute)) check(addr);
  }
  return problems;
}

function missingProvider(name: string, { provider }: StoredObject): Diagnostic {
  return errorDiagnostic(
    'Provider configuration not present',
    `To work with ${name} its original provider configuration at ${provider.configuration.text} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${name}, after which you can remove the provider configuration again.`,
  );
}
