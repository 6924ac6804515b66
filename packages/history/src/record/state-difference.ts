import type { InstanceAddr } from '@terrane/addresses';
import { eventToJson, replay } from '@terrane/engine';
import type { State, StateEvent, StoredObject } from '@terrane/engine';
import { compactJson } from './compact-json.ts';
import { objectIdentity } from './object-identity.ts';

/**
 * Returns events that lead from one state to another, by comparing their objects. An object that is at another address
 * of the same type, with the same identity, has moved.
 */
export function stateDifference(from: State, to: State): readonly StateEvent[] {
  const moves = movesBetween(from, to);
  const events: StateEvent[] = [...moves];
  const source = moves.length === 0 ? from : replay(from, moves);
  events.push(...objectDifference(source, to));
  const outputs = outputsEvent(to);
  if (eventToJson(outputsEvent(from)) !== eventToJson(outputs)) events.push(outputs);
  if (to.checks !== undefined && JSON.stringify(from.checks) !== JSON.stringify(to.checks))
    events.push({ kind: 'checks', results: to.checks });
  return events;
}

function movesBetween(from: State, to: State): readonly StateEvent[] {
  const gone = new Map<string, InstanceAddr | undefined>();
  for (const addr of from.managedInstances()) {
    if (to.instance(addr) !== undefined) continue;
    const identity = typedIdentity(addr, from.instance(addr)?.current);
    // An identity that occurs twice identifies nothing.
    if (identity !== undefined) gone.set(identity, gone.has(identity) ? undefined : addr);
  }
  if (gone.size === 0) return [];
  const moves: StateEvent[] = [];
  for (const addr of to.managedInstances()) {
    if (from.instance(addr) !== undefined) continue;
    const identity = typedIdentity(addr, to.instance(addr)?.current);
    const former = identity === undefined ? undefined : gone.get(identity);
    if (identity === undefined || former === undefined) continue;
    gone.delete(identity);
    moves.push({ kind: 'move', from: former, to: addr });
  }
  return moves;
}

function typedIdentity(addr: InstanceAddr, object: StoredObject | undefined): string | undefined {
  const identity = objectIdentity(object);
  return identity === undefined ? undefined : `${addr.resource.resource.type} ${identity}`;
}

function objectDifference(from: State, to: State): readonly StateEvent[] {
  const events: StateEvent[] = [];
  const addresses = new Set<InstanceAddr>([...from.instances(), ...to.instances()]);
  for (const addr of addresses) {
    const [before, after] = [from.instance(addr), to.instance(addr)];
    const keys = new Set([...(before?.deposed.keys() ?? []), ...(after?.deposed.keys() ?? [])]);
    for (const deposed of [undefined, ...keys]) {
      const old = deposed === undefined ? before?.current : before?.deposed.get(deposed);
      const object = deposed === undefined ? after?.current : after?.deposed.get(deposed);
      if (isSameObject(addr, old, object)) continue;
      const place = { addr, ...(deposed === undefined ? {} : { deposed }) };
      events.push(
        object === undefined ? { kind: 'drop', ...place } : { kind: 'put', ...place, object },
      );
    }
  }
  return events;
}

/** Returns true if two stored objects of an address are equal in everything that a state file contains. */
export function isSameObject(
  addr: InstanceAddr,
  a: StoredObject | undefined,
  b: StoredObject | undefined,
): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const text = (object: StoredObject): string =>
    compactJson(eventToJson({ kind: 'put', addr, object }));
  return text(a) === text(b);
}

function outputsEvent({ outputs }: State): StateEvent {
  const values = [...outputs].map(
    ([name, { value, sensitive }]) => [name, sensitive ? value.mark('sensitive') : value] as const,
  );
  return { kind: 'outputs', values: new Map(values) };
}
