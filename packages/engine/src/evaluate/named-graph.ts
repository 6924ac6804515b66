import type { ConfigResource } from '@terrane/addresses';
import { type Graph, GraphBuilder, transitiveReduction } from '@terrane/graph';

/** The kind of object that a node of a displayed graph represents; `other` nodes only order the rest. */
export type NamedNodeKind = 'resource' | 'provider' | 'value' | 'other';

/** A node of a displayed graph. */
export interface NamedNode {
  /** the name of the node, which several nodes may share */
  readonly name: string;
  readonly kind: NamedNodeKind;
  /** what it is an operation on; the name where that says it already */
  readonly label: string;
  /** the resource that it is an operation on */
  readonly resource?: ConfigResource;
}

/** A graph that people look at: nodes are numbered as they stand, edges lead to what comes before. */
export interface NamedGraph {
  readonly nodes: readonly NamedNode[];
  readonly edges: Graph;
}

/** Collects nodes and edges of a graph that people look at. */
export class NamedGraphBuilder {
  readonly #nodes: NamedNode[] = [];
  readonly #graph = new GraphBuilder();

  /** Adds a node and gives its number. */
  add(name: string, kind: Exclude<NamedNodeKind, 'resource'>): number {
    this.#nodes.push({ name, kind, label: name });
    return this.#graph.addNode();
  }

  /** Adds an operation on a resource and gives its number. */
  addResource(name: string, resource: ConfigResource): number {
    this.#nodes.push({ name, kind: 'resource', label: resource.text, resource });
    return this.#graph.addNode();
  }

  /** Adds an edge: a node comes after another. */
  after(later: number, earlier: number): void {
    this.#graph.addEdge(later, earlier);
  }

  /** Adds a node that comes after all that nothing comes after yet. */
  addRoot(name: string): void {
    const graph = this.#graph.build();
    const followed = new Set(graph.targets);
    const root = this.add(name, 'other');
    for (let node = 0; node < graph.size; node++) if (!followed.has(node)) this.after(root, node);
  }

  /** The graph with no edge that a longer path makes superfluous. */
  build(): NamedGraph {
    return { nodes: this.#nodes, edges: transitiveReduction(this.#graph.build()) };
  }
}
