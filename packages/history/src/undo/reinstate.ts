import type { InstanceAddr } from '@terrane/addresses';
import type { DeposedKey, State, StateEvent, StoredObject } from '@terrane/engine';
import { objectIdentity } from '../record/object-identity.ts';

/**
 * Returns the events that make the objects from before a run current again where the run left them behind as deposed
 * objects: a replacement that creates first and did not delete yet. The object that took the place becomes deposed, so
 * that the plan deletes it. Instances with a creation of unknown result are left alone.
 */
export function reinstatements(
  state: State,
  before: State,
  openCreations: readonly { readonly addr: InstanceAddr }[],
  newKey: () => DeposedKey,
): readonly StateEvent[] {
  const open = new Set(openCreations.map(({ addr }) => addr.text));
  const events: StateEvent[] = [];
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    const former = objectIdentity(before.instance(addr)?.current);
    if (instance === undefined || former === undefined || open.has(addr.text)) continue;
    const { current, deposed } = instance;
    if (objectIdentity(current) === former) continue;
    const from = keyOfObject(deposed, former);
    if (from === undefined) continue;
    if (current !== undefined)
      events.push({ kind: 'depose', addr, as: unusedKey(deposed, newKey) });
    events.push({ kind: 'restore', addr, from });
  }
  return events;
}

function keyOfObject(
  deposed: ReadonlyMap<DeposedKey, StoredObject>,
  identity: string,
): DeposedKey | undefined {
  for (const [key, object] of deposed) if (objectIdentity(object) === identity) return key;
  return undefined;
}

function unusedKey(
  deposed: ReadonlyMap<DeposedKey, StoredObject>,
  newKey: () => DeposedKey,
): DeposedKey {
  let key = newKey();
  while (deposed.has(key)) key = newKey();
  return key;
}
