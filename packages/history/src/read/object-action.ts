import type { InstanceAddr } from '@terrane/addresses';
import type { StoredObject } from '@terrane/engine';
import type { RunRecord } from '../record/model.ts';

/**
 * The action of a run on one object in the state. `refresh` and `vanish`: the run did not change the object, but found
 * that it had been changed or removed. `forget`: the object exists, and the state does not contain it any more.
 */
export type ObjectAction =
  | 'create'
  | 'import'
  | 'read'
  | 'update'
  | 'refresh'
  | 'delete'
  | 'vanish'
  | 'forget'
  | 'move'
  | 'depose'
  | 'restore'
  | 'taint'
  | 'untaint';

/** Determines the action of an event from the object at its address before and after it. */
export type ActionOf = (
  addr: InstanceAddr,
  before: Pick<StoredObject, 'status'> | undefined,
  after: StoredObject | undefined,
) => ObjectAction;

/** Returns true if an action is a change by others, which a run only found. */
export function isOutside(action: ObjectAction): boolean {
  return action === 'refresh' || action === 'vanish';
}

/** The facts of a run that determine the actions of its events. */
type ActionFacts = Pick<RunRecord, 'command' | 'imported' | 'forgotten' | 'adopted'>;

/** Returns a function that determines the action of the event at a position of a run, if it sets or removes an object. */
export function objectActions({
  command,
  adopted = 0,
  ...facts
}: ActionFacts): (position: number) => ActionOf {
  const imported = new Set(facts.imported);
  const forgotten = new Set(facts.forgotten);
  return (position) => (addr, before, after) => {
    const isData = addr.resource.resource.mode === 'data';
    const isAdopted = position < adopted && !isData;
    if (after === undefined) {
      if (command === 'state-rm' || forgotten.has(addr.text)) return 'forget';
      return isAdopted ? 'vanish' : 'delete';
    }
    if (isData) return 'read';
    if (before === undefined) {
      const isImported = command === 'import' || (isAdopted && imported.has(addr.text));
      return isImported ? 'import' : 'create';
    }
    if (before.status !== after.status) return after.status === 'tainted' ? 'taint' : 'untaint';
    return isAdopted ? 'refresh' : 'update';
  };
}
