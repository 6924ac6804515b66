import type { InstanceKey, ModuleInstance } from '@terrane/addresses';
import {
  Bug,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  NULL,
  nullOf,
  object,
  tuple,
  UNKNOWN,
  unknownOf,
  type Type,
  type Value,
} from '@terrane/cty';
import { expectNoPass } from '../config/evaluation-pass.ts';
import { asReferred } from '../config/deprecations.ts';
import type { Module, Resource } from '../config/model.ts';
import {
  listOfInstances,
  mapOfInstances,
  typeOfOutput,
  unknownInstances,
} from '../config/output-value.ts';
import { type Expansion, keysOf, type Repetition, SINGLE } from './repetition.ts';

/** The values evaluated so far in one instance of a module. They change only between evaluation passes. */
export class ModuleCells {
  readonly module: Module;
  readonly instance: ModuleInstance;
  /** The instance of the calling module; undefined for the root. */
  readonly parent: ModuleCells | undefined;
  /** The values of `count` and `each` in the arguments of this instance's module call. */
  readonly repetition: Repetition;
  readonly #variables = new Map<string, Value>();
  readonly #checkedVariables = new Map<string, Value>();
  readonly #locals = new Map<string, Value>();
  readonly #outputs = new Map<string, Value>();
  readonly #resources = new Map<string, ResourceCell>();
  readonly #calls = new Map<string, CallCell>();
  readonly #actions = new Map<string, Expansion>();

  constructor(
    module: Module,
    instance: ModuleInstance,
    parent: ModuleCells | undefined,
    repetition: Repetition,
  ) {
    this.module = module;
    this.instance = instance;
    this.parent = parent;
    this.repetition = repetition;
  }

  get variables(): ReadonlyMap<string, Value> {
    return this.#variables;
  }

  /** Values of variables for validation rules: without the mark of a declaration as sensitive. */
  get checkedVariables(): ReadonlyMap<string, Value> {
    return this.#checkedVariables;
  }

  get locals(): ReadonlyMap<string, Value> {
    return this.#locals;
  }

  get outputs(): ReadonlyMap<string, Value> {
    return this.#outputs;
  }

  get resources(): ReadonlyMap<string, ResourceCell> {
    return this.#resources;
  }

  get calls(): ReadonlyMap<string, CallCell> {
    return this.#calls;
  }

  /** The expansions of actions, by `ActionAddr.text`. */
  get actions(): ReadonlyMap<string, Expansion> {
    return this.#actions;
  }

  /** Sets the value of a variable for references and for validation rules. */
  setVariable(name: string, value: Value, checked: Value): void {
    expectNoPass();
    this.#variables.set(name, value);
    this.#checkedVariables.set(name, checked);
  }

  setLocal(name: string, value: Value): void {
    expectNoPass();
    this.#locals.set(name, value);
  }

  setOutput(name: string, value: Value): void {
    expectNoPass();
    this.#outputs.set(name, value);
  }

  /** Makes the cell of a resource visible to references. Afterwards it changes only between passes. */
  setResource(address: string, cell: ResourceCell): void {
    expectNoPass();
    this.#resources.set(address, cell);
    cell.publish();
  }

  setCall(name: string, cell: CallCell): void {
    expectNoPass();
    this.#calls.set(name, cell);
  }

  setAction(address: string, expansion: Expansion): void {
    expectNoPass();
    this.#actions.set(address, expansion);
  }
}

/** Returns the value of an instance whose cell does not hold it; undefined if there is none. */
export type ValueSource = (key: InstanceKey) => Value | undefined;

/** One resource in one instance of its module: which instances it has and what each evaluates to. */
export class ResourceCell {
  readonly resource: Resource;
  /** The implied type of the resource's schema, for instances whose value is not evaluated. */
  readonly type: Type;
  readonly expansion: Expansion;
  /** The value of the instance without a key, until the map is created: most resources are read as a whole. */
  #keyless: Value | undefined;
  #values: Map<InstanceKey, Value> | undefined;
  #source: ValueSource | undefined;
  /** Addresses of expired ephemeral instances, which could not be renewed. */
  readonly expired: string[] = [];
  readonly #retainedKeys: InstanceKey[] = [];
  readonly #discardsValues: boolean;
  #existingOnly = false;
  #isPublic = false;
  #combined: Value | undefined;

  /** @param discardsValues true if nothing reads the values: they are not retained, and reading them is a `Bug` */
  constructor(resource: Resource, type: Type, expansion: Expansion, discardsValues = false) {
    this.resource = resource;
    this.type = type;
    this.expansion = expansion;
    this.#discardsValues = discardsValues;
  }

  /** The values of instances that are evaluated. */
  get values(): ReadonlyMap<InstanceKey, Value> {
    if (this.#discardsValues)
      throw new Bug(`the values of ${this.resource.addr.text} are not retained`);
    const values = this.#map();
    const source = this.#source;
    if (source !== undefined) {
      this.#source = undefined;
      for (const key of keysOf(this.expansion)) {
        const value = values.has(key) ? undefined : source(key);
        if (value !== undefined) values.set(key, value);
      }
    }
    return values;
  }

  #map(): Map<InstanceKey, Value> {
    let values = this.#values;
    if (values === undefined) {
      values = new Map();
      if (this.#keyless !== undefined) values.set(undefined, this.#keyless);
      this.#keyless = undefined;
      this.#values = values;
    }
    return values;
  }

  /** Marks the cell as visible to references. Before, it belongs to the pass that created it. */
  publish(): void {
    this.#isPublic = true;
  }

  /** Records the value of an instance. All values must be recorded before the combined value is requested. */
  set(key: InstanceKey, value: Value): void {
    if (this.#discardsValues) return;
    this.#expectNoReaders();
    if (key === undefined && this.#values === undefined) this.#keyless = value;
    else this.#map().set(key, value);
    this.#combined = undefined;
  }

  /** True if a source was set since values were read. */
  get hasSource(): boolean {
    return this.#source !== undefined;
  }

  /** Adds the values of declared instances that are not recorded, which are requested when a value is read. */
  setSource(source: ValueSource): void {
    if (this.#discardsValues) return;
    this.#expectNoReaders();
    this.#source = source;
    this.#combined = undefined;
  }

  #expectNoReaders(): void {
    if (this.#isPublic) expectNoPass();
  }

  /** Retains an instance that the configuration no longer declares: references still see it in this run. */
  retain(key: InstanceKey): void {
    this.#expectNoReaders();
    this.#retainedKeys.push(key);
    this.#combined = undefined;
  }

  /** Restricts the cell to instances with a value: this run does not create the other declared ones. */
  keepToExisting(): void {
    this.#expectNoReaders();
    this.#existingOnly = true;
    this.#combined = undefined;
  }

  #count(declared: number): number {
    let count = this.#existingOnly ? 0 : declared;
    for (const key of this.#existingOnly ? this.values.keys() : this.#retainedKeys)
      if (typeof key === 'number' && this.values.has(key)) count = Math.max(count, key + 1);
    return count;
  }

  /** Marks the value of an ephemeral instance as no longer valid. */
  expire(address: string): void {
    this.expired.push(address);
  }

  /** Returns the value of a reference to the whole resource: a tuple with `count`, an object with `for_each`. */
  combinedValue(): Value {
    this.#combined ??= this.#build();
    return this.#combined;
  }

  #build(): Value {
    const { expansion } = this;
    const missing =
      this.resource.addr.mode === 'ephemeral' ? UNKNOWN.mark('ephemeral') : unknownOf(this.type);
    switch (expansion.kind) {
      case 'unknown':
        return this.resource.addr.mode === 'ephemeral' ? UNKNOWN.mark('ephemeral') : UNKNOWN;
      case 'single':
        return this.#keyless ?? this.values.get(undefined) ?? missing;
      case 'disabled':
        return nullOf(this.type);
      case 'count': {
        const count = this.#count(expansion.count);
        if (count === 0) return EMPTY_TUPLE_VALUE;
        return tuple(
          Array.from({ length: count }, (_, index) => this.values.get(index) ?? missing),
        );
      }
      case 'forEach': {
        const entries = new Map<string, Value>();
        for (const key of expansion.each.keys()) {
          const value = this.values.get(key);
          if (value !== undefined || !this.#existingOnly) entries.set(key, value ?? missing);
        }
        for (const key of this.#retainedKeys) {
          const value = this.values.get(key);
          if (typeof key === 'string' && value !== undefined) entries.set(key, value);
        }
        if (entries.size === 0) return EMPTY_OBJECT_VALUE;
        return object(entries);
      }
    }
  }
}

/** One module call in one instance of the calling module. */
export class CallCell {
  readonly child: Module;
  readonly expansion: Expansion;
  readonly instances: Map<InstanceKey, ModuleCells> = new Map();
  #combined: Value | undefined;

  constructor(child: Module, expansion: Expansion) {
    this.child = child;
    this.expansion = expansion;
  }

  /** The outputs of all instances; an output that is not evaluated yet is wholly unknown. */
  combinedValue(): Value {
    if (this.#combined !== undefined) return this.#combined;
    const value = this.#build();
    if (this.#isComplete()) this.#combined = value;
    return value;
  }

  #isComplete(): boolean {
    const { size } = this.child.outputs;
    for (const cells of this.instances.values()) if (cells.outputs.size < size) return false;
    return true;
  }

  #build(): Value {
    const { expansion } = this;
    switch (expansion.kind) {
      case 'unknown':
        return this.#unknown(expansion.by);
      case 'single':
        return this.#instance(undefined);
      case 'disabled':
        return NULL;
      case 'count':
        return listOfInstances(
          this.child,
          Array.from({ length: expansion.count }, (_, index) => this.#instance(index)),
        );
      case 'forEach': {
        const entries = new Map<string, Value>();
        for (const key of expansion.each.keys()) entries.set(key, this.#instance(key));
        return mapOfInstances(this.child, entries);
      }
    }
  }

  #unknown(by: 'count' | 'forEach'): Value {
    return unknownInstances(this.child, by);
  }

  #instance(key: InstanceKey): Value {
    const outputs = this.instances.get(key)?.outputs;
    const entries = new Map<string, Value>();
    for (const [name, output] of this.child.outputs) {
      const value = outputs?.get(name) ?? unknownOf(typeOfOutput(output));
      entries.set(name, asReferred(this.child, output, value));
    }
    return object(entries);
  }
}

/** Returns true if the expansion has exactly one instance, which has no key. */
export function isSingle(expansion: Expansion): boolean {
  return expansion === SINGLE || expansion.kind === 'single';
}
