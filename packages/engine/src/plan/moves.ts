import {
  AbsResource,
  ConfigResource,
  type InstanceAddr,
  type InstanceKey,
  MODULE_ROOT,
  type ModuleInstance,
  type ModulePath,
  type ModuleStep,
  type MoveEndpoint,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { type Diagnostic, type Range, warningDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { dialectRules } from '../config/dialect.ts';
import type { Configuration, Module } from '../config/model.ts';
import { StateDraft } from '../state/draft.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';
import { entryOf, hasKey, type MoveStatement, orderMoves } from './move-order.ts';

/** The state after `moved` blocks, with its objects at their current addresses. */
export interface Moves {
  readonly state: State;
  /** The events from the previous state to `state`. */
  readonly events: readonly StateEvent[];
  /** The previous address of each moved instance, by its current one. */
  readonly previous: ReadonlyMap<InstanceAddr, InstanceAddr>;
  /** The range of the block that last moved an instance, by its current address. */
  readonly ranges: ReadonlyMap<InstanceAddr, Range>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies `moved` blocks in order, and implied moves between no key and index 0 if `count` was added or removed. An
 * object whose target address is occupied stays, with a warning. A cycle of blocks is an error.
 */
export function applyMoves(configuration: Configuration, state: State): Moves {
  const statements = statementsOf(configuration);
  const { ordered, diagnostics } = orderMoves(statements);
  const unchanged = { state, events: [], previous: new Map(), ranges: new Map(), diagnostics };
  if (diagnostics.length > 0) return unchanged;
  const implied = impliedMoves(configuration, state, statements);
  const ofModules = impliedModuleMoves(configuration, state);
  if (ordered.length + implied.length + ofModules.length === 0) return unchanged;
  const mover = new Mover(state, [...ordered, ...ofModules]);
  // They are about addresses as they were, within modules that may move.
  for (const [from, to] of implied) mover.move(from, to, from, to);
  for (const statement of ordered) mover.follow(statement);
  const named = ofModules.length === 0 ? undefined : new NamedModules(statements);
  for (const statement of ofModules) mover.follow(statement, named);
  return mover.finish();
}

/** The `moved` blocks of a configuration. */
export class MoveBlocks {
  readonly #statements: readonly MoveStatement[];
  /** the indices of the blocks, by what they move */
  readonly #bySource = new SourceTable<number[]>();

  constructor(configuration: Configuration) {
    this.#statements = statementsOf(configuration);
    for (const [index, statement] of this.#statements.entries())
      this.#bySource.entry(statement, () => []).push(index);
  }

  /**
   * Returns the last block of a chain from one address to another; undefined if the move is implied by adding or
   * removing `count`.
   */
  last(from: InstanceAddr, to: InstanceAddr): Range | undefined {
    const used = new Set<number>();
    let last: Range | undefined;
    for (let at = from; at !== to;) {
      const candidates = [...this.#bySource.around(at)].flat().sort((a, b) => a - b);
      let next: InstanceAddr | undefined;
      for (const index of candidates) {
        const statement = this.#statements[index];
        if (statement === undefined || used.has(index)) continue;
        const target = moveBy(at, statement);
        if (target === undefined || target === at) continue;
        used.add(index);
        next = target;
        last = statement.moved.range;
        break;
      }
      if (next === undefined) return last;
      at = next;
    }
    return last;
  }
}

function statementsOf(configuration: Configuration): readonly MoveStatement[] {
  const statements: MoveStatement[] = [];
  for (const module of configuration.modules.values()) {
    for (const moved of module.moved) statements.push({ module, moved });
  }
  return statements;
}

/** Carries out moves one after the other. */
class Mover {
  readonly #state: State;
  readonly #draft: StateDraft;
  readonly #present: Set<InstanceAddr>;
  /** the present addresses that a block moves, in the order of their addition */
  readonly #bySource = new SourceTable<Set<InstanceAddr>>();
  /** The number of instances of each module instance and of each resource within it. */
  readonly #counts = new Map<ModuleInstance | AbsResource, number>();
  readonly #events: StateEvent[] = [];
  readonly #previous = new Map<InstanceAddr, InstanceAddr>();
  readonly #ranges = new Map<InstanceAddr, Range>();
  readonly #blocked = new Map<string, string>();

  /** @param statements all blocks that will be followed */
  constructor(state: State, statements: readonly MoveStatement[]) {
    this.#state = state;
    this.#draft = new StateDraft(state);
    this.#present = new Set(state.instances());
    for (const statement of statements) this.#movedBy(statement);
    for (const addr of this.#present) {
      for (const addresses of this.#bySource.around(addr)) addresses.add(addr);
      this.#count(addr, 1);
    }
  }

  /** @param named the modules that an implied statement does not move */
  follow(statement: MoveStatement, named?: NamedModules): void {
    const matches: (readonly [InstanceAddr, InstanceAddr])[] = [];
    const depth = statement.module.path.names.length + statement.moved.from.steps.length;
    for (const addr of this.#movedBy(statement)) {
      if (named?.has(prefix(addr.resource.module, depth)) === true) continue;
      const to = moveBy(addr, statement);
      if (to !== undefined && to !== addr) matches.push([addr, to]);
    }
    const { from, to: end } = statement.moved;
    const wholeModule = from.kind === 'module';
    const wholeResource = !wholeModule && !hasKey(from) && !hasKey(end);
    // The destination is checked once for all objects that move together.
    const isFree = new Map<ModuleInstance | AbsResource, boolean>();
    for (const [addr, to] of matches) {
      if (!wholeModule && !wholeResource) {
        this.move(addr, to, addr, to, statement.moved.range);
        continue;
      }
      const [unit, target] = wholeModule
        ? [addr.resource.module, to.resource.module]
        : [addr.resource, to.resource];
      let free = isFree.get(unit);
      if (free === undefined) isFree.set(unit, (free = !this.#counts.has(target)));
      if (free) this.move(addr, to, unit, target, statement.moved.range);
      else this.#blocked.set(unit.text, target.text);
    }
  }

  /** Moves one instance as part of a larger move, unless its destination is occupied. */
  move(
    from: InstanceAddr,
    to: InstanceAddr,
    unit: { readonly text: string },
    target: { readonly text: string },
    range?: Range,
  ): void {
    if (this.#present.has(to)) {
      this.#blocked.set(unit.text, target.text);
      return;
    }
    const event: StateEvent = { kind: 'move', from, to };
    this.#draft.apply(event);
    this.#events.push(event);
    this.#present.delete(from);
    this.#present.add(to);
    for (const addresses of this.#bySource.around(from)) addresses.delete(from);
    for (const addresses of this.#bySource.around(to)) addresses.add(to);
    this.#count(from, -1);
    this.#count(to, 1);
    const origin = this.#previous.get(from) ?? from;
    this.#previous.delete(from);
    this.#previous.set(to, origin);
    if (range !== undefined) this.#ranges.set(to, range);
  }

  finish(): Moves {
    return {
      state: this.#events.length === 0 ? this.#state : this.#draft.freeze(),
      events: this.#events,
      previous: this.#previous,
      ranges: this.#ranges,
      diagnostics: blockedWarning(this.#blocked),
    };
  }

  #movedBy(statement: MoveStatement): Set<InstanceAddr> {
    return this.#bySource.entry(statement, () => new Set());
  }

  #count(addr: InstanceAddr, change: number): void {
    for (const unit of [addr.resource, addr.resource.module]) {
      const count = (this.#counts.get(unit) ?? 0) + change;
      if (count === 0) this.#counts.delete(unit);
      else this.#counts.set(unit, count);
    }
  }
}

/** The entries of blocks whose sources have the same form, by the keys that such a source determines. */
interface SameForm<T> {
  /** the number of module steps around the blocks, whose keys are any */
  readonly depth: number;
  /** true if the last key is determined too */
  readonly isKeyed: boolean;
  readonly byKeys: Map<string, T>;
}

/** Entries for `moved` blocks, which are found by an address that a block moves. */
class SourceTable<T> {
  readonly #bySubject = new Map<ConfigResource | ModulePath, SameForm<T>[]>();

  /** Returns the entry of all blocks with the same source, after creating it if there is none. */
  entry({ module, moved: { from, to } }: MoveStatement, create: () => T): T {
    const path = pathOf(module.path, from);
    const subject = from.kind === 'module' ? path : ConfigResource.of(path, from.resource);
    const forms = entryOf(this.#bySubject, subject, () => []);
    const depth = module.path.names.length;
    const isKeyed = hasKey(from) || hasKey(to);
    let form = forms.find((other) => other.depth === depth && other.isKeyed === isKeyed);
    if (form === undefined) forms.push((form = { depth, isKeyed, byKeys: new Map() }));
    const keys = from.steps.map((step) => step.key);
    if (from.kind === 'resource') keys.push(from.key);
    return entryOf(form.byKeys, keysText(isKeyed ? keys : keys.slice(0, -1)), create);
  }

  /** Returns the entries of all blocks that move an address. */
  *around({ resource: { module, config }, key }: InstanceAddr): Iterable<T> {
    yield* this.#at(config, [...module.keys, key]);
    for (let path = module.path; path.parent !== undefined; path = path.parent)
      yield* this.#at(path, module.keys.slice(0, path.names.length));
  }

  *#at(subject: ConfigResource | ModulePath, keys: readonly InstanceKey[]): Iterable<T> {
    for (const { depth, isKeyed, byKeys } of this.#bySubject.get(subject) ?? []) {
      const entry = byKeys.get(keysText(keys.slice(depth, isKeyed ? undefined : -1)));
      if (entry !== undefined) yield entry;
    }
  }
}

function keysText(keys: readonly InstanceKey[]): string {
  return JSON.stringify(keys);
}

/** Returns the target of an address by one statement; undefined if the statement does not concern it. */
function moveBy(addr: InstanceAddr, { module, moved }: MoveStatement): InstanceAddr | undefined {
  const { from, to } = moved;
  const depth = module.path.names.length;
  const instance = addr.resource.module;
  if (!module.path.names.every((name, position) => instance.path.names[position] === name))
    return undefined;
  if (from.kind === 'module' && to.kind === 'module')
    return moveModule(addr, depth, from.steps, to.steps);
  if (from.kind !== 'resource' || to.kind !== 'resource') return undefined;
  if (instance.path.names.length !== depth + from.steps.length) return undefined;
  if (!stepsMatch(instance, depth, from.steps)) return undefined;
  if (from.resource !== addr.resource.resource) return undefined;
  const keepsKey = !hasKey(from) && !hasKey(to);
  if (!keepsKey && addr.key !== from.key) return undefined;
  const target = AbsResource.of(extend(prefix(instance, depth), to.steps), to.resource);
  return target.instance(keepsKey ? addr.key : to.key);
}

function moveModule(
  addr: InstanceAddr,
  depth: number,
  from: readonly ModuleStep[],
  to: readonly ModuleStep[],
): InstanceAddr | undefined {
  const instance = addr.resource.module;
  const end = depth + from.length;
  const last = from.at(-1);
  const lastTo = to.at(-1);
  if (last === undefined || lastTo === undefined || instance.path.names.length < end)
    return undefined;
  if (!stepsMatch(instance, depth, from.slice(0, -1)) || instance.path.names[end - 1] !== last.name)
    return undefined;
  const key = instance.keys[end - 1];
  const keepsKey = !last.hasKey && !lastTo.hasKey;
  if (!keepsKey && key !== last.key) return undefined;
  let target = extend(prefix(instance, depth), to.slice(0, -1));
  target = target.child(lastTo.name, keepsKey ? key : lastTo.key);
  for (let position = end; position < instance.path.names.length; position++) {
    target = target.child(instance.path.names[position] ?? '', instance.keys[position]);
  }
  return AbsResource.of(target, addr.resource.resource).instance(addr.key);
}

function stepsMatch(
  instance: ModuleInstance,
  depth: number,
  steps: readonly ModuleStep[],
): boolean {
  return steps.every(
    (step, position) =>
      instance.path.names[depth + position] === step.name &&
      instance.keys[depth + position] === step.key,
  );
}

function prefix(instance: ModuleInstance, depth: number): ModuleInstance {
  let result = ROOT_INSTANCE;
  for (let position = 0; position < depth; position++) {
    result = result.child(instance.path.names[position] ?? '', instance.keys[position]);
  }
  return result;
}

function extend(instance: ModuleInstance, steps: readonly ModuleStep[]): ModuleInstance {
  return steps.reduce((at, step) => at.child(step.name, step.key), instance);
}

/** Adding or removing `count` keeps the first instance, unless a block moves the resource. */
function impliedMoves(
  configuration: Configuration,
  state: State,
  statements: readonly MoveStatement[],
): readonly (readonly [InstanceAddr, InstanceAddr])[] {
  const moves: (readonly [InstanceAddr, InstanceAddr])[] = [];
  let named: NamedObjects<ConfigResource> | undefined;
  for (const resource of state.resources()) {
    const declared = configuration.modules
      .get(resource.module.path.text)
      ?.resources.get(resource.resource.text);
    if (declared === undefined || declared.forEach !== undefined) continue;
    const none = resource.instance(undefined);
    const first = resource.instance(0);
    const [from, to] = declared.count === undefined ? [first, none] : [none, first];
    if (state.instance(from) === undefined) continue;
    named ??= namedResources(statements);
    if (!named.has(resource.config, resource.module)) moves.push([from, to]);
  }
  return moves;
}

/** Variant for module calls in OpenTofu's files. */
function impliedModuleMoves(configuration: Configuration, state: State): readonly MoveStatement[] {
  const implied: MoveStatement[] = [];
  let keys: ReadonlySet<string> | undefined;
  for (const { call, parent, path } of configuration.modules.values()) {
    if (call === undefined || parent === undefined || call.forEach !== undefined) continue;
    if (!dialectRules(call.range).impliesModuleMoves) continue;
    const [from, to] = call.count === undefined ? [0, undefined] : [undefined, 0];
    keys ??= moduleKeys(state);
    if (!keys.has(`${path.text}|${from}`)) continue;
    const step = (key: number | undefined): MoveEndpoint => ({
      kind: 'module',
      steps: [{ name: call.name, key, hasKey: true }],
    });
    const { range } = call;
    const moved = { from: step(from), to: step(to), range, fromRange: range, toRange: range };
    implied.push({ module: parent, moved });
  }
  return implied;
}

/** Each module that has objects, with each key that an instance of it has. */
function moduleKeys(state: State): ReadonlySet<string> {
  const keys = new Set<string>();
  const visited = new Set<ModuleInstance>();
  for (const { module } of state.resources()) {
    if (visited.has(module)) continue;
    visited.add(module);
    let path = MODULE_ROOT;
    for (const [position, name] of module.path.names.entries()) {
      path = path.child(name);
      keys.add(`${path.text}|${module.keys[position]}`);
    }
  }
  return keys;
}

/** The resources or module calls that are an endpoint of a block; in a module with keys, those of the named instance. */
class NamedObjects<T> {
  /** the keys of the module steps in blocks, by object and by the number of steps around the blocks */
  readonly #keys = new Map<T, Map<number, Set<string>>>();

  has(object: T, { keys }: ModuleInstance): boolean {
    for (const [depth, named] of this.#keys.get(object) ?? [])
      if (named.has(keysText(keys.slice(depth)))) return true;
    return false;
  }

  /** @param steps the steps of an endpoint to the module instance that contains the object */
  add(object: T, { path }: Module, steps: readonly ModuleStep[]): void {
    const byDepth = entryOf(this.#keys, object, () => new Map<number, Set<string>>());
    const keys = entryOf(byDepth, path.names.length, () => new Set<string>());
    keys.add(keysText(steps.map((step) => step.key)));
  }
}

/** The module calls and instances of calls that are an endpoint of a block. */
class NamedModules {
  readonly #calls = new NamedObjects<ModulePath>();
  readonly #instances = new NamedObjects<ModulePath>();

  constructor(statements: readonly MoveStatement[]) {
    for (const { module, moved } of statements) {
      const areCalls = !hasKey(moved.from) && !hasKey(moved.to);
      for (const endpoint of [moved.from, moved.to]) {
        if (endpoint.kind !== 'module') continue;
        const path = pathOf(module.path, endpoint);
        if (areCalls) this.#calls.add(path, module, endpoint.steps.slice(0, -1));
        else this.#instances.add(path, module, endpoint.steps);
      }
    }
  }

  has(instance: ModuleInstance): boolean {
    const { path, parent } = instance;
    return (
      (parent !== undefined && this.#calls.has(path, parent)) || this.#instances.has(path, instance)
    );
  }
}

function namedResources(statements: readonly MoveStatement[]): NamedObjects<ConfigResource> {
  const named = new NamedObjects<ConfigResource>();
  for (const { module, moved } of statements) {
    for (const endpoint of [moved.from, moved.to]) {
      if (endpoint.kind !== 'resource') continue;
      const resource = ConfigResource.of(pathOf(module.path, endpoint), endpoint.resource);
      named.add(resource, module, endpoint.steps);
    }
  }
  return named;
}

/** Returns the path of the module that an endpoint names or is in. */
function pathOf(module: ModulePath, { steps }: MoveEndpoint): ModulePath {
  return steps.reduce((path, { name }) => path.child(name), module);
}

function blockedWarning(blocked: ReadonlyMap<string, string>): readonly Diagnostic[] {
  if (blocked.size === 0) return [];
  const list = [...blocked].map(([from, to]) => `\n  - ${from} could not move to ${to}`).sort();
  return [
    warningDiagnostic(
      'Unresolved resource instance address changes',
      `Terraform tried to adjust resource instance addresses in the prior state based on change information recorded in the configuration, but some adjustments did not succeed due to existing objects already at the intended addresses:${list.join('')}\n\nTerraform has planned to destroy these objects. If Terraform's proposed changes aren't appropriate, you must first resolve the conflicts using the "${programCommand('state')}" subcommands and then create a new plan.`,
    ),
  ];
}
