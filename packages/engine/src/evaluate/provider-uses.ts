import type { ProviderConfigAddr } from '@terrane/addresses';
import type { NamedGraphBuilder } from './named-graph.ts';

/** The provider configurations in a graph: opened before all that uses them, closed after it. */
export class ProviderUses {
  readonly #graph: NamedGraphBuilder;
  readonly #used = new Map<ProviderConfigAddr, { readonly open: number; readonly by: number[] }>();

  constructor(graph: NamedGraphBuilder) {
    this.#graph = graph;
  }

  /** Records that a node uses a provider configuration. The first use adds the node that opens it. */
  use(user: number, { configuration }: ProviderConfigAddr): void {
    let used = this.#used.get(configuration);
    if (used === undefined) {
      used = { open: this.#graph.add(configuration.text, 'provider'), by: [] };
      this.#used.set(configuration, used);
    }
    used.by.push(user);
    this.#graph.after(user, used.open);
  }

  /** Returns the node that opens a configuration; undefined if it is unused. */
  opening(configuration: ProviderConfigAddr): number | undefined {
    return this.#used.get(configuration)?.open;
  }

  /** Adds the nodes that close them; call it when all uses are known. */
  close(): void {
    for (const [{ text }, { open, by }] of this.#used) {
      const close = this.#graph.add(`${text} (close)`, 'other');
      for (const id of [open, ...by]) this.#graph.after(close, id);
    }
  }
}
