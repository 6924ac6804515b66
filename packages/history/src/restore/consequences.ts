import type { InstanceAddr } from '@terrane/addresses';
import type { State, StoredObject } from '@terrane/engine';
import type { HistoryIndex } from '../record/history-store.ts';
import { describeChanges, type StateChanges } from '../read/object-changes.ts';
import { stateDifference } from '../record/state-difference.ts';
import { objectIdentity } from '../record/object-identity.ts';
import type { RunSummary } from '../record/model.ts';

/** An object in a state. */
export interface ObjectReference {
  readonly address: string;
  readonly deposed?: string;
}

/** The consequences of restoring an older state for the real objects, which the restore does not change. */
export interface RestoreConsequences {
  /** objects that would no longer be managed */
  readonly orphans: readonly ObjectReference[];
  /** objects that would be in the state again, although they may have been destroyed since */
  readonly revived: readonly ObjectReference[];
  /** addresses at which the current object differs from the restored one, and would become an orphan or duplicate */
  readonly doubles: readonly ObjectReference[];
  /** objects that remain managed, with outdated attributes */
  readonly outdated: readonly ObjectReference[];
  readonly changes: StateChanges;
  readonly since: ChangesSince;
}

/** Changes after the restored state, which it does not contain. */
export interface ChangesSince {
  /** the runs that changed objects, oldest first */
  readonly later: readonly LaterRun[];
  /** true if the current state was not stored by a recorded run, but by another program */
  readonly isChangedElsewhere: boolean;
}

/** A run after the restored state, with the objects that it changed. */
export interface LaterRun {
  readonly run: RunSummary;
  /** addresses of managed objects, sorted */
  readonly objects: readonly string[];
}

/** Determines the consequences of replacing the current state by an older one. */
export function restoreConsequences(
  current: State,
  older: State,
  schemas: HistoryIndex['schemas'],
  since: ChangesSince,
): RestoreConsequences {
  const orphans: ObjectReference[] = [];
  const revived: ObjectReference[] = [];
  const doubles: ObjectReference[] = [];
  const outdated: ObjectReference[] = [];
  const [currentObjects, olderObjects] = [managedObjects(current), managedObjects(older)];
  // A moved object is no orphan: it is managed at its other address.
  const identities = new Set([...olderObjects.values()].map(({ identity }) => identity));
  for (const [key, { reference, identity }] of currentObjects) {
    const old = olderObjects.get(key);
    const isManagedThen = identity !== undefined && identities.has(identity);
    if (old === undefined) {
      if (!isManagedThen) orphans.push(reference);
    } else if (old.identity !== identity) {
      doubles.push(reference);
    }
  }
  for (const [key, { reference }] of olderObjects)
    if (!currentObjects.has(key)) revived.push(reference);
  const events = stateDifference(current, older);
  const changedAddresses = new Set(
    events.flatMap((event) => (event.kind === 'put' ? [keyOf(event.addr, event.deposed)] : [])),
  );
  for (const [key, { reference, identity }] of currentObjects)
    if (changedAddresses.has(key) && olderObjects.get(key)?.identity === identity)
      outdated.push(reference);
  return {
    orphans,
    revived,
    doubles,
    outdated,
    changes: describeChanges(current, events, schemas),
    since,
  };
}

interface ManagedObject {
  readonly reference: ObjectReference;
  /** with the type, so that it is unique in a state */
  readonly identity: string | undefined;
}

function managedObjects(state: State): ReadonlyMap<string, ManagedObject> {
  const objects = new Map<string, ManagedObject>();
  const add = (addr: InstanceAddr, object: StoredObject, deposed?: string): void => {
    const id = objectIdentity(object);
    const { type } = addr.resource.resource;
    objects.set(keyOf(addr, deposed), {
      reference: { address: addr.text, ...(deposed === undefined ? {} : { deposed }) },
      identity: id === undefined ? undefined : `${type} ${id}`,
    });
  };
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    if (instance?.current !== undefined) add(addr, instance.current);
    for (const [key, object] of instance?.deposed ?? []) add(addr, object, key);
  }
  return objects;
}

const keyOf = ({ text }: InstanceAddr, deposed: string | undefined): string =>
  `${text} ${deposed ?? ''}`;
