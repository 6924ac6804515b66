import type { ConfigResource } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { type Graph, graphOf, orderOf, transitiveReduction } from '@terrane/graph';
import type { NamedGraph } from './named-graph.ts';

/** Which resources build on which: the edges lead to what they build on. */
export interface ResourceGraph {
  /** by module, data sources first, then by type and name */
  readonly resources: readonly ConfigResource[];
  readonly edges: Graph;
}

/**
 * The resources of a graph alone, with an edge wherever others were between two of them, but for those that a longer
 * path makes superfluous (Terraform's plain `graph`).
 */
export function resourceGraph({ nodes, edges }: NamedGraph): ResourceGraph {
  // The nearest resources that each node leads to, those that nodes before it lead to being known.
  const nearest: (readonly number[])[] = [];
  for (const node of orderOf(edges).order) {
    const reached = new Set<number>();
    for (const target of edges.edgesOf(node)) {
      if (nodes[target]?.resource !== undefined) reached.add(target);
      else for (const further of nearest[target] ?? []) reached.add(further);
    }
    nearest[node] = [...reached];
  }
  const between = nodes.map(({ resource }, node) => (resource ? (nearest[node] ?? []) : []));
  const reduced = transitiveReduction(graphOf(between));
  const resources = [...new Set(nodes.flatMap(({ resource }) => resource ?? []))].sort(compare);
  const places = new Map(resources.map((resource, place) => [resource, place]));
  const merged = resources.map(() => new Set<number>());
  const placeOf = (node: number): number | undefined => {
    const resource = nodes[node]?.resource;
    return resource && places.get(resource);
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
