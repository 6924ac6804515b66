import { AbsResource, type InstanceAddr, type ProviderConfigAddr } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Configuration } from '../config/model.ts';
import { providerBlockOf, resolveProviderKey } from '../config/resolve-provider.ts';
import type { Evaluation } from './evaluation.ts';
import type { ModuleCells, ResourceCell } from './module-cells.ts';
import { evaluateProviderKey, passingCells } from './provider-key.ts';
import { repetitionOf } from './repetition.ts';

/** An instance of a resource, as needed to select its provider. */
export interface ProviderUser {
  readonly cells: ModuleCells;
  readonly cell: ResourceCell;
  readonly key: string | number | undefined;
}

/**
 * Returns the provider configuration, or its instance, that serves a resource instance; undefined, with diagnostics, if
 * its key is invalid or there is no such instance (resolveProviderInstance).
 */
export function providerInstanceFor(
  evaluation: Evaluation,
  { cells, cell, key }: ProviderUser,
  diagnostics: Diagnostic[],
): ProviderConfigAddr | undefined {
  const { resource } = cell;
  const resolved = resolveProviderKey(cells.module, resource.providerLocal);
  const { address, key: instanceKey } = resolved;
  if (instanceKey === undefined) return address;
  const addr = AbsResource.of(cells.instance, resource.addr).instance(key);
  const passing = passingCells(cells, instanceKey);
  const scope =
    passing === undefined
      ? evaluation.scope(cells, repetitionOf(cell.expansion, key))
      : evaluation.scope(passing.cells, passing.repetition);
  const text = evaluateProviderKey(instanceKey.expression, scope, addr.text, diagnostics);
  if (text === undefined) return undefined;
  const instance = address.instance(text);
  const missing = missingInstance(evaluation.program.configuration, instance, addr);
  if (missing === undefined) return instance;
  diagnostics.push(missing);
  return undefined;
}

/**
 * Returns the provider configuration, or its instance, that can remove an undeclared object: the one of its resource,
 * if that is declared, otherwise the one recorded in the state.
 */
export function providerOfLeaving(
  configuration: Configuration,
  addr: InstanceAddr,
  stored: ProviderConfigAddr,
): { readonly provider: ProviderConfigAddr; readonly diagnostics: readonly Diagnostic[] } {
  const { module: instance, resource: resourceAddr } = addr.resource;
  const module = configuration.modules.get(instance.path.text);
  const resource = module?.resources.get(resourceAddr.text);
  let provider = stored;
  if (module !== undefined && resource !== undefined) {
    const { address, key } = resolveProviderKey(module, resource.providerLocal);
    if (key === undefined) provider = address;
    else if (address !== stored.configuration) {
      const problem = errorDiagnostic(
        'Unable to use fallback provider from state',
        `Provider from configuration ${address.text} does not match provider from state ${stored.configuration.text} for resource ${addr.text}`,
      );
      return { provider: stored, diagnostics: [problem] };
    }
  }
  const missing = missingInstance(configuration, provider, addr);
  return { provider, diagnostics: missing === undefined ? [] : [missing] };
}

/**
 * Returns an error if the provider instance of an object in the state does not exist: the provider configuration gained
 * instances, or lost the one that created the object. Undefined if it exists.
 */
function missingInstance(
  configuration: Configuration,
  provider: ProviderConfigAddr,
  addr: InstanceAddr,
): Diagnostic | undefined {
  const instances = providerBlockOf(configuration, provider.configuration)?.block.instances;
  if (
    provider.key === undefined ? instances === undefined : instances?.has(provider.key) === true
  ) {
    return undefined;
  }
  const required = `To work with ${addr.text} its original provider instance at ${provider.text} is required, but it has been removed.`;
  const detail =
    provider.key === undefined
      ? `${required} This suggests that you've added for_each to this provider configuration while there are existing instances of ${addr.resource.text} that need to be destroyed by the original single-instance provider configuration.\n\nTo proceed, return to your previous single-instance configuration for ${provider.text} and ensure that ${addr.text} has been destroyed or forgotten before using for_each with this provider, or change the resource configuration to still declare an instance with the key ${addr.key === undefined ? '' : addr.text.slice(addr.resource.text.length)}.`
      : `${required} This occurs when an element is removed from the provider configuration's for_each collection while objects created by that the associated provider instance still exist in the state. Re-add the for_each element to destroy ${addr.text}, after which you can remove the provider configuration again.\n\nThis is commonly caused by using the same for_each collection both for a resource (or its containing module) and its associated provider configuration. To successfully remove an instance of a resource it must be possible to remove the corresponding element from the resource's for_each collection while retaining the corresponding element in the provider's for_each collection.`;
  return errorDiagnostic('Provider instance not present', detail);
}
