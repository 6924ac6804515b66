import {
  AbsResource,
  compareInstances,
  type InstanceAddr,
  type ModuleInstance,
  parseTarget,
  type TargetAddr,
  targetContains,
  unkeyedInstance,
} from '@terrane/addresses';
import { didYouMeanClosest } from '../../lang/did-you-mean.ts';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { State, StoredObject } from '../model.ts';

/** The object that an address of a state command refers to. */
export type StateObjectAddr =
  | { readonly kind: 'module'; readonly module: ModuleInstance }
  | { readonly kind: 'resource'; readonly resource: AbsResource }
  | { readonly kind: 'instance'; readonly instance: InstanceAddr };

/** Parses the address of a state command; diagnostics are Terraform's. */
export function parseStateAddress(text: string): {
  readonly address?: StateObjectAddr;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { target, diagnostics } = parseTarget(text);
  if (target === undefined || hasErrors(diagnostics)) return { diagnostics };
  return { address: stateAddressOf(target), diagnostics };
}

function stateAddressOf(target: TargetAddr): StateObjectAddr {
  switch (target.kind) {
    case 'instance':
      return target;
    case 'module':
      return { kind: 'module', module: target.instance ?? unkeyedInstance(target.module) };
    case 'resource': {
      const { resource } = target;
      if (resource instanceof AbsResource) return { kind: 'resource', resource };
      const module = unkeyedInstance(resource.module);
      return { kind: 'resource', resource: AbsResource.of(module, resource.resource) };
    }
  }
}

/** Returns the text of an address. */
export function stateAddressText(address: StateObjectAddr): string {
  switch (address.kind) {
    case 'module':
      return address.module.text;
    case 'resource':
      return address.resource.text;
    case 'instance':
      return address.instance.text;
  }
}

/**
 * The instances that addresses of `terraform state list` and `state rm` select, those of each address
 * in order; without addresses all of them. What does not exist is an error, unless `allowMissing`.
 */
export function selectInstances(
  state: State,
  addresses: readonly string[],
  options?: { readonly allowMissing?: boolean },
): { readonly instances: readonly InstanceAddr[]; readonly diagnostics: readonly Diagnostic[] } {
  if (addresses.length === 0) {
    return { instances: [...state.instances()].sort(compareInstances), diagnostics: [] };
  }
  const instances: InstanceAddr[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of addresses) {
    const parsed = parseStateAddress(text);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.address === undefined) continue;
    const selected = instancesAt(state, parsed.address);
    if (selected === undefined) {
      if (options?.allowMissing !== true) diagnostics.push(missing(parsed.address, state));
    } else {
      instances.push(...[...selected].sort(compareInstances));
    }
  }
  return { instances, diagnostics };
}

/** `undefined`: the state has no object with that address. */
function instancesAt(state: State, address: StateObjectAddr): Iterable<InstanceAddr> | undefined {
  switch (address.kind) {
    case 'module': {
      const { module } = address;
      const target: TargetAddr = { kind: 'module', module: module.path, instance: module };
      let isKnown = false;
      const instances: InstanceAddr[] = [];
      for (const resource of state.resources()) {
        if (resource.module !== module && !targetContains(target, resource)) continue;
        isKnown = true;
        for (const instance of state.instancesOf(resource)) instances.push(instance);
      }
      return isKnown ? instances : undefined;
    }
    case 'resource':
      return state.resourceProvider(address.resource) === undefined
        ? undefined
        : state.instancesOf(address.resource);
    case 'instance': {
      const { instance } = address;
      const isStored = state.resourceInstances(instance.resource).has(instance.key);
      return isStored ? [instance] : undefined;
    }
  }
}

function missing(address: StateObjectAddr, state: State): Diagnostic {
  const text = stateAddressText(address);
  const suggestion = storedSuggestion(text, state);
  switch (address.kind) {
    case 'module':
      return errorDiagnostic(
        'Unknown module',
        `The current state contains no module at ${text}. If you've just added this module to the configuration, you must run "${programCommand('apply')}" first to create the module's entry in the state.${suggestion}`,
      );
    case 'resource':
      return errorDiagnostic(
        'Unknown resource',
        `The current state contains no resource ${text}. If you've just added this resource to the configuration, you must run "${programCommand('apply')}" first to create the resource's entry in the state.${suggestion}`,
      );
    case 'instance':
      return errorDiagnostic(
        'Unknown resource instance',
        `The current state contains no resource instance ${text}. If you've just added its resource to the configuration or have changed the count or for_each arguments, you must run "${programCommand('apply')}" first to update the resource's entry in the state.${suggestion}`,
      );
  }
}

/** Returns ` Did you mean "address"?` with a similar address of the state, or an empty text. */
export function storedSuggestion(
  text: string,
  state: State,
  wanted: 'any' | 'instances' = 'any',
): string {
  const addresses = new Set<string>();
  for (const resource of state.resources()) {
    if (wanted === 'any') {
      if (!resource.module.isRoot) addresses.add(resource.module.text);
      addresses.add(resource.text);
    }
    for (const { text: instance } of state.instancesOf(resource)) addresses.add(instance);
  }
  return didYouMeanClosest(text, addresses);
}

/** The id of an object as `state list -id` compares it. */
export function legacyObjectId(object: StoredObject | undefined): string {
  if (object === undefined) return '<not created>';
  if (object.attributesJson !== undefined) {
    const attributes: unknown = JSON.parse(object.attributesJson);
    if (typeof attributes === 'object' && attributes !== null) {
      const id = Object.entries(attributes).find(([name]) => name === 'id')?.[1] as unknown;
      if (typeof id === 'string') return id;
      if (id === undefined || id === null) return '';
    }
    return '<none>';
  }
  return object.attributesFlat?.['id'] ?? '<none>';
}
