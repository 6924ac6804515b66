import { parseReference, type Reference } from '@terrane/addresses';
import { Bug } from '@terrane/cty';
import { type Graph, GraphBuilder, orderOf, reversed } from '@terrane/graph';
import {
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  functionCalls,
  type FunctionReference,
  functionsInBody,
  type Traversal,
} from '@terrane/hcl';
import { decodeSpec, type Schema } from '@terrane/provider';
import { neededByAction } from '../config/action-needs.ts';
import { actionSchemaOf } from '../config/action-schema.ts';
import type {
  CheckRule,
  Configuration,
  LocalProviderRef,
  Module,
  Resource,
  Schemas,
} from '../config/model.ts';
import { importKeys } from '../config/import-keys.ts';
import { parseProviderFunction } from '../config/provider-function.ts';
import { providerBlockOf, resolveProviderKey } from '../config/resolve-provider.ts';
import { referencesInBody, referencesInExpression } from '../lang/references.ts';
import { importsByResource } from './imports.ts';
import type { ActionNode, ProgramNode, ProviderNode, ResourceNode } from './node.ts';

/** The static evaluation order of a configuration. */
export interface Program {
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  readonly nodes: readonly ProgramNode[];
  /** Edges from each node to the nodes that must complete before it. */
  readonly dependencies: Graph;
  /** The dependencies without references that occur only in import blocks. */
  readonly foundations: Graph;
  /** Every node after all that it depends on. */
  readonly order: Uint32Array;
  /** The node of a key in a module: `var.x`, `local.x`, `output.x`, `call.x`, an address, … */
  find(module: Module, key: string): ProgramNode | undefined;
  /** Returns the nodes that must complete before a reference in a module has its value. */
  nodesOf(module: Module, reference: Reference): readonly ProgramNode[];
}

/** The program of a configuration, or the cycles that prevent it. */
interface BuiltProgram {
  readonly program?: Program;
  readonly diagnostics: readonly Diagnostic[];
}

/** The program that was built last for a configuration: validation, planning and applying use the same one. */
const builtPrograms = new WeakMap<
  Configuration,
  { readonly schemas: Schemas; readonly result: BuiltProgram }
>();

/**
 * Builds the program of a configuration that passed its static validation. A cycle is an error that names its members;
 * there is no program then. The program is cached for later calls with the same configuration and schemas.
 */
export function buildProgram(configuration: Configuration, schemas: Schemas): BuiltProgram {
  const building = steps(configuration, schemas, false);
  for (;;) {
    const { done, value } = building.next();
    if (done === true) return value;
  }
}

/** Like {@link buildProgram}; `pause` is called between nodes, see `CheckSettings`. */
export async function buildProgramInSteps(
  configuration: Configuration,
  schemas: Schemas,
  pause: () => Promise<void> | undefined,
): Promise<BuiltProgram> {
  const building = steps(configuration, schemas, true);
  for (;;) {
    const { done, value } = building.next();
    if (done === true) return value;
    const paused = pause();
    if (paused !== undefined) await paused;
  }
}

function* steps(
  configuration: Configuration,
  schemas: Schemas,
  isInterruptible: boolean,
): Generator<undefined, BuiltProgram, undefined> {
  const built = builtPrograms.get(configuration);
  if (built?.schemas === schemas) return built.result;
  const result = yield* new ProgramBuilder(configuration, schemas).build(isInterruptible);
  builtPrograms.set(configuration, { schemas, result });
  return result;
}

/** The key by which `Program.find` knows a node within its module. */
export function nodeKey(node: ProgramNode): string {
  switch (node.kind) {
    case 'variable':
      return `var.${node.variable.name}`;
    case 'validation':
      return `validation.${node.variable.name}`;
    case 'local':
      return `local.${node.local.name}`;
    case 'output':
      return `output.${node.output.name}`;
    case 'call':
      return `call.${node.call.name}`;
    case 'resource':
      return node.resource.addr.text;
    case 'action':
      return node.action.addr.text;
    case 'provider': {
      const { name, alias } = node.provider;
      return alias === undefined ? `provider.${name}` : `provider.${name}.${alias}`;
    }
    case 'check':
      return `check.${node.check.name}`;
    case 'moduleEnd':
      return 'end';
    case 'close':
      return `${node.resource.addr.text} (close)`;
  }
}

type Draft = ProgramNode extends infer N ? (N extends ProgramNode ? Omit<N, 'id'> : never) : never;

class ProgramBuilder {
  readonly #configuration: Configuration;
  readonly #schemas: Schemas;
  readonly #nodes: ProgramNode[] = [];
  readonly #index = new Map<Module, Map<string, ProgramNode>>();
  readonly #graph = new GraphBuilder();
  /** Provider blocks that call functions of the provider that they configure. */
  readonly #selfReferences = new Set<string>();

  constructor(configuration: Configuration, schemas: Schemas) {
    this.#configuration = configuration;
    this.#schemas = schemas;
  }

  /** Builds the program, if interruptible in one step for each node. */
  *build(isInterruptible: boolean): Generator<undefined, BuiltProgram, undefined> {
    for (const module of this.#configuration.modules.values()) this.#addNodes(module);
    const nodes = this.#nodes;
    for (let i = 0; i < nodes.length; i++) {
      this.#connect(nodes[i] as ProgramNode);
      if (isInterruptible) yield;
    }
    if (this.#selfReferences.size > 0) {
      const diagnostics = Array.from(this.#selfReferences, (text) =>
        errorDiagnostic(`Self reference: ${text}`, ''),
      );
      return { diagnostics };
    }
    this.#closeEphemerals();
    const foundations = this.#graph.build();
    const dependencies = this.#connectAllImports() ? this.#graph.build() : foundations;
    const { order, cycles } = orderOf(dependencies);
    if (cycles.length > 0) {
      return { diagnostics: cycles.map((cycle) => this.#cycleDiagnostic(cycle)) };
    }
    const program: Program = {
      configuration: this.#configuration,
      schemas: this.#schemas,
      nodes: this.#nodes,
      dependencies,
      foundations,
      order,
      find: (module, key) => this.#index.get(module)?.get(key),
      nodesOf: (module, reference) => this.#nodesOf(module, reference),
    };
    return { program, diagnostics: [] };
  }

  #cycleDiagnostic(cycle: readonly number[]): Diagnostic {
    const action = cycle.map((id) => this.#nodes[id]).find((node) => node?.kind === 'action');
    if (action?.kind === 'action') return this.#actionCycle(action, cycle);
    const names = cycle.map((id) => this.#nodes[id]?.text ?? '').sort();
    return errorDiagnostic(`Cycle: ${names.join(', ')}`, '');
  }

  /**
   * Reports a reference from an action to one of its dependents; only a reference to its caller is possible otherwise.
   */
  #actionCycle({ id, module, action }: ActionNode, cycle: readonly number[]): Diagnostic {
    const graph = this.#graph.build();
    const needed = [...graph.edgesOf(id)].find((other) => cycle.includes(other));
    const text = action.addr.inModule(module.path);
    return errorDiagnostic(
      `action reference cycle involving ${text} and ${this.#nodes[needed ?? id]?.text ?? ''}`,
      '',
    );
  }

  #add(draft: Draft): void {
    const node: ProgramNode = { ...draft, id: this.#graph.addNode() };
    this.#nodes.push(node);
    let keys = this.#index.get(draft.module);
    if (keys === undefined) this.#index.set(draft.module, (keys = new Map()));
    keys.set(nodeKey(node), node);
  }

  #addNodes(module: Module): void {
    const prefix = module.path.isRoot ? '' : `${module.path.text}.`;
    for (const variable of module.variables.values()) {
      const text = `${prefix}var.${variable.name}`;
      const expand = module.path.isRoot ? '' : ' (expand)';
      this.#add({ kind: 'variable', module, variable, text: text + expand });
      const rules = variable.validations;
      if (rules.length === 0) continue;
      this.#add({ kind: 'validation', module, variable, rules, text: `${text} (validation)` });
    }
    for (const local of module.locals.values()) {
      this.#add({ kind: 'local', module, local, text: `${prefix}local.${local.name} (expand)` });
    }
    for (const output of module.outputs.values()) {
      this.#add({
        kind: 'output',
        module,
        output,
        text: `${prefix}output.${output.name} (expand)`,
      });
    }
    for (const call of module.calls.values()) {
      const child = module.children.get(call.name);
      if (child === undefined) continue;
      this.#add({ kind: 'call', module, call, child, text: `${child.path.text} (expand)` });
    }
    for (const resource of module.resources.values()) {
      this.#add({ kind: 'resource', module, resource, text: prefix + resource.addr.text });
    }
    for (const action of module.actions.values()) {
      this.#add({ kind: 'action', module, action, text: `${prefix}${action.addr.text} (config)` });
    }
    for (const provider of module.providers.values()) {
      const source = module.providerSource(provider.name);
      const alias = provider.alias === undefined ? '' : `.${provider.alias}`;
      const text = `${prefix}provider["${source.text}"]${alias}`;
      this.#add({ kind: 'provider', module, provider, text });
    }
    for (const check of module.checks.values()) {
      this.#add({ kind: 'check', module, check, text: `${prefix}check.${check.name} (expand)` });
    }
    this.#add({ kind: 'moduleEnd', module, text: `${module.path.text || 'root'} (close)` });
  }

  #connect(node: ProgramNode): void {
    this.#connectEnclosing(node);
    switch (node.kind) {
      case 'variable':
        this.#connectVariable(node.id, node.module, node.variable.name);
        return;
      case 'validation':
        this.#connectRules(node, node.rules, node.variable.name);
        this.#edgeTo(node.id, node.module, `var.${node.variable.name}`);
        return;
      case 'local':
        this.#connectExpression(node.id, node.module, node.local.expression);
        return;
      case 'output':
        this.#connectExpression(node.id, node.module, node.output.expression);
        this.#connectTraversals(node.id, node.module, node.output.dependsOn);
        this.#connectRules(node, node.output.preconditions);
        return;
      case 'call':
        this.#connectRepetition(node.id, node.module, node.call);
        this.#connectTraversals(node.id, node.module, node.call.dependsOn);
        return;
      case 'resource':
        this.#connectResource(node);
        return;
      case 'action':
        this.#connectReferences(
          node.id,
          node.module,
          neededByAction(node.module, node.action, this.#schemas),
        );
        this.#connectActionCalls(node);
        this.#connectProvider(node.id, node.module, node.action.providerLocal);
        return;
      case 'provider': {
        const schema = this.#schemas.provider(
          node.module.providerSource(node.provider.name),
        )?.provider;
        this.#connectBody(node.id, node.module, node.provider.body, schema);
        return;
      }
      case 'check':
        this.#connectRules(node, node.check.asserts);
        if (node.check.data !== undefined)
          this.#edgeTo(node.id, node.module, node.check.data.addr.text);
        return;
      case 'moduleEnd':
        this.#connectEnd(node.id, node.module);
        return;
      case 'close':
        return;
    }
  }

  /** An ephemeral resource is closed after all that builds on it, near and far. */
  #closeEphemerals(): void {
    const ephemerals = this.#nodes.filter(isEphemeral);
    if (ephemerals.length === 0) return;
    const dependents = reversed(this.#graph.build());
    for (const { id, module, resource, text } of ephemerals) {
      const users = this.#usersOf(id, dependents);
      const providers = users.filter((node): node is ProviderNode => node.kind === 'provider');
      const close = this.#nodes.length;
      this.#add({ kind: 'close', module, resource, providers, text: `${text} (close)` });
      this.#graph.addEdge(close, id);
      for (const user of users) {
        // Intermediate nodes are complete when their dependents are.
        if (dependents.edgesOf(user.id).every((next) => this.#nodes[next]?.kind === 'moduleEnd'))
          this.#graph.addEdge(close, user.id);
      }
    }
  }

  /** Returns all transitive dependents of a node, except for module ends, which are not evaluated. */
  #usersOf(id: number, dependents: Graph): readonly ProgramNode[] {
    const seen = new Set([id]);
    const users: ProgramNode[] = [];
    for (const current of seen) {
      const node = this.#nodes[current];
      if (node !== undefined && current !== id && node.kind !== 'moduleEnd') users.push(node);
      for (const next of dependents.edgesOf(current)) seen.add(next);
    }
    return users;
  }

  /** Makes every node of a module depend on the call that determines its instances. */
  #connectEnclosing(node: ProgramNode): void {
    const { module } = node;
    if (module.parent === undefined || module.call === undefined || node.kind === 'moduleEnd')
      return;
    this.#edgeTo(node.id, module.parent, `call.${module.call.name}`);
  }

  #connectVariable(id: number, module: Module, name: string): void {
    if (module.parent === undefined || module.call === undefined) return;
    const { attributes } = module.call.body.justAttributes();
    const argument = attributes.get(name);
    if (argument === undefined) return;
    this.#connectExpression(id, module.parent, argument.expression);
  }

  #connectEnd(id: number, module: Module): void {
    for (const node of this.#index.get(module)?.values() ?? []) {
      if (node.id !== id) this.#graph.addEdge(id, node.id);
    }
    for (const child of module.children.values()) this.#edgeTo(id, child, 'end');
  }

  #connectRepetition(
    id: number,
    module: Module,
    at: Pick<Resource, 'count' | 'forEach' | 'enabled'>,
  ): void {
    this.#connectExpression(id, module, at.count);
    this.#connectExpression(id, module, at.forEach);
    this.#connectExpression(id, module, at.enabled);
  }

  #connectRules(node: ProgramNode, rules: readonly CheckRule[], exceptVariable?: string): void {
    for (const rule of rules) {
      for (const expression of [rule.condition, rule.errorMessage]) {
        this.#connectExpression(node.id, node.module, expression, (reference) => {
          const { subject } = reference;
          if (subject.kind === 'variable' && subject.name === exceptVariable) return true;
          return node.kind === 'resource' && isOwnResource(reference, node);
        });
      }
    }
  }

  #connectResource(node: ResourceNode): void {
    const { id, module, resource } = node;
    const { addr, provider, body } = resource;
    const schema = this.#schemas.resource(provider, addr.mode, addr.type);
    if (!resource.hasMetaArguments) {
      this.#connectBody(id, module, body, schema, node);
      this.#connectProvider(id, module, resource.providerLocal);
      return;
    }
    this.#connectRepetition(id, module, resource);
    this.#connectBody(id, module, body, schema, node);
    if (resource.list !== undefined) {
      this.#connectExpression(id, module, resource.list.limit);
      this.#connectExpression(id, module, resource.list.includeResource);
    }
    this.#connectTraversals(id, module, resource.dependsOn);
    this.#connectRules(node, resource.preconditions);
    this.#connectRules(node, resource.postconditions);
    for (const expression of resource.replaceTriggeredBy)
      this.#connectExpression(id, module, expression);
    this.#connectExpression(id, module, resource.preventDestroyExpression);
    for (const provisioner of resource.provisioners) {
      if (provisioner.when === 'destroy') continue;
      this.#connectAttributes(node, provisioner.body);
      if (provisioner.connection !== undefined)
        this.#connectAttributes(node, provisioner.connection);
    }
    if (resource.connection !== undefined) this.#connectAttributes(node, resource.connection);
    this.#connectTriggers(node);
    this.#connectProvider(id, module, resource.providerLocal);
  }

  /** Makes a resource depend on the actions that it triggers and on the conditions of its triggers. */
  #connectTriggers({ id, module, resource }: ResourceNode): void {
    for (const { actions, condition } of resource.actionTriggers) {
      for (const { action } of actions) this.#edgeTo(id, module, action.text);
      this.#connectExpression(id, module, condition);
    }
  }

  /** Connects the functions that an action calls; its references are already connected. */
  #connectActionCalls({ id, module, action }: ActionNode): void {
    const { count, forEach, config } = action;
    for (const expression of [count, forEach])
      if (expression !== undefined) this.#connectCalls(id, module, functionCalls(expression));
    const schema = actionSchemaOf(this.#schemas, action);
    if (config !== undefined && schema !== undefined)
      this.#connectCalls(id, module, functionsInBody(config, decodeSpec(schema.block)));
  }

  #connectProvider(
    id: number,
    module: Module,
    local: Resource['providerLocal'] | LocalProviderRef,
  ): void {
    const { address: provider, key: providerKey } = resolveProviderKey(module, local);
    if (providerKey !== undefined)
      this.#connectExpression(id, providerKey.through?.parent ?? module, providerKey.expression);
    const owner = this.#configuration.modules.get(provider.module.text);
    if (owner === undefined || owner.providers.size === 0) return;
    for (const [key, block] of owner.providers) {
      if (owner.providerSource(block.name) !== provider.provider || block.alias !== provider.alias)
        continue;
      this.#edgeTo(id, owner, `provider.${key}`);
    }
  }

  /** Makes calls of functions of configured providers depend on the configuration of their provider. */
  #connectCalls(id: number, module: Module, calls: readonly FunctionReference[]): void {
    for (const { name, range } of calls) {
      const called = parseProviderFunction(name, range);
      if (called?.needsConfiguration !== true || !module.requiredProviders.has(called.provider))
        continue;
      const { provider, alias } = called;
      const local = { name: provider, ...(alias === undefined ? {} : { alias }) };
      const node = this.#nodes[id];
      if (node?.kind === 'provider' && this.#isConfiguredBy(module, local, node)) {
        this.#selfReferences.add(node.text);
      } else {
        this.#connectProvider(id, module, local);
      }
    }
  }

  #isConfiguredBy(module: Module, local: LocalProviderRef, node: ProviderNode): boolean {
    const { address } = resolveProviderKey(module, local);
    return providerBlockOf(this.#configuration, address)?.block === node.provider;
  }

  /** Makes resources depend on the expressions of their import blocks. Returns true if the configuration has any. */
  #connectAllImports(): boolean {
    for (const [target, blocks] of importsByResource(this.#configuration)) {
      const module = this.#configuration.modules.get(target.module.text);
      const node = module && this.#index.get(module)?.get(target.resource.text);
      if (node === undefined) continue;
      for (const placedImport of blocks) {
        const { forEach, id, identity, to } = placedImport.block;
        for (const expression of [forEach, id, identity, ...importKeys(to)]) {
          this.#connectExpression(node.id, placedImport.module, expression);
        }
        // The block is evaluated in every instance of its module.
        const { call, parent } = placedImport.module;
        if (call !== undefined && parent !== undefined)
          this.#edgeTo(node.id, parent, `call.${call.name}`);
      }
    }
    return [...this.#configuration.modules.values()].some(({ imports }) => imports.length > 0);
  }

  /** Provisioner and connection bodies have no schema here: every attribute counts. */
  #connectAttributes(node: ResourceNode, body: Resource['body']): void {
    for (const { expression } of body.justAttributes().attributes.values()) {
      this.#connectExpression(node.id, node.module, expression, (reference) =>
        isOwnResource(reference, node),
      );
    }
  }

  #connectBody(
    id: number,
    module: Module,
    body: Resource['body'],
    schema: Schema | undefined,
    ownResource?: ResourceNode,
  ): void {
    if (schema === undefined) return;
    const calls = functionsInBody(body, decodeSpec(schema.block));
    if (calls.length > 0) this.#connectCalls(id, module, calls);
    const { references } = referencesInBody(body, schema.block);
    for (let i = 0; i < references.length; i++) {
      const reference = references[i] as Reference;
      if (ownResource === undefined || !isOwnResource(reference, ownResource))
        this.#connectReference(id, module, reference);
    }
  }

  #connectTraversals(id: number, module: Module, traversals: readonly Traversal[]): void {
    for (const traversal of traversals) {
      const { reference } = parseReference(traversal);
      if (reference !== undefined) this.#connectReference(id, module, reference);
    }
  }

  /** Connects what an expression refers to and the providers of the functions that it calls. */
  #connectExpression(
    id: number,
    module: Module,
    expression: Expression | undefined,
    isExempt?: (reference: Reference) => boolean,
  ): void {
    if (expression === undefined) return;
    for (const reference of referencesInExpression(expression).references)
      if (isExempt?.(reference) !== true) this.#connectReference(id, module, reference);
    this.#connectCalls(id, module, functionCalls(expression));
  }

  #connectReferences(id: number, module: Module, references: readonly Reference[]): void {
    for (const reference of references) this.#connectReference(id, module, reference);
  }

  #connectReference(id: number, module: Module, reference: Reference): void {
    const { subject } = reference;
    if (subject.kind === 'resource') {
      this.#edgeTo(id, module, subject.resource.text);
      return;
    }
    for (const node of this.#nodesOf(module, reference)) {
      // A self-reference is reported when it is evaluated.
      if (node.id !== id) this.#graph.addEdge(id, node.id);
    }
  }

  #nodesOf(module: Module, { subject }: Reference): readonly ProgramNode[] {
    const keys = this.#index.get(module);
    const find = (key: string): readonly ProgramNode[] => {
      const node = keys?.get(key);
      return node === undefined ? [] : [node];
    };
    switch (subject.kind) {
      case 'variable':
        return [...find(`var.${subject.name}`), ...find(`validation.${subject.name}`)];
      case 'local':
        return find(`local.${subject.name}`);
      case 'resource':
        return find(subject.resource.text);
      case 'moduleCall': {
        const child = module.children.get(subject.name);
        if (child === undefined) return [];
        const output =
          subject.output === undefined
            ? undefined
            : this.#index.get(child)?.get(`output.${subject.output}`);
        return [...find(`call.${subject.name}`), output ?? this.#need(child, 'end')];
      }
      default:
        return [];
    }
  }

  #edgeTo(id: number, module: Module, key: string): void {
    const target = this.#index.get(module)?.get(key);
    // A self-reference is reported when it is evaluated.
    if (target !== undefined && target.id !== id) this.#graph.addEdge(id, target.id);
  }

  #need(module: Module, key: string): ProgramNode {
    const node = this.#index.get(module)?.get(key);
    if (node === undefined) throw new Bug(`no ${key} in ${module.path.text}`);
    return node;
  }
}

function isEphemeral(node: ProgramNode): node is ResourceNode {
  return node.kind === 'resource' && node.resource.addr.mode === 'ephemeral';
}

/** A reference of a resource to itself is reported by the validation of the resource, not as a cycle. */
function isOwnResource(reference: Reference, node: ResourceNode): boolean {
  return reference.subject.kind === 'resource' && reference.subject.resource === node.resource.addr;
}
