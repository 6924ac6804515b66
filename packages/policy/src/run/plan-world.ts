import type { Plan } from '@terrane/engine';
import type { Value } from '@terrane/cty';
import { type PolicyWorld, ResourceSet } from '../evaluate/world.ts';

/** The planned objects. During the apply, each is replaced with the actual object. */
export class PlanWorld implements PolicyWorld {
  readonly #objects = new Map<string, Map<string, Value>>();
  readonly #sets = new Map<string, ResourceSet>();
  /** types with deferred changes, of which there may be more objects than the plan lists */
  readonly #partial = new Set<string>();
  readonly readData: NonNullable<PolicyWorld['readData']>;
  readonly request: NonNullable<PolicyWorld['request']>;

  constructor(
    plan: Plan,
    readData: NonNullable<PolicyWorld['readData']>,
    request: NonNullable<PolicyWorld['request']>,
  ) {
    this.readData = readData;
    this.request = request;
    for (const { addr, after, deposed } of plan.changes) {
      const { mode, type } = addr.resource.resource;
      if (mode === 'managed' && deposed === undefined && !after.isNull)
        this.set(type, addr.text, after);
    }
    for (const { change } of plan.deferred) this.#partial.add(change.addr.resource.resource.type);
  }

  /** Records the present value of an object; undefined if it no longer exists. */
  set(type: string, address: string, value: Value | undefined): void {
    let objects = this.#objects.get(type);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(type, objects);
    }
    if (value === undefined) objects.delete(address);
    else objects.set(address, value);
    this.#sets.delete(type);
  }

  value(type: string, address: string): Value | undefined {
    return this.#objects.get(type)?.get(address);
  }

  resourcesOf(type: string): ResourceSet {
    let set = this.#sets.get(type);
    if (set === undefined) {
      const objects = [...(this.#objects.get(type)?.values() ?? [])];
      set = new ResourceSet(objects, this.#partial.has(type));
      this.#sets.set(type, set);
    }
    return set;
  }
}
