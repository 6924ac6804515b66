import type { ConfigResource } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { type Graph, graphOf, orderOf, transitiveReduction } from '@terrane/graph';
import type { NamedGraph } from './named-graph.ts';

/** The dependency graph of resources: edges lead to dependencies. */
export interface ResourceGraph {
  /** by module, data sources first, then by type and name */
  readonly resources: readonly ConfigResource[];
  readonly edges: Graph;
}

/**
 * Returns the resources of a graph, with an edge for each path without other resources between two of them, after
 * transitive reduction (Terraform's plain `graph`).
 */
export function resourceGraph({ nodes, edges }: NamedGraph): ResourceGraph {
  // The nearest resources reachable from each node, computed in dependency order.
  const nearest: (readonly number[])[] = [];
  for (const node of orderOf(edges).order) {
    const reachable = new Set<number>();
    for (const target of edges.edgesOf(node)) {
      if (nodes[target]?.resource !== undefined) reachable.add(target);
      else for (const further of nearest[target] ?? []) reachable.add(further);
    }
    nearest[node] = [...reachable];
  }
  const between = nodes.map(({ resource }, node) => (resource ? (nearest[node] ?? []) : []));
  const reduced = transitiveReduction(graphOf(between));
  const resources = [...new Set(nodes.flatMap(({ resource }) => resource ?? []))].sort(compare);
  const indexes = new Map(resources.map((resource, index) => [resource, index]));
  const merged = resources.map(() => new Set<number>());
  const placeOf = (node: number): number | undefined => {
    const resource = nodes[node]?.resource;
    return resource && indexes.get(resource);
  };
  for (let node = 0; node < reduced.size; node++) {
    const from = placeOf(node);
    if (from === undefined) continue;
    for (const target of reduced.edgesOf(node)) {
      const to = placeOf(target);
      if (to !== undefined && to !== from) merged[from]?.add(to);
    }
  }
  return { resources, edges: graphOf(merged.map((targets) => [...targets].sort((a, b) => a - b))) };
}

function compare(a: ConfigResource, b: ConfigResource): number {
  const isData = ({ resource }: ConfigResource): number => (resource.mode === 'data' ? 0 : 1);
  return (
    compareText(a.module.text, b.module.text) ||
    isData(a) - isData(b) ||
    compareText(a.resource.type, b.resource.type) ||
    compareText(a.resource.name, b.resource.name)
  );
}
