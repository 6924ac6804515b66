import {
  ConfigResource,
  type InstanceAddr,
  type TargetAddr,
  targetContains,
} from '@terrane/addresses';
import type { ProviderBlock } from '../config/model.ts';
import { providerBlockOf } from '../config/resolve-provider.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import type { State } from '../state/model.ts';
import { configAddr, type DependencyIndex } from '../evaluate/dependencies.ts';
import { builtOn } from './stored-dependencies.ts';

/** The selection by `-target` or `-exclude`. */
export interface Targeting {
  /** Returns true if a node of the program is included. */
  includes(node: ProgramNode): boolean;
  /** Returns true if an instance is included. */
  includesInstance(addr: InstanceAddr): boolean;
  /** Returns true if deposed objects of an instance are included; they have no dependents. */
  includesDeposed(addr: InstanceAddr): boolean;
  /** Returns true if a destroy plan removes an instance of this state. */
  destroys(addr: InstanceAddr, state: State): boolean;
}

/** A run with `-target`. */
class Targets implements Targeting {
  readonly #targets: readonly TargetAddr[];
  readonly #nodes: ReadonlySet<ProgramNode>;
  /** Resources that are only needed by others: all of their instances are included. */
  readonly #needed: ReadonlySet<string>;
  #doomed: ReadonlySet<InstanceAddr> | undefined;

  constructor(
    targets: readonly TargetAddr[],
    nodes: ReadonlySet<ProgramNode>,
    needed: ReadonlySet<string>,
  ) {
    this.#targets = targets;
    this.#nodes = nodes;
    this.#needed = needed;
  }

  includes(node: ProgramNode): boolean {
    return this.#nodes.has(node);
  }

  /** Returns true if the instance is targeted, or needed by a targeted one. */
  includesInstance(addr: InstanceAddr): boolean {
    return this.#needed.has(addr.config.text) || this.#names(addr);
  }

  includesDeposed(addr: InstanceAddr): boolean {
    return this.#names(addr);
  }

  /** Named by a target, or built on an instance that is. */
  destroys(addr: InstanceAddr, state: State): boolean {
    this.#doomed ??= builtOn(state, (other) => this.#names(other));
    return this.#doomed.has(addr);
  }

  #names(addr: InstanceAddr): boolean {
    return this.#targets.some((target) => targetContains(target, addr));
  }
}

/** Returns the provider blocks of targeted objects that are no longer declared. */
export function providersOfOrphans(
  targets: readonly TargetAddr[],
  program: Program,
  state: State,
): readonly ProgramNode[] {
  const { configuration, nodes } = program;
  const blocks = new Set<ProviderBlock>();
  for (const addr of state.managedInstances()) {
    const { module, resource } = addr.resource;
    if (configuration.modules.get(module.path.text)?.resources.has(resource.text) === true)
      continue;
    if (!targets.some((target) => targetContains(target, addr))) continue;
    const { current, deposed } = state.instance(addr) ?? {};
    for (const object of [current, ...(deposed?.values() ?? [])]) {
      const located = object && providerBlockOf(configuration, object.provider.configuration);
      if (located !== undefined) blocks.add(located.block);
    }
  }
  if (blocks.size === 0) return [];
  return nodes.filter((node) => node.kind === 'provider' && blocks.has(node.provider));
}

/** Returns the targeting of a query: its `list` blocks and their dependencies. */
export function queriedOf(program: Program, index: DependencyIndex): Targeting {
  const nodes = new Set<ProgramNode>();
  for (const node of index.resources) {
    if (node.resource.addr.mode !== 'list') continue;
    nodes.add(node);
    for (const id of index.ancestors(node)) {
      const other = program.nodes[id];
      if (other !== undefined) nodes.add(other);
    }
  }
  for (const node of program.nodes) {
    if (node.kind !== 'close') continue;
    const opened = program.find(node.module, node.resource.addr.text);
    if (opened !== undefined && nodes.has(opened)) nodes.add(node);
  }
  return {
    includes: (node) => nodes.has(node),
    includesInstance: () => true,
    includesDeposed: () => false,
    destroys: () => false,
  };
}

/** Returns the targeting of the targets, the nodes `also`, and all their dependencies. */
export function targetingOf(
  targets: readonly TargetAddr[],
  program: Program,
  index: DependencyIndex,
  also: readonly ProgramNode[] = [],
): Targeting {
  const nodes = new Set<ProgramNode>();
  const needed = new Set<string>();
  const named = index.resources.filter((node) =>
    targets.some((target) =>
      namesResource(target, ConfigResource.of(node.module.path, node.resource.addr)),
    ),
  );
  for (const node of [...named, ...also]) {
    nodes.add(node);
    if (node.kind === 'resource' && also.includes(node)) needed.add(configAddr(node).text);
    for (const id of index.ancestors(node)) {
      const other = program.nodes[id];
      if (other === undefined || other === node) continue;
      nodes.add(other);
      if (other.kind === 'resource')
        needed.add(ConfigResource.of(other.module.path, other.resource.addr).text);
    }
  }
  addNamedValues(nodes, program, index);
  return new Targets(targets, nodes, needed);
}

/** Adds the dependencies of the included resources, and the outputs that depend only on these. */
export function addNamedValues(
  nodes: Set<ProgramNode>,
  program: Program,
  index: DependencyIndex,
): void {
  // Root outputs and values are included if all resources that they depend on are.
  for (const id of program.order) {
    const node = program.nodes[id];
    if (node === undefined || nodes.has(node) || node.kind === 'resource' || node.kind === 'check')
      continue;
    const resources = index
      .ancestors(node)
      .filter((other) => program.nodes[other]?.kind === 'resource');
    const all = resources.every((other) => {
      const resource = program.nodes[other];
      return resource !== undefined && nodes.has(resource);
    });
    if (node.kind === 'output' && node.module.path.isRoot && all && resources.length > 0)
      nodes.add(node);
  }
  for (const node of [...nodes]) {
    for (const id of index.ancestors(node)) {
      const other = program.nodes[id];
      if (other !== undefined && other.kind !== 'resource') nodes.add(other);
    }
  }
  for (const node of program.nodes) {
    if (node.kind !== 'close') continue;
    const opened = program.find(node.module, node.resource.addr.text);
    if (opened !== undefined && nodes.has(opened)) nodes.add(node);
  }
}

/** Returns true if a target names a resource of the configuration, or instances of it. */
export function namesResource(target: TargetAddr, resource: ConfigResource): boolean {
  switch (target.kind) {
    case 'module': {
      const { names } = target.module;
      return names.every((name, position) => resource.module.names[position] === name);
    }
    case 'resource':
      return target.resource instanceof ConfigResource
        ? target.resource === resource
        : target.resource.config === resource;
    case 'instance':
      return target.instance.config === resource;
  }
}
