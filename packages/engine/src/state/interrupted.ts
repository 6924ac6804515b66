import type { InstanceAddr } from '@terrane/addresses';
import type { StateEvent } from './event.ts';
import type { StoredObject } from './model.ts';

/** A change that was started and has no recorded result. */
export type Interrupted = Extract<StateEvent, { kind: 'intent' | 'invoke' }>;

/** An object that may exist outside the state: the result of its creation is unknown. */
export interface InterruptedCreate {
  readonly addr: InstanceAddr;
  /** the object to be created; null for values that were unknown */
  readonly planned: StoredObject;
}

/**
 * Returns true if the event is an interrupted create, which stays open until the object is looked up. After an
 * interrupted update or delete the object is in the state, so that the next refresh shows the outcome.
 */
export function isOpenCreate(
  event: StateEvent,
): event is Extract<StateEvent, { kind: 'intent' }> & InterruptedCreate {
  return event.kind === 'intent' && event.action === 'create' && event.planned !== undefined;
}

/** Returns the planned `id` of an object; undefined if it was unknown. */
export function plannedId({ attributesJson }: StoredObject): string | undefined {
  // Most IDs are assigned later; such texts need not be parsed.
  if (attributesJson === undefined || /"id":\s*(?!null)/.exec(attributesJson) === null)
    return undefined;
  const attributes: unknown = JSON.parse(attributesJson);
  if (typeof attributes !== 'object' || attributes === null || !('id' in attributes))
    return undefined;
  const { id } = attributes;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns true if the provider can look up the object: its ID or identity was known before its creation. */
export function canBeLookedUp(planned: StoredObject): boolean {
  return planned.identityJson !== undefined || plannedId(planned) !== undefined;
}

/** Returns the open creates of a run, marked as carried over to the next run. */
export function carriedOver(open: readonly Interrupted[]): readonly Interrupted[] {
  return open.filter(isOpenCreate).map((event) => ({ ...event, carried: true }));
}

/** The intents without a result among events that are noted in their order. */
export class PendingIntents {
  readonly #ownIntents = new Map<InstanceAddr | string, Interrupted>();
  /** operations of earlier runs are independent of later ones at the same address */
  #carried: Extract<Interrupted, { kind: 'intent' }>[] = [];

  constructor(events: Iterable<StateEvent> = []) {
    for (const event of events) this.note(event);
  }

  /** Returns the pending operations, those of earlier runs first. */
  list(): readonly Interrupted[] {
    return [...this.#carried, ...this.#ownIntents.values()];
  }

  /** Processes the next record. */
  note(event: StateEvent): void {
    switch (event.kind) {
      case 'intent':
        if (event.carried === true) this.#carried.push(event);
        else this.#ownIntents.set(keyOf(event.addr, event.deposed), event);
        break;
      case 'invoke':
        if (event.ended) this.#ownIntents.delete(`invoke ${event.invocation}`);
        else this.#ownIntents.set(`invoke ${event.invocation}`, event);
        break;
      case 'put':
      case 'drop':
        this.#ownIntents.delete(keyOf(event.addr, event.deposed));
        break;
      case 'settled':
        this.#carried = this.#carried.filter(({ addr }) => addr !== event.addr);
        break;
      case 'move':
        this.#carried = this.#carried.map((open) =>
          open.addr === event.from ? { ...open, addr: event.to } : open,
        );
        break;
      case 'batch':
        for (const each of event.events) this.note(each);
        break;
      default:
    }
  }
}

/** Returns the interned address of a current object: a text would be hashed for each instance. */
function keyOf(addr: InstanceAddr, deposed: string | undefined): InstanceAddr | string {
  return deposed === undefined ? addr : `${addr.text} ${deposed}`;
}

/** The name of the object of an interrupted change in messages. */
export function objectName({ addr, deposed }: Extract<Interrupted, { kind: 'intent' }>): string {
  return deposed === undefined ? addr.text : `${addr.text} (deposed object ${deposed})`;
}

const MAX_VALUE_LENGTH = 100;

/**
 * Returns the planned attributes that help to identify an object, in the order of the schema. Values with sensitive
 * parts, null values and empty collections are omitted, and long values are truncated.
 */
export function tellingValues(planned: StoredObject): readonly (readonly [string, string])[] {
  if (planned.attributesJson === undefined) return [];
  const attributes: unknown = JSON.parse(planned.attributesJson);
  if (typeof attributes !== 'object' || attributes === null) return [];
  const sensitiveNames = new Set(
    planned.sensitivePaths.map(([first]) => (first?.kind === 'attr' ? first.name : '')),
  );
  return Object.entries(attributes).flatMap(([name, value]: readonly [string, unknown]) => {
    if (sensitiveNames.has(name) || sensitiveNames.has('') || isNothing(value)) return [];
    const text = JSON.stringify(value);
    return [[name, text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text]];
  });
}

function isNothing(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
