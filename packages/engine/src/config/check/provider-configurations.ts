import { ProviderConfigAddr, type ProviderSource } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Configuration, Import, LocalProviderRef, Module } from '../model.ts';
import { providerBlockOf, resolveProvider } from '../resolve-provider.ts';

/**
 * Returns errors for undeclared provider configurations: those that calls pass, and aliased ones of resources, actions
 * or imports. Passed ones come first, and the first error hides all others, because its consequences are unknown.
 */
export function missingProviderConfigurations(configuration: Configuration): readonly Diagnostic[] {
  for (const module of configuration.modules.values()) {
    const missing = missingPassed(module);
    if (missing !== undefined) return [errorDiagnostic(`missing provider ${missing.text}`, '')];
  }
  const problems: Diagnostic[] = [];
  for (const module of configuration.modules.values()) {
    // Resources that imply the same provider share its local name.
    let declaredLocal: LocalProviderRef | undefined;
    const check = ({ addr, providerLocal }: ProviderUser): void => {
      if (providerLocal === declaredLocal) return;
      const address = resolveProvider(configuration, module, providerLocal);
      if (address.alias === undefined || providerBlockOf(configuration, address) !== undefined) {
        declaredLocal = providerLocal;
        return;
      }
      const text = module.path.isRoot ? addr.text : `${module.path.text}.${addr.text}`;
      problems.push(
        errorDiagnostic(
          'Provider configuration not present',
          `To work with ${text} its original provider configuration at ${address.text} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${text}, after which you can remove the provider configuration again.`,
        ),
      );
    };
    module.resources.forEach(check);
    module.actions.forEach(check);
    for (const block of module.imports) unclaimedImport(module, block).forEach(check);
  }
  return problems;
}

/** An object that refers to a provider configuration. */
interface ProviderUser {
  readonly addr: { readonly text: string };
  readonly providerLocal: LocalProviderRef;
}

/** An import of an undeclared resource takes its place. */
function unclaimedImport(
  module: Module,
  { toModule, toResource, providerLocal }: Import,
): ProviderUser[] {
  const isClaimed = !toModule.isRoot || module.resources.has(toResource.text);
  return isClaimed || providerLocal === undefined ? [] : [{ addr: toResource, providerLocal }];
}

/** The first configuration passed to a module that its caller neither declares nor is passed. */
function missingPassed(module: Module): ProviderConfigAddr | undefined {
  const { call, parent } = module;
  if (call?.providers === undefined || parent === undefined) return undefined;
  for (const { inChild, inParent } of call.providers) {
    const source = module.providerSource(inChild.name);
    if (declares(parent, source, inParent.alias)) continue;
    return ProviderConfigAddr.of(parent.path, source, inParent.alias);
  }
  return undefined;
}

/** A default configuration of the root module needs no block where the provider is required. */
function declares(module: Module, source: ProviderSource, alias: string | undefined): boolean {
  const { providers, requiredProviders, call } = module;
  if (module.parent === undefined && alias === undefined) {
    for (const required of requiredProviders.values()) if (required.source === source) return true;
  }
  for (const block of providers.values()) {
    if (block.alias === alias && module.providerSource(block.name) === source) return true;
  }
  const passed = call?.providers ?? [];
  return passed.some(
    ({ inChild }) => inChild.alias === alias && module.providerSource(inChild.name) === source,
  );
}
