import type { ProviderConfigAddr } from '@terrane/addresses';
import { resolveProviderKey } from '../config/resolve-provider.ts';
import type { ProgramNode } from './node.ts';
import type { Program } from './program.ts';
import { providerNodeAddr } from './provider-node.ts';

/** Returns the provider configurations that a node of a program uses while it is evaluated, planned or applied. */
export type ConfigurationsOf = (node: ProgramNode) => readonly ProviderConfigAddr[];

const NONE: readonly ProviderConfigAddr[] = [];

/**
 * Returns a function that determines the provider configurations that each node uses: the one of its resource or
 * action, those of the actions that it triggers, and those whose functions its expressions call. Addresses are without
 * the keys of provider instances.
 */
export function configurationsUsed(program: Program): ConfigurationsOf {
  const known: (readonly ProviderConfigAddr[] | undefined)[] = [];
  /** Most nodes use one configuration: they share a list. */
  const single = new Map<ProviderConfigAddr, readonly ProviderConfigAddr[]>();
  const listOf = (used: readonly ProviderConfigAddr[]): readonly ProviderConfigAddr[] => {
    const first = used[0];
    if (first === undefined) return NONE;
    if (used.some((configuration) => configuration !== first)) return [...new Set(used)];
    let list = single.get(first);
    if (list === undefined) single.set(first, (list = [first]));
    return list;
  };
  const find = (node: ProgramNode): readonly ProviderConfigAddr[] => {
    // They come after others without evaluating anything with a provider.
    if (node.kind === 'moduleEnd' || node.kind === 'close') return NONE;
    const used: ProviderConfigAddr[] =
      node.kind === 'resource'
        ? [resolveProviderKey(node.module, node.resource.providerLocal).address]
        : node.kind === 'action'
          ? [resolveProviderKey(node.module, node.action.providerLocal).address]
          : [];
    const { starts, targets } = program.dependencies;
    const end = starts[node.id + 1] ?? 0;
    for (let edge = starts[node.id] ?? 0; edge < end; edge++) {
      const dependency = program.nodes[targets[edge] ?? 0];
      if (dependency?.kind === 'provider') used.push(providerNodeAddr(dependency));
      else if (dependency?.kind === 'action' && node.kind === 'resource')
        used.push(...configurationsOf(dependency));
    }
    return listOf(used);
  };
  const configurationsOf: ConfigurationsOf = (node) => (known[node.id] ??= find(node));
  return configurationsOf;
}
