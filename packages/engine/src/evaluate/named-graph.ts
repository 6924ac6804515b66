import type { ConfigResource } from '@terrane/addresses';
import { type Graph, GraphBuilder, transitiveReduction } from '@terrane/graph';

/** The kind of object that a node of a displayed graph represents; `other` nodes only order the rest. */
export type NamedNodeKind = 'resource' | 'provider' | 'value' | 'other';

/** A node of a displayed graph. */
export interface NamedNode {
  /** the name of the node, which several nodes may share */
  readonly name: string;
  readonly kind: NamedNodeKind;
  /** the label of the object of an operation; otherwise the name */
  readonly label: string;
  /** the resource that it is an operation on */
  readonly resource?: ConfigResource;
}

/** A graph for display: nodes are numbered in insertion order, edges lead to dependencies. */
export interface NamedGraph {
  readonly nodes: readonly NamedNode[];
  readonly edges: Graph;
}

/** Builds a graph for display. */
export class NamedGraphBuilder {
  readonly #nodes: NamedNode[] = [];
  readonly #graph = new GraphBuilder();

  /** Adds a node and returns its number. */
  add(name: string, kind: Exclude<NamedNodeKind, 'resource'>): number {
    this.#nodes.push({ name, kind, label: name });
    return this.#graph.addNode();
  }

  /** Adds an operation on a resource and returns its number. */
  addResource(name: string, resource: ConfigResource): number {
    this.#nodes.push({ name, kind: 'resource', label: resource.text, resource });
    return this.#graph.addNode();
  }

  /** Adds an edge: `later` depends on `earlier`. */
  after(later: number, earlier: number): void {
    this.#graph.addEdge(later, earlier);
  }

  /** Adds a node that depends on all nodes without dependents. */
  addRoot(name: string): void {
    const graph = this.#graph.build();
    const withDependents = new Set(graph.targets);
    const root = this.add(name, 'other');
    for (let node = 0; node < graph.size; node++)
      if (!withDependents.has(node)) this.after(root, node);
  }

  /** Returns the graph after transitive reduction. */
  build(): NamedGraph {
    return { nodes: this.#nodes, edges: transitiveReduction(this.#graph.build()) };
  }
}
