import type { StateDraft } from './draft.ts';
import type { StateEvent } from './event.ts';

/** The net effect of a recovered journal on one object, on all outputs or on all check results. */
export interface RecoveredChange {
  readonly change: 'store' | 'drop' | 'depose' | 'restore' | 'move' | 'outputs' | 'checks';
  /** the instance address; absent for outputs and check results */
  readonly address?: string;
  readonly deposed?: string;
  /** the new address of a moved instance */
  readonly to?: string;
  /** set if the object is stored as tainted */
  readonly tainted?: true;
}

/**
 * Reduces the events of a journal to one change per object. Intermediate versions of an object are omitted, and so is
 * an object that was created and deleted within the journal.
 */
export class RecoveredChanges {
  /** keyed by object, so that a later change replaces an earlier one; insertion order is journal order */
  readonly #changes = new Map<string, RecoveredChange>();
  /** objects that were in the state before their first event */
  readonly #preexisting = new Set<string>();
  /** distinguishes objects of one address before and after it was deposed, restored or moved */
  #generation = 0;

  /** Records an event; must be called before the event is applied to `draft`. */
  add(event: StateEvent, draft: StateDraft): void {
    switch (event.kind) {
      case 'put':
      case 'drop':
        this.#addObject(event, draft);
        break;
      case 'depose':
        this.#addStructural({ change: 'depose', address: event.addr.text, deposed: event.as });
        break;
      case 'restore':
        this.#addStructural({ change: 'restore', address: event.addr.text, deposed: event.from });
        break;
      case 'move':
        this.#addStructural({ change: 'move', address: event.from.text, to: event.to.text });
        break;
      case 'outputs':
      case 'checks':
        this.#changes.set(event.kind, { change: event.kind });
        break;
      default:
        // Intents change nothing. The members of a batch must be added one by one, each before it is applied.
        break;
    }
  }

  list(): readonly RecoveredChange[] {
    return [...this.#changes.values()];
  }

  #addObject(
    event: Extract<StateEvent, { readonly kind: 'put' | 'drop' }>,
    draft: StateDraft,
  ): void {
    const { addr, deposed } = event;
    const key = JSON.stringify([this.#generation, addr.text, deposed]);
    if (!this.#changes.has(key)) {
      const objects = draft.instance(addr);
      const object = deposed === undefined ? objects?.current : objects?.deposed.get(deposed);
      if (object !== undefined) this.#preexisting.add(key);
    }
    if (event.kind === 'drop' && !this.#preexisting.has(key)) {
      this.#changes.delete(key);
      return;
    }
    this.#changes.set(key, {
      change: event.kind === 'put' ? 'store' : 'drop',
      address: addr.text,
      ...(deposed === undefined ? {} : { deposed }),
      ...(event.kind === 'put' && event.object.status === 'tainted' ? { tainted: true } : {}),
    });
  }

  #addStructural(change: RecoveredChange): void {
    this.#generation += 1;
    this.#changes.set(JSON.stringify([this.#generation]), change);
  }
}
