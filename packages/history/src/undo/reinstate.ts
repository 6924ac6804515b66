import type { InstanceAddr } from '@terrane/addresses';
import type { DeposedKey, State, StateEvent, StoredObject } from '@terrane/engine';
import { objectIdentity } from '../record/object-identity.ts';

/** The events that make former objects current again. */
export interface Reinstatements {
  readonly events: readonly StateEvent[];
  /** instances whose former object waits for the result of an interrupted creation */
  readonly waiting: readonly InstanceAddr[];
}

/**
 * Returns the events that restore deposed objects which were current before a run, as after an interrupted
 * create-before-destroy replacement. The replacement becomes deposed, so that the plan deletes it. Instances with a
 * creation of unknown result have to wait: its object would be the current one.
 */
export function reinstatements(
  state: State,
  before: State,
  openCreations: readonly { readonly addr: InstanceAddr }[],
  newKey: () => DeposedKey,
): Reinstatements {
  const openAddresses = new Set(openCreations.map(({ addr }) => addr.text));
  const events: StateEvent[] = [];
  const waiting: InstanceAddr[] = [];
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    const priorIdentity = objectIdentity(before.instance(addr)?.current);
    if (instance === undefined || priorIdentity === undefined) continue;
    const { current, deposed } = instance;
    if (objectIdentity(current) === priorIdentity) continue;
    const from = keyOfObject(deposed, priorIdentity);
    if (from === undefined) continue;
    if (openAddresses.has(addr.text)) {
      waiting.push(addr);
      continue;
    }
    if (current !== undefined)
      events.push({ kind: 'depose', addr, as: unusedKey(deposed, newKey) });
    events.push({ kind: 'restore', addr, from });
  }
  return { events, waiting };
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
