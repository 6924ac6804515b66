import {
  errorDiagnostic,
  variables,
  warningDiagnostic,
  type Diagnostic,
  type Expression,
} from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { Module, ProviderRef, Resource } from './model.ts';
import { providerKey } from './provider-ref.ts';

/** Checks how a module names instances of its provider configurations, in resources and in calls. */
export function checkProviderInstances(
  module: Module,
  configured: ReadonlySet<string>,
  diagnostics: Diagnostic[],
): void {
  const forEachOf = (ref: { readonly name: string; readonly alias?: string }) =>
    module.providers.get(providerKey(ref))?.forEach;
  for (const call of module.calls.values()) {
    for (const { inChild, inParent } of call.providers ?? []) {
      if (inChild.key !== undefined) {
        diagnostics.push(
          errorDiagnostic(
            'Invalid module provider configuration',
            'Instance keys are not allowed on the left side of a provider configuration assignment.',
            inChild.key.range,
          ),
        );
      }
      const forEach = forEachOf(inParent);
      checkReference('module', inParent, forEach, configured, diagnostics);
      if (inParent.key === undefined) continue;
      const target = module.path.child(call.name).text;
      warnOfSameCollection('module', target, call.forEach, forEach, diagnostics);
    }
  }
  for (const resource of module.resources.values()) {
    const ref = explicitRef(resource);
    if (ref === undefined) continue;
    const forEach = forEachOf(ref);
    checkReference('resource', ref, forEach, configured, diagnostics);
    if (ref.key === undefined || resource.addr.mode !== 'managed') continue;
    const { text } = resource.addr;
    const target = module.path.isRoot ? text : `${module.path.text}.${text}`;
    warnOfSameCollection('resource', target, resource.forEach, forEach, diagnostics);
  }
}

function explicitRef({ providerLocal }: Resource): ProviderRef | undefined {
  const { name, alias, key, range } = providerLocal;
  if (range === undefined) return undefined;
  return {
    name,
    nameRange: range,
    ...(alias === undefined ? {} : { alias }),
    ...(key === undefined ? {} : { key }),
  };
}

function checkReference(
  block: 'module' | 'resource',
  ref: ProviderRef,
  forEach: Expression | undefined,
  configured: ReadonlySet<string>,
  diagnostics: Diagnostic[],
): void {
  const summary = `Invalid ${block} provider configuration`;
  const { key, name, alias, nameRange } = ref;
  if (key === undefined) {
    if (forEach === undefined) return;
    diagnostics.push(
      errorDiagnostic(
        summary,
        'A reference to a provider configuration which uses for_each requires an instance key. Passing a collection of provider instances into a child module is not allowed.',
        nameRange,
      ),
    );
  } else if (alias === undefined) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        'An instance key can be specified only for a provider configuration which has an alias and uses for_each.',
        key.range,
      ),
    );
  } else if (forEach === undefined) {
    diagnostics.push(
      configured.has(providerKey(ref))
        ? errorDiagnostic(
            summary,
            'An instance key can be specified only for a provider configuration that uses for_each.',
            key.range,
          )
        : errorDiagnostic(
            summary,
            `This module doesn't declare a provider "${name}" block with alias = "${alias}", which is required for use with for_each.`,
            nameRange,
          ),
    );
  }
}

/** An instance that is removed together with its provider instance cannot be destroyed. */
function warnOfSameCollection(
  block: 'module' | 'resource',
  target: string,
  used: Expression | undefined,
  forEach: Expression | undefined,
  diagnostics: Diagnostic[],
): void {
  if (used === undefined || forEach === undefined) return;
  if (variables(used).length === 0 || textOf(used) !== textOf(forEach)) return;
  diagnostics.push(
    warningDiagnostic(
      `Provider configuration for_each matches ${block}`,
      `This provider configuration uses the same for_each expression as a ${block}, which means that subsequent removal of elements from this collection would cause a planning error.\n\nTerraform relies on a provider instance to destroy resource instances that are associated with it, and so the provider instance must outlive all of its resource instances by at least one plan/apply round. For removal of instances to succeed in future you must structure the configuration so that the provider block's for_each expression can produce a superset of the instances of the resources associated with the provider configuration. Refer to the Terraform documentation for specific suggestions.\n\nTo destroy this object before removing the provider configuration, consider first performing a targeted destroy:\n    ${programCommand('apply -destroy -target=')}${target}`,
      used.range,
    ),
  );
}

/** Returns the source text of an expression without white space and outer parentheses. */
function textOf(e: Expression): string {
  const { source, start, end } = e.range;
  const text = source.text.slice(start, end).replace(/\s+/g, '');
  return /^\(([^()]*)\)$/.exec(text)?.[1] ?? text;
}
