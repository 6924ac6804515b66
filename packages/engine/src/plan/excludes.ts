import { type InstanceAddr, type TargetAddr, targetContains } from '@terrane/addresses';
import type { ProgramNode, ResourceNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import type { State } from '../state/model.ts';
import { configAddr, type DependencyIndex } from '../evaluate/dependencies.ts';
import { foundationsOf } from './stored-dependencies.ts';
import { addNamedValues, namesResource, type Targeting } from './targets.ts';

/** The targeting of `-exclude`: everything but the excluded addresses and their dependents. */
class Excludes implements Targeting {
  readonly #excludes: readonly TargetAddr[];
  readonly #nodes: ReadonlySet<ProgramNode>;
  readonly #index: DependencyIndex;
  #keptInstances: ReadonlySet<InstanceAddr> | undefined;

  constructor(
    excludes: readonly TargetAddr[],
    nodes: ReadonlySet<ProgramNode>,
    index: DependencyIndex,
  ) {
    this.#excludes = excludes;
    this.#nodes = nodes;
    this.#index = index;
  }

  includes(node: ProgramNode): boolean {
    return this.#nodes.has(node);
  }

  /** Returns true if an instance is included; an orphan is, unless it is excluded itself. */
  includesInstance(addr: InstanceAddr): boolean {
    if (this.#names(addr)) return false;
    const node = this.#index.node(addr.config.text);
    return node === undefined || this.#nodes.has(node);
  }

  includesDeposed(addr: InstanceAddr): boolean {
    return this.includesInstance(addr);
  }

  /** Returns true if an instance is destroyed; dependencies of excluded instances are kept. */
  destroys(addr: InstanceAddr, state: State): boolean {
    this.#keptInstances ??= foundationsOf(state, (other) => this.#names(other));
    return !this.#keptInstances.has(addr);
  }

  #names(addr: InstanceAddr): boolean {
    return this.#excludes.some((excluded) => targetContains(excluded, addr));
  }
}

/**
 * Returns the targeting for excluded addresses. As with targets, dependents are determined by resource: a resource
 * that depends on an excluded instance is excluded with all its instances.
 */
export function excludingOf(
  excludes: readonly TargetAddr[],
  program: Program,
  index: DependencyIndex,
): Targeting {
  const complete = new Set<ProgramNode>();
  const partly = new Set<ProgramNode>();
  for (const node of index.resources) {
    const addr = configAddr(node);
    if (!excludes.some((excluded) => namesResource(excluded, addr))) continue;
    partly.add(node);
    if (excludes.some((excluded) => targetContains(excluded, addr))) complete.add(node);
  }
  const isLeftOut = (node: ResourceNode): boolean =>
    complete.has(node) ||
    index.ancestors(node).some((id) => {
      const other = program.nodes[id];
      return other !== undefined && other !== node && partly.has(other);
    });
  const nodes = new Set<ProgramNode>(index.resources.filter((node) => !isLeftOut(node)));
  addNamedValues(nodes, program, index);
  return new Excludes(excludes, nodes, index);
}
