import type { InstanceAddr } from '@terrane/addresses';
import { type State, StateDraft, type StateEvent, type StoredObject } from '@terrane/engine';
import { MAX_FILTERED } from './address-filter.ts';
import type { ObjectCounts } from './model.ts';
import { isOutside, type ObjectAction, type objectActions } from '../read/object-action.ts';

/** The objects that a run changed. */
export interface ChangedObjects {
  readonly counts: ObjectCounts;
  /** in no order, and incomplete if they are more than a filter can have */
  readonly addresses: ReadonlySet<InstanceAddr>;
}

/** The count of actions that set or remove an object, if it is not that of updates. */
const COUNTED: Partial<Readonly<Record<ObjectAction, 'created' | 'deleted' | 'other'>>> = {
  create: 'created',
  delete: 'deleted',
  import: 'other',
  forget: 'other',
};

/** An event that sets or removes an object. */
type ObjectEvent = Extract<StateEvent, { kind: 'put' | 'drop' }>;

/**
 * Counts the objects that events change, compared with the base. `adopted` is the number of events at the beginning
 * that the run adopted from its plan.
 */
export function changedObjects(
  base: State,
  changes: readonly StateEvent[],
  actionAt: ReturnType<typeof objectActions>,
  adopted: number,
): ChangedObjects {
  const counter = new Counter(objectsOver(base, changes), actionAt, adopted);
  for (let position = 0; position < changes.length; position++) {
    const event = changes[position];
    if (event !== undefined) counter.add(event, position);
  }
  return counter.result();
}

/**
 * A run of thousands of changes counts them once, in code that the compiler has not seen yet. One large loop is
 * optimized while it runs, which costs more than the loop; small methods are not.
 */
class Counter {
  readonly #objects: EarlierObjects;
  readonly #actionAt: ReturnType<typeof objectActions>;
  readonly #adopted: number;
  readonly #addresses = new Set<InstanceAddr>();
  readonly #counts = { created: 0, updated: 0, deleted: 0, other: 0 };
  #outside = 0;

  constructor(
    objects: EarlierObjects,
    actionAt: ReturnType<typeof objectActions>,
    adopted: number,
  ) {
    this.#objects = objects;
    this.#actionAt = actionAt;
    this.#adopted = adopted;
  }

  add(event: StateEvent, position: number): void {
    switch (event.kind) {
      case 'put':
      case 'drop':
        this.#note(event.addr);
        if (event.addr.resource.resource.mode === 'managed') this.#count(event, position);
        break;
      case 'move':
        this.#note(event.from);
        this.#note(event.to);
        this.#counts.other++;
        break;
      case 'depose':
      case 'restore':
        this.#note(event.addr);
        this.#counts.other++;
        break;
      default:
        return;
    }
    this.#objects.apply(event);
  }

  #note(addr: InstanceAddr): void {
    if (this.#addresses.size <= MAX_FILTERED) this.#addresses.add(addr);
  }

  #count(event: ObjectEvent, position: number): void {
    const before = this.#before(event, position);
    const isCounted = event.kind === 'put' ? event.deposed === undefined : before !== undefined;
    if (!isCounted) return;
    const after = event.kind === 'put' ? event.object : undefined;
    const action = this.#actionAt(position)(event.addr, before, after);
    if (isOutside(action)) this.#outside++;
    else this.#counts[COUNTED[action] ?? 'updated']++;
  }

  #before(event: ObjectEvent, position: number): Pick<StoredObject, 'status'> | undefined {
    if (!this.#objects.has(event)) return undefined;
    const after = event.kind === 'put' ? event.object : undefined;
    // Only for adopted changes does the status decide what is counted. Objects of the base have to be parsed for it.
    if (position >= this.#adopted || after === undefined)
      return { status: after?.status ?? 'ready' };
    return this.#objects.get(event);
  }

  result(): ChangedObjects {
    const counts = this.#counts;
    const outside = this.#outside;
    return {
      counts: outside === 0 ? counts : { ...counts, outside },
      addresses: this.#addresses,
    };
  }
}

/** The objects of a state to which events are applied one after the other. */
interface EarlierObjects {
  /** Returns true if the object that an event sets or removes exists before it. */
  has(event: ObjectEvent): boolean;
  get(event: ObjectEvent): StoredObject | undefined;
  apply(event: StateEvent): void;
}

/** Returns the objects of the base. Most runs set and remove current objects alone, for which a map is sufficient. */
function objectsOver(base: State, changes: readonly StateEvent[]): EarlierObjects {
  const isCurrent = changes.every(
    (event) =>
      event.kind === 'outputs' ||
      event.kind === 'checks' ||
      ((event.kind === 'put' || event.kind === 'drop') && event.deposed === undefined),
  );
  return isCurrent ? new CurrentObjects(base) : new AllObjects(base);
}

class AllObjects implements EarlierObjects {
  readonly #draft: StateDraft;

  constructor(base: State) {
    this.#draft = new StateDraft(base);
  }

  has({ addr, deposed }: ObjectEvent): boolean {
    return this.#draft.hasObject(addr, deposed);
  }

  get({ addr, deposed }: ObjectEvent): StoredObject | undefined {
    const instance = this.#draft.instance(addr);
    return deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
  }

  apply(event: StateEvent): void {
    this.#draft.apply(event);
  }
}

class CurrentObjects implements EarlierObjects {
  readonly #base: StateDraft;
  /** the changed objects; null: removed */
  readonly #changed = new Map<InstanceAddr, StoredObject | null>();

  constructor(base: State) {
    this.#base = new StateDraft(base);
  }

  has({ addr }: ObjectEvent): boolean {
    const changed = this.#changed.get(addr);
    return changed === undefined ? this.#base.hasObject(addr) : changed !== null;
  }

  get({ addr }: ObjectEvent): StoredObject | undefined {
    const changed = this.#changed.get(addr);
    return changed === undefined ? this.#base.instance(addr)?.current : (changed ?? undefined);
  }

  apply(event: StateEvent): void {
    if (event.kind === 'put') this.#changed.set(event.addr, event.object);
    else if (event.kind === 'drop') this.#changed.set(event.addr, null);
  }
}
