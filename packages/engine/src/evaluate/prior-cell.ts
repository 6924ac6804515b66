import { AbsResource, type ModuleInstance } from '@terrane/addresses';
import { CtyError, type Type, UNKNOWN, type Value } from '@terrane/cty';
import type { Resource } from '../config/model.ts';
import { decodeStored } from '../state/stored-value.ts';
import type { State } from '../state/model.ts';
import { ResourceCell } from './module-cells.ts';
import { DISABLED, type Expansion, SINGLE } from './repetition.ts';

/** A resource as the state knows it: its instances are those that are stored. */
export function priorCell(
  resource: Resource,
  module: ModuleInstance,
  type: Type,
  state: State,
): ResourceCell {
  const abs = AbsResource.of(module, resource.addr);
  const instances = state.resourceInstances(abs);
  const cell = new ResourceCell(resource, type, expansionOfKeys(resource, [...instances.keys()]));
  for (const [key, addr] of instances) {
    const storedObject = state.instance(addr)?.current;
    if (storedObject === undefined) continue;
    try {
      cell.set(key, decodeStored(storedObject, type));
    } catch (error) {
      // Written for another version of the schema: the value is not known until it is upgraded.
      if (!(error instanceof CtyError)) throw error;
    }
  }
  return cell;
}

/** Returns the expansion of a resource with the given instance keys; `each.value` is unknown. */
export function expansionOfKeys(
  resource: Resource,
  keys: readonly (string | number | undefined)[],
): Expansion {
  if (resource.count !== undefined) {
    const indices = keys.filter((key) => typeof key === 'number');
    return { kind: 'count', count: indices.length === 0 ? 0 : Math.max(...indices) + 1 };
  }
  if (resource.forEach !== undefined) {
    const each = new Map<string, Value>();
    for (const key of keys) if (typeof key === 'string') each.set(key, UNKNOWN);
    return { kind: 'forEach', each };
  }
  return resource.enabled !== undefined && !keys.includes(undefined) ? DISABLED : SINGLE;
}
