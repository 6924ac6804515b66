import {
  type AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  parseInstanceTraversal,
} from '@terrane/addresses';
import { CtyError, type Value } from '@terrane/cty';
import { asTraversal, type Range } from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { importsByResource } from '../evaluate/imports.ts';
import type { Program } from '../evaluate/program.ts';
import { DependencyIndex } from '../evaluate/dependencies.ts';
import type { DeferredChange, PlannedChange } from '../objects/change.ts';
import type { Plan } from '../plan/model.ts';
import { blockOfMove } from '../plan/moves.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import type { State } from '../state/model.ts';
import { decodeStored } from '../state/stored-value.ts';

/** A plan, with its parts by what they are about. */
export class PlanFacts {
  readonly plan: Plan;
  /** Changes of current objects. */
  readonly changes: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** What was found changed outside, of current objects. */
  readonly drift: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** What is left to a later plan. */
  readonly deferred: ReadonlyMap<InstanceAddr, DeferredChange>;
  #dependencies: DependencyIndex | undefined;
  #keys: ReadonlyMap<AbsResource, readonly InstanceKey[]> | undefined;
  #moduleKeys: ReadonlyMap<string, readonly InstanceKey[]> | undefined;
  #storedModules: ReadonlySet<ModuleInstance> | undefined;

  constructor(plan: Plan) {
    this.plan = plan;
    this.changes = currentOnes(plan.changes);
    this.drift = currentOnes(plan.drift);
    this.deferred = new Map(
      plan.deferred.flatMap((one) =>
        one.change.deposed === undefined ? [[one.change.addr, one] as const] : [],
      ),
    );
  }

  /** The resource that the configuration has for an instance. */
  resource(addr: InstanceAddr): Resource | undefined {
    const { module, resource } = addr.resource;
    return this.plan.configuration.modules.get(module.path.text)?.resources.get(resource.text);
  }

  /** The schema of what a change is about. */
  schemaOf(change: PlannedChange): Schema | undefined {
    const { mode, type } = change.addr.resource.resource;
    return this.plan.schemas.resource(change.provider.provider, mode, type);
  }

  /** What the last run left of an instance, in today's schema; undefined where there was nothing, or it cannot be read. */
  stored(addr: InstanceAddr): Value | undefined {
    const found = this.drift.get(addr)?.before ?? this.#before(addr);
    return found ?? this.#decoded(addr, this.plan.previousState);
  }

  /** What is planned to be there of an instance, as references to it see it. */
  planned(addr: InstanceAddr): Value | undefined {
    const change = this.changes.get(addr) ?? this.deferred.get(addr)?.change;
    if (change === undefined) return this.#decoded(addr, this.plan.priorState);
    const schema = this.schemaOf(change);
    if (change.action === 'delete' || change.action === 'forget') return undefined;
    return schema === undefined ? change.after : withSchemaMarks(change.after, schema);
  }

  /** The keys of the instances of a resource that there are to be. */
  plannedKeys(resource: AbsResource): readonly InstanceKey[] {
    this.#keys ??= plannedKeys(this.changes.values());
    return this.#keys.get(resource) ?? [];
  }

  /** The instances of a resource that are left to a later plan; those that are not known have one stand-in. */
  deferredKeys(resource: AbsResource): readonly InstanceKey[] {
    return [...this.deferred.keys()]
      .filter((addr) => addr.resource === resource)
      .map(({ key }) => key);
  }

  /** What is left to a later plan of all that a resource builds on. */
  deferredBehind(addr: InstanceAddr, program: Program): readonly DeferredChange[] {
    this.#dependencies ??= new DependencyIndex(program);
    const node = this.#dependencies.node(addr.config.text);
    if (node === undefined) return [];
    const behind = new Set(this.#dependencies.of(node));
    return [...this.deferred.values()].filter(({ change }) => behind.has(change.addr.config.text));
  }

  /** The `moved` block that led an instance to where it is. */
  movedBy(addr: InstanceAddr): Range | undefined {
    const from = this.changes.get(addr)?.previousAddr;
    return from === undefined ? undefined : blockOfMove(this.plan.configuration, from, addr);
  }

  /** The `import` block that adopts an instance, as far as its address tells. */
  importedBy(addr: InstanceAddr): Range | undefined {
    const blocks = importsByResource(this.plan.configuration).get(addr.config) ?? [];
    const exact = blocks.find(({ block }) => {
      const traversal = asTraversal(block.to);
      const found = traversal === undefined ? undefined : parseInstanceTraversal(traversal);
      return found?.address?.key === addr.key;
    });
    return (exact ?? blocks[0])?.block.range;
  }

  /** The changes that a data source has to wait for. */
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

  /** The keys of the instances of a module call that the last run left objects in. */
  moduleKeys(caller: ModuleInstance, name: string): readonly InstanceKey[] {
    this.#storedModules ??= storedModules(this.plan.previousState);
    this.#moduleKeys ??= keysByCall(this.#storedModules);
    return this.#moduleKeys.get(callText(caller, name)) ?? [];
  }

  /** Whether the last run left any object in a module instance. */
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
    const stored = state.instance(addr)?.current;
    const resource = this.resource(addr);
    if (stored === undefined) return undefined;
    const { mode, type } = addr.resource.resource;
    const source = resource?.provider ?? stored.provider.provider;
    const schema = this.plan.schemas.resource(source, mode, type);
    if (schema === undefined) return undefined;
    try {
      return withSchemaMarks(decodeStored(stored, impliedType(schema.block)), schema);
    } catch (error) {
      // Written for another version of the schema, and nothing was planned for it.
      if (error instanceof CtyError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

function currentOnes(changes: readonly PlannedChange[]): ReadonlyMap<InstanceAddr, PlannedChange> {
  const found = new Map<InstanceAddr, PlannedChange>();
  for (const change of changes) if (change.deposed === undefined) found.set(change.addr, change);
  return found;
}

function storedModules(state: State): ReadonlySet<ModuleInstance> {
  const found = new Set<ModuleInstance>();
  for (const { module } of state.resources()) {
    for (let at: ModuleInstance | undefined = module; at !== undefined; at = at.parent) {
      if (found.has(at)) break;
      found.add(at);
    }
  }
  return found;
}

function plannedKeys(
  changes: Iterable<PlannedChange>,
): ReadonlyMap<AbsResource, readonly InstanceKey[]> {
  const found = new Map<AbsResource, InstanceKey[]>();
  for (const { addr, action } of changes) {
    if (action === 'delete' || action === 'forget') continue;
    const keys = found.get(addr.resource);
    if (keys === undefined) found.set(addr.resource, [addr.key]);
    else keys.push(addr.key);
  }
  return found;
}

function keysByCall(
  modules: Iterable<ModuleInstance>,
): ReadonlyMap<string, readonly InstanceKey[]> {
  const found = new Map<string, InstanceKey[]>();
  for (const { parent, path, keys } of modules) {
    if (parent === undefined) continue;
    const text = callText(parent, path.names.at(-1) ?? '');
    const known = found.get(text);
    if (known === undefined) found.set(text, [keys.at(-1)]);
    else known.push(keys.at(-1));
  }
  return found;
}

function callText(caller: ModuleInstance, name: string): string {
  return `${caller.text}|${name}`;
}
