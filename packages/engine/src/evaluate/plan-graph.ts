import { ConfigResource, type ProviderConfigAddr } from '@terrane/addresses';
import type { Diagnostic } from '@terrane/hcl';
import { structureProblems } from '../config/check/structure-problems.ts';
import type { Configuration, LocalProviderRef, Module, Schemas } from '../config/model.ts';
import { resolveProvider } from '../config/resolve-provider.ts';
import type { State, StoredObject } from '../state/model.ts';
import { type NamedGraph, NamedGraphBuilder } from './named-graph.ts';
import type { CheckNode, ProgramNode } from './node.ts';
import { buildProgram, type Program } from './program.ts';
import { providerNodeAddr } from './provider-node.ts';
import { ProviderUses } from './provider-uses.ts';

/**
 * The order in which a plan evaluates the objects of the configuration and of the state, with the names that
 * Terraform uses (`graph -type=plan`), or the order of an apply without a plan. There is no graph if the configuration
 * has invalid references or a cycle.
 */
export function planGraph(
  configuration: Configuration,
  schemas: Schemas,
  state: State,
  operation: 'plan' | 'apply' = 'plan',
): { readonly graph?: NamedGraph; readonly diagnostics: readonly Diagnostic[] } {
  const structure = structureProblems(configuration);
  if (structure.length > 0) return { diagnostics: structure };
  const { program, diagnostics } = buildProgram(configuration, schemas);
  if (program === undefined) return { diagnostics };
  return { graph: new PlanGraph(program, state, operation === 'plan').build(), diagnostics };
}

class PlanGraph {
  readonly #program: Program;
  readonly #state: State;
  readonly #plans: boolean;
  readonly #graph = new NamedGraphBuilder();
  /** graph node numbers by program node */
  readonly #ids = new Map<number, number>();
  readonly #providers = new ProviderUses(this.#graph);

  constructor(program: Program, state: State, plans: boolean) {
    this.#program = program;
    this.#state = state;
    this.#plans = plans;
  }

  build(): NamedGraph {
    const { nodes, dependencies } = this.#program;
    for (const node of nodes) this.#add(node);
    this.#addRemovedObjects();
    for (const node of nodes) {
      if (node.kind !== 'provider') continue;
      const open = this.#providers.opening(providerNodeAddr(node));
      if (open !== undefined) this.#ids.set(node.id, open);
    }
    for (const [later, id] of this.#ids) {
      for (const earlier of dependencies.edgesOf(later)) {
        const before = this.#ids.get(earlier);
        if (before !== undefined) this.#graph.after(id, before);
      }
    }
    for (const node of nodes) if (this.#plans && node.kind === 'check') this.#reportFirst(node);
    this.#providers.close();
    this.#graph.addRoot('root');
    return this.#graph.build();
  }

  #add(node: ProgramNode): void {
    // A provider is in the graph if it is used, and the end of the root is the end of the graph.
    if (node.kind === 'provider' || (node.kind === 'moduleEnd' && node.module.path.isRoot)) return;
    if (node.kind === 'resource') {
      const { module, resource } = node;
      const address = ConfigResource.of(module.path, resource.addr);
      const id = this.#graph.addResource(`${address.text} (expand)`, address);
      this.#ids.set(node.id, id);
      this.#providers.use(id, this.#providerOf(module, resource));
      return;
    }
    const isRootVariable = node.kind === 'variable' && node.module.path.isRoot;
    const id = this.#graph.add(node.text, isRootVariable ? 'value' : 'other');
    this.#ids.set(node.id, id);
    if (node.kind === 'action') this.#providers.use(id, this.#providerOf(node.module, node.action));
  }

  #providerOf(
    module: Module,
    { providerLocal }: { readonly providerLocal: LocalProviderRef },
  ): ProviderConfigAddr {
    return resolveProvider(this.#program.configuration, module, providerLocal);
  }

  /** Adds orphaned and deposed objects, and modules and outputs that are only in the state. */
  #addRemovedObjects(): void {
    const { configuration } = this.#program;
    const removedModules = new Set<string>();
    for (const address of this.#state.instances()) {
      const { config, text } = address;
      const module = configuration.modules.get(config.module.text);
      if (module === undefined) removedModules.add(config.module.text);
      // Without a plan no operations on objects are known.
      if (!this.#plans) continue;
      const objects = this.#state.instance(address);
      const addRemoved = (subject: string, object: StoredObject): void => {
        this.#providers.use(
          this.#graph.addResource(`${text} (${subject})`, config),
          object.provider,
        );
      };
      const isDeclared = module?.resources.has(config.resource.text) === true;
      if (objects?.current !== undefined && !isDeclared) addRemoved('orphan', objects.current);
      for (const [key, object] of objects?.deposed ?? []) addRemoved(`deposed ${key}`, object);
    }
    for (const module of removedModules) this.#graph.add(`${module} (close)`, 'other');
    for (const name of this.#state.outputs.keys()) {
      if (!configuration.root.outputs.has(name))
        this.#graph.add(`output.${name} (destroy)`, 'value');
    }
  }

  /** Orders the node that reports a check before the check and the data source that it reads. */
  #reportFirst(node: CheckNode): void {
    const report = this.#graph.add(node.text.replace(/\(expand\)$/, '(report)'), 'other');
    const { data } = node.check;
    const read = data && this.#program.find(node.module, data.addr.text);
    for (const later of [node, read]) {
      const id = later && this.#ids.get(later.id);
      if (id !== undefined) this.#graph.after(id, report);
    }
  }
}
