import type { Diagnostic } from '@terrane/hcl';
import { moduleArgumentProblems } from '../config/check/module-arguments.ts';
import { type NamedGraph, NamedGraphBuilder } from '../evaluate/named-graph.ts';
import { ProviderUses } from '../evaluate/provider-uses.ts';
import type { Configuration } from '../config/model.ts';
import type { State, StoredObject } from '../state/model.ts';

/**
 * Returns the order in which a plan to destroy everything visits the state: each object after all its dependents
 * (Terraform's `graph -type=plan-destroy`). There is no graph if module calls have invalid arguments.
 */
export function destroyGraph(
  configuration: Configuration,
  state: State,
): { readonly graph?: NamedGraph; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics = moduleArgumentProblems(configuration);
  if (diagnostics.length > 0) return { diagnostics };
  return { graph: new DestroyGraph(configuration, state).build(), diagnostics };
}

class DestroyGraph {
  readonly #configuration: Configuration;
  readonly #state: State;
  readonly #graph = new NamedGraphBuilder();
  /** the operations on each resource: those on its instances share a name, and the first represents all */
  readonly #resources = new Map<string, number>();
  readonly #providers = new ProviderUses(this.#graph);

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
          this.#providers.use(id, current.provider);
        } else {
          this.#graph.after(first, id);
          objects.push({ id: first, object: current });
        }
      }
      for (const [key, object] of deposed) {
        const id = this.#graph.addResource(`${address.text} (deposed ${key})`, config);
        objects.push({ id, object });
        this.#providers.use(id, object.provider);
      }
    }
    for (const { id, object } of objects) {
      for (const text of object.dependencies) {
        const earlier = this.#resources.get(text);
        if (earlier !== undefined) this.#graph.after(earlier, id);
      }
    }
    this.#addOutputs();
    this.#providers.close();
    this.#graph.addRoot('root');
    return this.#graph.build();
  }

  #addOutputs(): void {
    const { outputs } = this.#configuration.root;
    for (const name of outputs.keys()) this.#graph.add(`output.${name} (expand)`, 'other');
    for (const name of this.#state.outputs.keys()) {
      if (!outputs.has(name)) this.#graph.add(`output.${name} (destroy)`, 'value');
    }
  }
}
