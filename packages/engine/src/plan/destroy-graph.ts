import { type NamedGraph, NamedGraphBuilder } from '../evaluate/named-graph.ts';
import type { Configuration } from '../config/model.ts';
import type { ProviderConfigAddr } from '../addrs/provider-source.ts';
import type { State, StoredObject } from '../state/model.ts';

/**
 * The order in which a plan to destroy everything looks at what is in the state: each object after all that is built
 * on it (Terraform's `graph -type=plan-destroy`).
 */
export function destroyGraph(configuration: Configuration, state: State): NamedGraph {
  return new DestroyGraph(configuration, state).build();
}

class DestroyGraph {
  readonly #configuration: Configuration;
  readonly #state: State;
  readonly #graph = new NamedGraphBuilder();
  /** the operations on each resource: those on its instances have one name, and the first stands for all */
  readonly #resources = new Map<string, number>();
  readonly #providers = new Map<
    ProviderConfigAddr,
    { readonly open: number; readonly by: number[] }
  >();

  constructor(configuration: Configuration, state: State) {
    this.#configuration = configuration;
    this.#state = state;
  }

  build(): NamedGraph {
    const objects: { readonly id: number; readonly object: StoredObject }[] = [];
    for (const address of this.#state.managedInstances()) {
      const { current, deposed = [] } = this.#state.instance(address) ?? {};
      const { config } = address;
      if (current !== undefined) {
        const id = this.#graph.addResource(`${config.text} (destroy)`, config);
        const first = this.#resources.get(config.text);
        if (first === undefined) {
          this.#resources.set(config.text, id);
          objects.push({ id, object: current });
          this.#use(id, current.provider);
        } else {
          this.#graph.after(first, id);
          objects.push({ id: first, object: current });
        }
      }
      for (const [key, object] of deposed) {
        const id = this.#graph.addResource(`${address.text} (deposed ${key})`, config);
        objects.push({ id, object });
        this.#use(id, object.provider);
      }
    }
    for (const { id, object } of objects) {
      for (const text of object.dependencies) {
        const earlier = this.#resources.get(text);
        if (earlier !== undefined) this.#graph.after(earlier, id);
      }
    }
    this.#addOutputs();
    for (const [{ text }, { open, by }] of this.#providers) {
      const close = this.#graph.add(`${text} (close)`, 'other');
      for (const id of [open, ...by]) this.#graph.after(close, id);
    }
    this.#graph.addRoot('root');
    return this.#graph.build();
  }

  #use(user: number, { configuration }: ProviderConfigAddr): void {
    let used = this.#providers.get(configuration);
    if (used === undefined) {
      used = { open: this.#graph.add(configuration.text, 'provider'), by: [] };
      this.#providers.set(configuration, used);
    }
    used.by.push(user);
    this.#graph.after(user, used.open);
  }

  #addOutputs(): void {
    const { outputs } = this.#configuration.root;
    for (const name of outputs.keys()) this.#graph.add(`output.${name} (expand)`, 'other');
    for (const name of this.#state.outputs.keys()) {
      if (!outputs.has(name)) this.#graph.add(`output.${name} (destroy)`, 'value');
    }
  }
}
