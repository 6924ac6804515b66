import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { ProviderConfigAddr } from '../../addrs/provider-source.ts';
import type { Configuration, Module } from '../model.ts';
import { providerBlockOf, resolveProvider } from '../resolve-provider.ts';

/**
 * Errors for aliased provider configurations that calls pass or resources name, and nobody declares. What
 * is passed comes first, and the first fault hides all others: what is below it cannot be told.
 */
export function missingProviderConfigurations(configuration: Configuration): readonly Diagnostic[] {
  for (const module of configuration.modules.values()) {
    const missing = missingPassed(configuration, module);
    if (missing !== undefined) return [errorDiagnostic(`missing provider ${missing.text}`, '')];
  }
  const problems: Diagnostic[] = [];
  for (const module of configuration.modules.values()) {
    for (const user of [...module.resources.values(), ...module.actions.values()]) {
      const address = resolveProvider(configuration, module, user.providerLocal);
      if (address.alias === undefined) continue;
      if (providerBlockOf(configuration, address) !== undefined) continue;
      const text = module.path.isRoot ? user.addr.text : `${module.path.text}.${user.addr.text}`;
      problems.push(
        errorDiagnostic(
          'Provider configuration not present',
          `To work with ${text} its original provider configuration at ${address.text} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${text}, after which you can remove the provider configuration again.`,
        ),
      );
    }
  }
  return problems;
}

/** The first aliased configuration passed to a module that its caller neither declares nor is passed. */
function missingPassed(
  configuration: Configuration,
  module: Module,
): ProviderConfigAddr | undefined {
  const { call, parent } = module;
  if (call?.providers === undefined || parent === undefined) return undefined;
  for (const { inChild, inParent } of call.providers) {
    if (inParent.alias === undefined) continue;
    const address = resolveProvider(configuration, parent, inParent);
    if (providerBlockOf(configuration, address) !== undefined) continue;
    return ProviderConfigAddr.of(parent.path, module.providerSource(inChild.name), inParent.alias);
  }
  return undefined;
}
