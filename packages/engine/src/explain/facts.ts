import {
  type AbsResource,
  type ConfigResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  parseInstanceTraversal,
} from '@terrane/addresses';
import { CtyError, type Value } from '@terrane/cty';
import { asTraversal, type Range } from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import type { Configuration, Resource } from '../config/model.ts';
import { importsByResource } from '../evaluate/imports.ts';
import type { Program } from '../evaluate/program.ts';
import { DependencyIndex } from '../evaluate/dependencies.ts';
import type { DeferredChange, PlannedChange } from '../objects/change.ts';
import type { Plan } from '../plan/model.ts';
import { MoveBlocks } from '../plan/moves.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import type { State } from '../state/model.ts';
import { decodeStored } from '../state/stored-value.ts';

/** A plan with indexes of its parts. */
export class PlanFacts {
  readonly plan: Plan;
  /** Changes of current objects. */
  readonly changes: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** Drift of current objects. */
  readonly drift: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** Deferred changes of current objects. */
  readonly deferred: ReadonlyMap<InstanceAddr, DeferredChange>;
  #dependencies: DependencyIndex | undefined;
  #moves: MoveBlocks | undefined;
  #imports: ImportBlocks | undefined;
  #keys: ReadonlyMap<AbsResource, readonly InstanceKey[]> | undefined;
  #moduleKeys: ReadonlyMap<string, readonly InstanceKey[]> | undefined;
  #storedModules: ReadonlySet<ModuleInstance> | undefined;

  constructor(plan: Plan) {
    this.plan = plan;
    this.changes = currentOnes(plan.changes);
    this.drift = currentOnes(plan.drift);
    this.deferred = new Map(
      plan.deferred.flatMap((deferred) =>
        deferred.change.deposed === undefined ? [[deferred.change.addr, deferred] as const] : [],
      ),
    );
  }

  /** Returns the resource of an instance in the configuration. */
  resource(addr: InstanceAddr): Resource | undefined {
    const { module, resource } = addr.resource;
    return this.plan.configuration.modules.get(module.path.text)?.resources.get(resource.text);
  }

  /** Returns the schema of the object of a change. */
  schemaOf(change: PlannedChange): Schema | undefined {
    const { mode, type } = change.addr.resource.resource;
    return this.plan.schemas.resource(change.provider.provider, mode, type);
  }

  /** Returns the stored object in the current schema; undefined without one, or if it cannot be decoded. */
  stored(addr: InstanceAddr): Value | undefined {
    const value = this.drift.get(addr)?.before ?? this.#before(addr);
    return value ?? this.#decoded(addr, this.plan.previousState);
  }

  /** Returns the planned object of an instance as references see it; undefined if it is removed. */
  planned(addr: InstanceAddr): Value | undefined {
    const change = this.changes.get(addr) ?? this.deferred.get(addr)?.change;
    if (change === undefined) return this.#decoded(addr, this.plan.priorState);
    const schema = this.schemaOf(change);
    if (change.action === 'delete' || change.action === 'forget') return undefined;
    return schema === undefined ? change.after : withSchemaMarks(change.after, schema);
  }

  /** Returns the keys of the planned instances of a resource. */
  plannedKeys(resource: AbsResource): readonly InstanceKey[] {
    this.#keys ??= plannedKeys(this.changes.values());
    return this.#keys.get(resource) ?? [];
  }

  /** Returns the keys of the deferred instances of a resource; one placeholder represents unknown instances. */
  deferredKeys(resource: AbsResource): readonly InstanceKey[] {
    return [...this.deferred.keys()]
      .filter((addr) => addr.resource === resource)
      .map(({ key }) => key);
  }

  /** Returns the deferred changes of the dependencies of a resource. */
  deferredBehind(addr: InstanceAddr, program: Program): readonly DeferredChange[] {
    this.#dependencies ??= new DependencyIndex(program);
    const node = this.#dependencies.node(addr.config.text);
    if (node === undefined) return [];
    const behind = new Set(this.#dependencies.of(node));
    return [...this.deferred.values()].filter(({ change }) => behind.has(change.addr.config.text));
  }

  /** Returns the range of the `moved` block that moved an instance. */
  movedBy(addr: InstanceAddr): Range | undefined {
    const previousAddr = this.changes.get(addr)?.previousAddr;
    return previousAddr === undefined
      ? undefined
      : (this.#moves ??= new MoveBlocks(this.plan.configuration)).last(previousAddr, addr);
  }

  /** Returns the range of the `import` block of an instance, preferably one with its address. */
  importedBy(addr: InstanceAddr): Range | undefined {
    this.#imports ??= importBlocks(this.plan.configuration);
    return this.#imports.byAddress.get(addr) ?? this.#imports.first.get(addr.config);
  }

  /** Returns the changes that a data source waits for. */
  awaitedBy(addr: InstanceAddr, program: Program): readonly PlannedChange[] {
    this.#dependencies ??= new DependencyIndex(program);
    const node = this.#dependencies.node(addr.config.text);
    if (node === undefined) return [];
    const awaited = new Set(this.#dependencies.awaitedBy(node));
    const { module } = addr.resource;
    return [...this.changes.values()].filter(
      (change) =>
        change.action !== 'no-op' &&
        awaited.has(change.addr.config) &&
        (change.addr.resource.module.path !== module.path ||
          change.addr.resource.module === module),
    );
  }

  /** Returns the keys of the instances of a module call that have stored objects. */
  moduleKeys(caller: ModuleInstance, name: string): readonly InstanceKey[] {
    this.#storedModules ??= storedModules(this.plan.previousState);
    this.#moduleKeys ??= keysByCall(this.#storedModules);
    return this.#moduleKeys.get(callText(caller, name)) ?? [];
  }

  /** Returns whether a module instance has stored objects. */
  hasObjects(module: ModuleInstance): boolean {
    this.#storedModules ??= storedModules(this.plan.previousState);
    return this.#storedModules.has(module);
  }

  #before(addr: InstanceAddr): Value | undefined {
    const change = this.changes.get(addr);
    return change === undefined || change.before.isNull || change.importing !== undefined
      ? undefined
      : change.before;
  }

  #decoded(addr: InstanceAddr, state: State): Value | undefined {
    const storedObject = state.instance(addr)?.current;
    const resource = this.resource(addr);
    if (storedObject === undefined) return undefined;
    const { mode, type } = addr.resource.resource;
    const source = resource?.provider ?? storedObject.provider.provider;
    const schema = this.plan.schemas.resource(source, mode, type);
    if (schema === undefined) return undefined;
    try {
      return withSchemaMarks(decodeStored(storedObject, impliedType(schema.block)), schema);
    } catch (error) {
      // The object has another schema version, and no plan has upgraded it.
      if (error instanceof CtyError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** The ranges of the `import` blocks: by the constant address, and the first one of each resource. */
interface ImportBlocks {
  readonly byAddress: ReadonlyMap<InstanceAddr, Range>;
  readonly first: ReadonlyMap<ConfigResource, Range>;
}

function importBlocks(configuration: Configuration): ImportBlocks {
  const byAddress = new Map<InstanceAddr, Range>();
  const first = new Map<ConfigResource, Range>();
  for (const [resource, blocks] of importsByResource(configuration)) {
    for (const { module, block } of blocks) {
      if (!first.has(resource)) first.set(resource, block.range);
      const traversal = asTraversal(block.to);
      const address =
        traversal === undefined ? undefined : parseInstanceTraversal(traversal).address;
      // An address is relative to the module of the block.
      if (address === undefined || !module.path.isRoot || byAddress.has(address)) continue;
      byAddress.set(address, block.range);
    }
  }
  return { byAddress, first };
}

function currentOnes(changes: readonly PlannedChange[]): ReadonlyMap<InstanceAddr, PlannedChange> {
  const current = new Map<InstanceAddr, PlannedChange>();
  for (const change of changes) if (change.deposed === undefined) current.set(change.addr, change);
  return current;
}

function storedModules(state: State): ReadonlySet<ModuleInstance> {
  const modules = new Set<ModuleInstance>();
  for (const { module } of state.resources()) {
    for (
      let instance: ModuleInstance | undefined = module;
      instance !== undefined;
      instance = instance.parent
    ) {
      if (modules.has(instance)) break;
      modules.add(instance);
    }
  }
  return modules;
}

function plannedKeys(
  changes: Iterable<PlannedChange>,
): ReadonlyMap<AbsResource, readonly InstanceKey[]> {
  const keysByResource = new Map<AbsResource, InstanceKey[]>();
  for (const { addr, action } of changes) {
    if (action === 'delete' || action === 'forget') continue;
    const keys = keysByResource.get(addr.resource);
    if (keys === undefined) keysByResource.set(addr.resource, [addr.key]);
    else keys.push(addr.key);
  }
  return keysByResource;
}

function keysByCall(
  modules: Iterable<ModuleInstance>,
): ReadonlyMap<string, readonly InstanceKey[]> {
  const keysByCallText = new Map<string, InstanceKey[]>();
  for (const { parent, path, keys } of modules) {
    if (parent === undefined) continue;
    const text = callText(parent, path.names.at(-1) ?? '');
    const instanceKeys = keysByCallText.get(text);
    if (instanceKeys === undefined) keysByCallText.set(text, [keys.at(-1)]);
    else instanceKeys.push(keys.at(-1));
  }
  return keysByCallText;
}

function callText(caller: ModuleInstance, name: string): string {
  return `${caller.text}|${name}`;
}
