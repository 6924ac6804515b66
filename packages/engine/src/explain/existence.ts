import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { bool, integer, type Value } from '@terrane/cty';
import type { Module, ModuleCall, Resource } from '../config/model.ts';
import type { Repeatable } from '../evaluate/expansion.ts';
import { removedBlocksOf } from '../objects/forgetting.ts';
import type { PlannedChange } from '../objects/change.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { repeats } from './sources.ts';
import type { Tracer } from './trace.ts';
import { holds } from './value-parts.ts';

/** Explains why instances are created and destroyed. */
export class Existence {
  readonly #facts: PlanFacts;
  readonly #tracer: Tracer;

  constructor(facts: PlanFacts, tracer: Tracer) {
    this.#facts = facts;
    this.#tracer = tracer;
  }

  /** Returns the causes of the creation of an instance. */
  ofNew(addr: InstanceAddr): readonly Cause[] {
    const { module } = addr.resource;
    const resource = this.#facts.resource(addr);
    for (let depth = 1; depth <= module.path.names.length; depth++) {
      const instance = ancestor(module, depth);
      if (this.#facts.hasObjects(instance)) continue;
      const call = this.#callOf(instance);
      if (call === undefined) continue;
      const siblings = this.#siblings(instance);
      const addresses = [instance.text, withoutKey(instance)] as const;
      return this.#appeared(call, addresses, siblings, instance.keys.at(-1), instance.parent);
    }
    if (resource === undefined) return [];
    const keys = [...this.#facts.plan.previousState.resourceInstances(addr.resource).keys()];
    return this.#appeared(resource, [addr.text, addr.resource.text], keys, addr.key, module);
  }

  /** Returns the causes of the removal of an instance. */
  ofDeleted({ addr, reason, previousAddr }: PlannedChange): readonly Cause[] {
    const { plan } = this.#facts;
    const resource = this.#facts.resource(addr);
    const removed = removedBlocksOf(plan.configuration.modules.values(), addr);
    const blocks = (resource === undefined ? removed : []).map(({ range, destroy }): Cause => ({
      kind: destroy ? 'removed-block' : 'forget',
      address: addr.text,
      range,
      causes: [],
    }));
    const module = this.#goneModule(addr.resource.module);
    if (module !== undefined) return [...blocks, ...module];
    if (resource === undefined) {
      const moved = reason === 'delete_because_no_move_target' ? { name: previousAddr.text } : {};
      return [...blocks, { kind: 'no-block', address: addr.resource.text, ...moved, causes: [] }];
    }
    return this.#disappeared(resource, addr.resource.text, addr.key, addr.resource.module);
  }

  /** Returns whether the configuration declares an instance; true if its keys are unknown. */
  isDeclared(addr: InstanceAddr): boolean {
    const { key } = addr;
    const { module } = addr.resource;
    const resource = this.#facts.resource(addr);
    if (resource === undefined || this.#goneModule(module) !== undefined) return false;
    const expression = repeats(resource);
    if (expression === undefined) return key === undefined;
    const value = this.#tracer.value(expression, { module })?.unmark();
    if (value === undefined || !value.isKnown || value.isNull) return true;
    if (resource.forEach !== undefined) return typeof key === 'string' && holds(value, key);
    if (resource.count !== undefined) return typeof key === 'number' && key < value.asInt();
    return value.asBool();
  }

  /** Returns the causes of the absence of a module instance; undefined if it exists. */
  #goneModule(module: ModuleInstance): readonly Cause[] | undefined {
    for (let depth = 1; depth <= module.path.names.length; depth++) {
      const instance = ancestor(module, depth);
      const call = this.#callOf(instance);
      if (call === undefined) return [{ kind: 'no-module', address: instance.text, causes: [] }];
      if (this.#tracer.exists(instance)) continue;
      const { parent } = instance;
      if (parent === undefined) return undefined;
      return this.#disappeared(call, withoutKey(instance), instance.keys.at(-1), parent);
    }
    return undefined;
  }

  #appeared(
    block: Resource | ModuleCall,
    [instanceAddress, address]: readonly [instance: string, all: string],
    stored: readonly InstanceKey[],
    key: InstanceKey,
    module: ModuleInstance | undefined,
  ): readonly Cause[] {
    const declared: Cause = {
      kind: 'new-block',
      address: instanceAddress,
      range: block.range,
      causes: [],
    };
    const expression = repeats(block);
    if (expression === undefined || module === undefined) return [declared];
    if (stored.length > 0 && formOf(stored) !== formOf([key])) return [this.#form(block, address)];
    const repetition = this.#repetition(block, address, stored, key, module, true);
    // The state does not record whether the block is new or had no instances until now.
    const leads = repetition.causes.some(({ kind }) => kind !== 'source' && kind !== 'local');
    return stored.length > 0 || leads ? [repetition] : [declared];
  }

  #disappeared(
    block: Resource | ModuleCall,
    address: string,
    key: InstanceKey,
    module: ModuleInstance,
  ): readonly Cause[] {
    const form =
      block.count !== undefined ? 'number' : block.forEach !== undefined ? 'string' : 'none';
    if (formOf([key]) !== form || repeats(block) === undefined) return [this.#form(block, address)];
    const stored =
      'addr' in block
        ? [
            ...this.#facts.plan.previousState
              .resourceInstances(AbsResource.of(module, block.addr))
              .keys(),
          ]
        : this.#siblings(module.child(block.name, key));
    return [this.#repetition(block, address, stored, key, module, false)];
  }

  #form(block: Resource | ModuleCall, address: string): Cause {
    const range = repeats(block)?.range ?? block.range;
    const name =
      block.count !== undefined ? 'count' : block.forEach !== undefined ? 'for_each' : '';
    return { kind: 'repetition-form', address, range, name, causes: [] };
  }

  #repetition(
    block: Repeatable,
    address: string,
    stored: readonly InstanceKey[],
    key: InstanceKey,
    module: ModuleInstance,
    present: boolean,
  ): Cause {
    const expression = repeats(block);
    const name =
      block.count !== undefined ? 'count' : block.forEach !== undefined ? 'for_each' : 'enabled';
    const base = { kind: 'repetition', address, name, present, causes: [] } as const;
    if (expression === undefined) return base;
    const place = { module };
    const { range } = expression;
    const shared = { ...base, range, ...(key === undefined ? {} : { key }) };
    if (block.forEach !== undefined) {
      const wanted = typeof key === 'string' ? key : '';
      const behind = this.#tracer.once(`member ${address} ${name}`, () =>
        this.#tracer.membership(expression, place, wanted, present),
      );
      return { ...shared, ...behind };
    }
    const wanted: Value =
      block.count === undefined ? bool(!present) : integer(countWithout(stored, key, present));
    const after = this.#tracer.value(expression, place);
    const behind = this.#tracer.once(`count ${address} ${name}`, () =>
      this.#tracer.differs(expression, place, [], wanted),
    );
    return {
      ...shared,
      before: wanted,
      ...(after === undefined ? {} : { after }),
      ...behind,
    };
  }

  /** The keys of the instances of a module call that have objects in the state. */
  #siblings(instance: ModuleInstance): readonly InstanceKey[] {
    const { parent } = instance;
    const name = instance.path.names.at(-1);
    if (parent === undefined || name === undefined) return [];
    return this.#facts.moduleKeys(parent, name);
  }

  #callOf(instance: ModuleInstance): ModuleCall | undefined {
    return this.#moduleOf(instance)?.call;
  }

  #moduleOf(instance: ModuleInstance): Module | undefined {
    return this.#facts.plan.configuration.modules.get(instance.path.text);
  }
}

function ancestor(module: ModuleInstance, depth: number): ModuleInstance {
  let instance = ROOT_INSTANCE;
  for (let level = 0; level < depth; level++)
    instance = instance.child(module.path.names[level] ?? '', module.keys[level]);
  return instance;
}

function withoutKey(instance: ModuleInstance): string {
  const { parent } = instance;
  const name = instance.path.names.at(-1) ?? '';
  return (parent ?? ROOT_INSTANCE).child(name, undefined).text;
}

/** Returns the form of a repetition by its keys. */
function formOf(keys: readonly InstanceKey[]): 'number' | 'string' | 'none' {
  const [first] = keys;
  if (typeof first === 'number') return 'number';
  return typeof first === 'string' ? 'string' : 'none';
}

function countOf(keys: readonly InstanceKey[]): number {
  let count = 0;
  for (const key of keys) if (typeof key === 'number') count = Math.max(count, key + 1);
  return count;
}

/** Returns the earlier count: one that lacks an added instance and has a removed one. */
function countWithout(stored: readonly InstanceKey[], key: InstanceKey, present: boolean): number {
  const count = countOf(stored);
  if (typeof key !== 'number') return count;
  return present ? Math.min(count, key) : Math.max(count, key + 1);
}
