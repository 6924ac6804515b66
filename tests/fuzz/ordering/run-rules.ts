import type { InstanceAddr } from '@terrane/addresses';
import type { Plan, State, StoredObject } from '@terrane/engine';
import {
  ancestorsOf,
  createsFirst,
  labelOf,
  type Model,
  resourceText,
  SLOTS,
} from './random-configurations.ts';
import type { ChangeCall, TestWorld } from '../../engine/test-provider.ts';
import { areInOtherInstances } from '../other-module-instance.ts';

/** The subject of the rules: an apply and its states. */
export interface Applied {
  readonly model: Model;
  readonly plan: Plan;
  readonly changes: readonly ChangeCall[];
}

/** The position of an object in a state. */
interface Place {
  readonly resource: string;
  readonly address: string;
  readonly deposed: string | undefined;
  readonly dependencies: readonly string[];
  readonly createsFirst: boolean;
}

/** The objects of a state by their ids; an id that is there twice is a problem. */
function placesOf(state: State, problems: string[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    for (const [deposed, object] of [
      [undefined, instance?.current] as const,
      ...(instance?.deposed ?? []),
    ]) {
      if (object === undefined) continue;
      const { id } = JSON.parse(object.attributesJson ?? '{}') as { id?: string };
      if (id === undefined) problems.push(`${addr.text} has no id`);
      else if (places.has(id)) problems.push(`${id} is in the state twice`);
      else places.set(id, placeOf(addr, deposed, object));
    }
  }
  return places;
}

function placeOf(addr: InstanceAddr, deposed: string | undefined, object: StoredObject): Place {
  const { dependencies, createBeforeDestroy: createsFirst } = object;
  return { resource: addr.config.text, address: addr.text, deposed, dependencies, createsFirst };
}

/** The state knows what is in the world, all of it and once, as it is. */
export function inventoryProblems(state: State, world: TestWorld): readonly string[] {
  const problems: string[] = [];
  const places = placesOf(state, problems);
  for (const id of world.objects.keys()) if (!places.has(id)) problems.push(`${id} is forgotten`);
  for (const [id, { address }] of places)
    if (!world.objects.has(id)) problems.push(`${address} is ${id}, which is gone`);
  for (const addr of state.managedInstances()) {
    const { current } = state.instance(addr) ?? {};
    const stored = JSON.parse(current?.attributesJson ?? '{}') as Record<
      string,
      string | number | null
    >;
    const real = world.objects.get(String(stored['id']));
    for (const name of ['name', 'kind', 'secret'] as const) {
      const value = real?.attr(name);
      const text = value === undefined || value.isNull ? null : value.asString();
      if (real !== undefined && stored[name] !== text)
        problems.push(`${addr.text}.${name} is ${stored[name]}, really ${text}`);
    }
  }
  return problems;
}

/** Every call came after all that it had to follow, and none came that had to stay away. */
export function orderProblems(applied: Applied): readonly string[] {
  const problems: string[] = [];
  const rules = new Rules(applied, problems);
  rules.ups();
  rules.deletes();
  rules.turnings();
  rules.replacements();
  return problems;
}

class Rules {
  readonly #applied: Applied;
  readonly #problems: string[];
  readonly #slots = new Map<string, number>();
  /** Objects as they were when applying began. */
  readonly #places: ReadonlyMap<string, Place>;

  constructor(applied: Applied, problems: string[]) {
    this.#applied = applied;
    this.#problems = problems;
    for (let slot = 0; slot < SLOTS; slot++)
      this.#slots.set(resourceText(applied.model, slot), slot);
    this.#places = placesOf(applied.plan.previousState, problems);
  }

  /** Verifies that a creation or change follows everything that it refers to, and does not happen after a failure there. */
  ups(): void {
    const { changes, model } = this.#applied;
    const ups = changes.filter((call) => call.action !== 'delete');
    for (const call of ups) {
      const slot = this.#slotOf(call);
      const ancestors = slot === undefined ? undefined : ancestorsOf(model, slot);
      for (const other of ups) {
        const base = this.#slotOf(other);
        if (base === undefined || ancestors?.has(base) !== true) continue;
        this.#mustFollow(call, other);
      }
    }
  }

  /** Verifies that a deletion precedes those of the dependencies in the state. */
  deletes(): void {
    const { changes } = this.#applied;
    const deletes = changes.filter((call) => call.action === 'delete');
    for (const call of deletes) {
      const dependent = this.#places.get(call.id);
      if (dependent === undefined) {
        this.#problems.push(`${text(call)} is about ${call.id}, which the state did not know`);
        continue;
      }
      const isLate = this.#isLate(call);
      for (const other of changes) {
        if (other === call) continue;
        const base =
          other.action === 'delete'
            ? this.#places.get(other.id)?.resource
            : resourceOf(other.address);
        if (
          base === undefined ||
          base === dependent.resource ||
          !dependent.dependencies.includes(base)
        )
          continue;
        if (other.action === 'delete') {
          if (!areInOtherInstances(other.address, call.address)) this.#mustFollow(other, call);
        } else if (isLate === false && other.action === 'update') this.#mustFollow(other, call);
      }
    }
  }

  /** Verifies that a late deletion follows the changes of all dependents. */
  turnings(): void {
    const { changes, plan } = this.#applied;
    const dependents = new Map<string, readonly string[]>();
    for (const addr of plan.previousState.managedInstances()) {
      dependents.set(addr.text, plan.previousState.instance(addr)?.current?.dependencies ?? []);
    }
    for (const call of changes) {
      if (call.action !== 'delete' || this.#isLate(call) !== true) continue;
      for (const other of changes) {
        if (other.action === 'delete' || resourceOf(other.address) === resourceOf(call.address))
          continue;
        if (dependents.get(other.address)?.includes(resourceOf(call.address)) !== true) continue;
        // A deleted object has no dependencies, whenever its replacement is created.
        const isGone = changes.some(
          (change) =>
            change.action === 'delete' &&
            change.address === other.address &&
            !change.failed &&
            change.ended <= call.began,
        );
        if (!isGone) this.#mustFollow(call, other);
      }
    }
  }

  /** An object and its replacement come in the order that was chosen. */
  replacements(): void {
    const { changes, plan, model } = this.#applied;
    for (const planned of plan.changes) {
      const create = changes.find(
        (call) => call.action === 'create' && call.address === planned.addr.text,
      );
      const old = planned.deposed === undefined ? idOf(planned.before) : undefined;
      const remove = changes.find((call) => call.action === 'delete' && call.id === old);
      if (planned.action === 'delete-then-create' && create !== undefined) {
        if (remove === undefined) this.#problems.push(`${text(create)} came without a deletion`);
        else this.#mustFollow(create, remove);
      }
      if (planned.action !== 'create-then-delete' || remove === undefined) continue;
      if (create === undefined) this.#problems.push(`${text(remove)} came without a creation`);
      else this.#mustFollow(remove, create);
      // Everything that builds on the resource has turned to the replacement first.
      const slot = this.#slots.get(planned.addr.config.text);
      for (const call of changes) {
        const other = this.#slotOf(call);
        if (call.action === 'delete' || other === undefined || slot === undefined) continue;
        if (ancestorsOf(model, other).has(slot)) this.#mustFollow(remove, call);
      }
    }
  }

  /** Returns true if an object is deleted only after its replacement: it is deposed, or becomes so for that. */
  #isLate(call: ChangeCall): boolean | undefined {
    const { plan } = this.#applied;
    const change = plan.changes.find(
      (candidate) => candidate.addr.text === call.address && idOf(candidate.before) === call.id,
    );
    if (change?.action === 'create-then-delete' || change?.deposed !== undefined) return true;
    if (change?.action !== 'delete') return false;
    const byState = this.#places.get(call.id)?.createsFirst === true;
    const slot = this.#slotOf(call);
    // If state and configuration disagree, either order is correct.
    return slot === undefined || createsFirst(this.#applied.model, slot) === byState
      ? byState
      : undefined;
  }

  #slotOf(call: ChangeCall): number | undefined {
    const slot = this.#slots.get(resourceOf(call.address));
    return slot !== undefined && this.#applied.model.things[slot]?.present === true
      ? slot
      : undefined;
  }

  #mustFollow(later: ChangeCall, earlier: ChangeCall): void {
    if (later.began < earlier.ended)
      this.#problems.push(`${text(later)} did not wait for ${text(earlier)}`);
    else if (earlier.failed)
      this.#problems.push(`${text(later)} came after the failure of ${text(earlier)}`);
  }
}

/** Returns the objects whose dependencies in the state are not those of the configuration. */
export function dependencyProblems(model: Model, state: State): readonly string[] {
  const problems: string[] = [];
  for (let slot = 0; slot < SLOTS; slot++) {
    if (model.things[slot]?.present !== true) continue;
    const expected = [...ancestorsOf(model, slot)]
      .map((other) => resourceText(model, other))
      .sort();
    for (const addr of state.managedInstances()) {
      if (addr.config.text !== resourceText(model, slot)) continue;
      const dependencies = state.instance(addr)?.current?.dependencies ?? [];
      if (dependencies.join() !== expected.join()) {
        problems.push(
          `${addr.text} (${labelOf(model, slot)}) was built on [${dependencies.join(', ')}], not [${expected.join(', ')}]`,
        );
      }
    }
  }
  return problems;
}

function idOf(value: Plan['changes'][number]['before']): string | undefined {
  return value.isNull ? undefined : value.attr('id').asString();
}

/** The address of a resource without any keys. */
function resourceOf(address: string): string {
  return address.replace(/\[[^\]]*\]/g, '');
}

function text(call: ChangeCall): string {
  return `${call.action} ${call.address} (${call.id})`;
}
