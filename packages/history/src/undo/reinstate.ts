import type { InstanceAddr } from '@terrane/addresses';
import type { DeposedKey, State, StateEvent, StoredObject } from '@terrane/engine';
import { objectIdentity } from '../record/object-identity.ts';

/**
 * Returns the events that restore deposed objects which were current before a run, as after an interrupted
 * create-before-destroy replacement. The replacement becomes deposed, so that the plan deletes it. Instances with a
 * creation of unknown result are skipped.
 */
export function reinstatements(
  state: State,
  before: State,
  openCreations: readonly { readonly addr: InstanceAddr }[],
  newKey: () => DeposedKey,
): readonly StateEvent[] {
  const openAddresses = new Set(openCreations.map(({ addr }) => addr.text));
  const events: StateEvent[] = [];
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    const priorIdentity = objectIdentity(before.instance(addr)?.current);
    if (instance === undefined || priorIdentity === undefined || openAddresses.has(addr.text))
      continue;
    const { current, deposed } = instance;
    if (objectIdentity(current) === priorIdentity) continue;
    const from = keyOfObject(deposed, priorIdentity);
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
