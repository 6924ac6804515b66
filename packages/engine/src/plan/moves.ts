import { type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import type { ModuleStep } from '../addrs/module-prefix.ts';
import { type ModuleInstance, ROOT_INSTANCE } from '../addrs/module-path.ts';
import type { MoveEndpoint } from '../addrs/parse-address.ts';
import { AbsResource, type InstanceAddr } from '../addrs/resource-addr.ts';
import type { Configuration, Module, Moved } from '../config/model.ts';
import { StateDraft } from '../state/draft.ts';
import type { State } from '../state/model.ts';

/** A state with objects at the addresses that the configuration now has for them. */
export interface Moves {
  readonly state: State;
  /** Where each moved instance was, by where it is now. */
  readonly previous: ReadonlyMap<InstanceAddr, InstanceAddr>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Moves objects as `moved` blocks say, and between no key and the zeroth instance where `count` was
 * added or taken away. A move whose destination is taken does not happen and is warned of.
 */
export function applyMoves(configuration: Configuration, state: State): Moves {
  const statements: Statement[] = [];
  for (const module of configuration.modules.values()) {
    for (const moved of module.moved) statements.push({ module, moved });
  }
  const destinations = new Map<InstanceAddr, InstanceAddr>();
  for (const addr of state.instances()) {
    const to = destination(addr, statements) ?? impliedDestination(addr, configuration, state, statements);
    if (to !== undefined && to !== addr) destinations.set(addr, to);
  }
  if (destinations.size === 0) return { state, previous: new Map(), diagnostics: [] };
  const blocked = blockedMoves(destinations, state);
  const draft = new StateDraft(state);
  const previous = new Map<InstanceAddr, InstanceAddr>();
  for (const [from, to] of inOrder(destinations)) {
    if (blocked.has(from)) continue;
    draft.apply({ kind: 'move', from, to });
    previous.set(to, from);
  }
  return { state: draft.freeze(), previous, diagnostics: blockedWarning(blocked) };
}

interface Statement {
  readonly module: Module;
  readonly moved: Moved;
}

/** Where statements lead an address, one after the other; undefined where none is about it. */
function destination(addr: InstanceAddr, statements: readonly Statement[]): InstanceAddr | undefined {
  const seen = new Set<Statement>();
  let current = addr;
  for (;;) {
    const next = step(current, statements, seen);
    if (next === undefined) return current === addr ? undefined : current;
    current = next;
  }
}

function step(
  addr: InstanceAddr,
  statements: readonly Statement[],
  seen: Set<Statement>,
): InstanceAddr | undefined {
  for (const statement of statements) {
    if (seen.has(statement)) continue;
    const moved = moveBy(addr, statement);
    if (moved === undefined) continue;
    seen.add(statement);
    return moved;
  }
  return undefined;
}

function moveBy(addr: InstanceAddr, { module, moved }: Statement): InstanceAddr | undefined {
  const { from, to } = moved;
  const depth = module.path.names.length;
  const instance = addr.resource.module;
  if (!module.path.names.every((name, position) => instance.path.names[position] === name)) return undefined;
  if (from.kind === 'module' && to.kind === 'module') return moveModule(addr, depth, from.steps, to.steps);
  if (from.kind !== 'resource' || to.kind !== 'resource') return undefined;
  if (instance.path.names.length !== depth + from.steps.length) return undefined;
  if (!stepsMatch(instance, depth, from.steps)) return undefined;
  if (from.resource !== addr.resource.resource) return undefined;
  const whole = !from.hasKey && !to.hasKey;
  if (!whole && addr.key !== from.key) return undefined;
  const target = AbsResource.of(extend(prefix(instance, depth), to.steps), to.resource);
  return target.instance(whole ? addr.key : to.key);
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
  if (last === undefined || lastTo === undefined || instance.path.names.length < end) return undefined;
  if (!stepsMatch(instance, depth, from.slice(0, -1)) || instance.path.names[end - 1] !== last.name) return undefined;
  const key = instance.keys[end - 1];
  const whole = !last.hasKey && !lastTo.hasKey;
  if (!whole && key !== last.key) return undefined;
  let target = extend(prefix(instance, depth), to.slice(0, -1));
  target = target.child(lastTo.name, whole ? key : lastTo.key);
  for (let position = end; position < instance.path.names.length; position++) {
    target = target.child(instance.path.names[position] ?? '', instance.keys[position]);
  }
  return AbsResource.of(target, addr.resource.resource).instance(addr.key);
}

function stepsMatch(instance: ModuleInstance, depth: number, steps: readonly ModuleStep[]): boolean {
  return steps.every(
    (one, position) =>
      instance.path.names[depth + position] === one.name && instance.keys[depth + position] === one.key,
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
  return steps.reduce((at, one) => at.child(one.name, one.key), instance);
}

/** Adding or removing `count` keeps the first instance. */
function impliedDestination(
  addr: InstanceAddr,
  configuration: Configuration,
  state: State,
  statements: readonly Statement[],
): InstanceAddr | undefined {
  const { resource } = addr;
  const declared = configuration.modules.get(resource.module.path.text)?.resources.get(resource.resource.text);
  if (declared === undefined || statements.some((statement) => concerns(statement, addr))) return undefined;
  let to: InstanceAddr | undefined;
  if (declared.count !== undefined && addr.key === undefined) to = resource.instance(0);
  else if (declared.count === undefined && declared.forEach === undefined && addr.key === 0) {
    to = resource.instance(undefined);
  }
  return to !== undefined && state.instance(to) === undefined ? to : undefined;
}

function concerns({ module, moved }: Statement, addr: InstanceAddr): boolean {
  const { path } = addr.resource.module;
  const isAbout = (endpoint: MoveEndpoint): boolean =>
    endpoint.kind === 'resource' &&
    endpoint.resource === addr.resource.resource &&
    [...module.path.names, ...endpoint.steps.map((one) => one.name)].join('.') === path.names.join('.');
  return isAbout(moved.from) || isAbout(moved.to);
}

/** Moves onto an address where something stays, or where two would meet. */
function blockedMoves(
  destinations: ReadonlyMap<InstanceAddr, InstanceAddr>,
  state: State,
): ReadonlyMap<InstanceAddr, InstanceAddr> {
  const blocked = new Map<InstanceAddr, InstanceAddr>();
  const taken = new Set<InstanceAddr>();
  for (const [from, to] of destinations) {
    const stays = state.instance(to) !== undefined && !destinations.has(to);
    if (stays || taken.has(to)) blocked.set(from, to);
    else taken.add(to);
  }
  return blocked;
}

/** Each address is left before something else comes to it. */
function inOrder(
  destinations: ReadonlyMap<InstanceAddr, InstanceAddr>,
): readonly (readonly [InstanceAddr, InstanceAddr])[] {
  const ordered: (readonly [InstanceAddr, InstanceAddr])[] = [];
  const done = new Set<InstanceAddr>();
  for (const start of destinations.keys()) {
    const chain: InstanceAddr[] = [];
    let at: InstanceAddr | undefined = start;
    while (at !== undefined && !done.has(at) && destinations.has(at)) {
      done.add(at);
      chain.push(at);
      at = destinations.get(at);
    }
    for (const from of chain.reverse()) {
      const to = destinations.get(from);
      if (to !== undefined) ordered.push([from, to]);
    }
  }
  return ordered;
}

function blockedWarning(blocked: ReadonlyMap<InstanceAddr, InstanceAddr>): readonly Diagnostic[] {
  if (blocked.size === 0) return [];
  const list = [...blocked].map(([from, to]) => `\n  - ${from.text} could not move to ${to.text}`).sort();
  return [
    warningDiagnostic(
      'Unresolved resource instance address changes',
      `Terraform tried to adjust resource instance addresses in the prior state based on change information recorded in the configuration, but some adjustments did not succeed due to existing objects already at the intended addresses:${list.join('')}\n\nTerraform has planned to destroy these objects. If Terraform's proposed changes aren't appropriate, you must first resolve the conflicts using the "terraform state" subcommands and then create a new plan.`,
    ),
  ];
}
