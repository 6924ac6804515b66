import type { InstanceAddr } from '@terrane/addresses';
import { eventToJson } from '@terrane/engine';
import type { State, StateEvent, StoredObject } from '@terrane/engine';
import { compactJson } from './compact-json.ts';

/** Returns events that lead from one state to another, by comparing their objects. */
export function stateDifference(from: State, to: State): readonly StateEvent[] {
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
  const outputs = outputsEvent(to);
  if (eventToJson(outputsEvent(from)) !== eventToJson(outputs)) events.push(outputs);
  if (to.checks !== undefined && JSON.stringify(from.checks) !== JSON.stringify(to.checks))
    events.push({ kind: 'checks', results: to.checks });
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
