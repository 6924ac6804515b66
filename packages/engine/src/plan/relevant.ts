import {
  AbsResource,
  type ModuleInstance,
  type Reference,
  referenceText,
  type ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { compareText, type Path } from '@terrane/cty';
import type { Expression } from '@terrane/hcl';
import type { Module } from '../config/model.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Program } from '../evaluate/program.ts';
import { referencesInExpression } from '../lang/references.ts';
import { pathOfTraversal } from '../objects/ignore-changes.ts';
import type { OutputChange } from './model.ts';
import { selectReferences } from './selected-references.ts';

/** A resource attribute that contributed to the planned changes. */
export interface RelevantAttribute {
  /** address of the instance, or of the resource where the reference names no instance */
  readonly resource: string;
  readonly attribute: Path;
}

/**
 * Returns a function that finds the resource attributes that contributed to the changes of a plan, directly or through
 * other values. Drift of other attributes is not shown. Sorted by resource, then by attribute. The search takes place at
 * the first call, because a plan without drift that is neither stored nor printed as JSON needs no result. The function
 * retains the configuration, but not the values of the run.
 *
 * References are followed in the configuration: each is visited once per module instance, regardless of the number of
 * resource instances. As in Terraform, outputs of child modules with a value count as changed, as they are not in the
 * state, and references in `count` and `for_each` contribute only if `count` or `each` is used.
 */
export function relevantAttributes(
  evaluation: Evaluation,
  resources: Iterable<AbsResource>,
  outputs: readonly OutputChange[],
): () => readonly RelevantAttribute[] {
  const { program } = evaluation;
  const { modules, root } = program.configuration;
  const expressions: (readonly [ModuleInstance, Expression])[] = [];
  for (const module of modules.values()) {
    if (module === root) continue;
    for (const { instance, outputs: values } of evaluation.instancesOf(module)) {
      for (const [name, value] of values) {
        const output = module.outputs.get(name);
        const isNull = value.isKnown && value.isNull;
        if (output === undefined || output.ephemeral || isNull) continue;
        expressions.push([instance, output.expression]);
      }
    }
  }
  for (const change of outputs) {
    const output = root.outputs.get(change.name);
    if (change.action === 'no-op' || output === undefined) continue;
    expressions.push([ROOT_INSTANCE, output.expression]);
  }
  let attributes: readonly RelevantAttribute[] | undefined;
  return () => (attributes ??= find(program, resources, expressions));
}

function find(
  program: Program,
  resources: Iterable<AbsResource>,
  expressions: Iterable<readonly [ModuleInstance, Expression]>,
): readonly RelevantAttribute[] {
  const finder = new Finder(program);
  for (const resource of resources) finder.fromResource(resource);
  for (const [module, expression] of expressions) finder.fromExpression(module, expression);
  return finder.finish();
}

interface Pending {
  readonly module: ModuleInstance;
  readonly reference: Reference;
  /** the resource of `count` and `each` in the reference */
  readonly within: ResourceAddr | undefined;
}

class Finder {
  readonly #program: Program;
  readonly attributes = new Map<string, RelevantAttribute>();
  readonly #visited = new Map<ModuleInstance, Set<string>>();
  readonly #pending: Pending[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  fromResource({ module, resource }: AbsResource): void {
    for (const reference of this.#inResource(module, resource, []))
      this.#add(module, reference, resource);
  }

  fromExpression(module: ModuleInstance, expression: Expression): void {
    for (const reference of referencesInExpression(expression).references)
      this.#add(module, reference);
  }

  /** Follows all references from the starting points and returns the attributes reached. */
  finish(): readonly RelevantAttribute[] {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.#follow(next);
    return [...this.attributes]
      .sort(([a], [b]) => compareText(a, b))
      .map(([, attribute]) => attribute);
  }

  #add(module: ModuleInstance, reference: Reference, within?: ResourceAddr): void {
    const { subject } = reference;
    let key: string;
    switch (subject.kind) {
      case 'resource':
        key = textOf(reference);
        break;
      case 'variable':
      case 'local':
        key = `${subject.kind}.${subject.name}`;
        break;
      case 'moduleCall':
        key = textOf(reference);
        break;
      case 'count':
      case 'each':
        if (within === undefined) return;
        key = `${within.text} repetition`;
        break;
      default:
        return;
    }
    let visited = this.#visited.get(module);
    if (visited === undefined) this.#visited.set(module, (visited = new Set()));
    if (visited.has(key)) return;
    visited.add(key);
    if (subject.kind === 'resource') {
      const absolute = AbsResource.of(module, subject.resource);
      const resource = subject.hasKey ? absolute.instance(subject.key).text : absolute.text;
      const attribute = pathOfTraversal({
        steps: remainingSteps(reference),
        range: reference.range,
      });
      const attributeAddress = module.isRoot ? key : `${module.text}.${key}`;
      this.attributes.set(attributeAddress, { resource, attribute });
    }
    this.#pending.push({ module, reference, within });
  }

  #follow({ module, reference, within }: Pending): void {
    const config = this.#moduleOf(module);
    if (config === undefined) return;
    const { subject } = reference;
    switch (subject.kind) {
      case 'resource': {
        const { resource } = subject;
        for (const further of this.#inResource(module, resource, remainingSteps(reference))) {
          this.#add(module, further, resource);
        }
        return;
      }
      case 'local':
        this.#inExpression(module, config.locals.get(subject.name)?.expression);
        return;
      case 'variable': {
        const { parent } = module;
        const argument = config.call?.body.partialContent({
          attributes: [{ name: subject.name }],
          blocks: [],
        });
        if (parent === undefined || argument === undefined) return;
        this.#inExpression(parent, argument.content.attributes.get(subject.name)?.expression);
        return;
      }
      case 'moduleCall': {
        const child = module.child(subject.name, subject.key);
        const outputs = config.children.get(subject.name)?.outputs;
        if (outputs === undefined) return;
        const outputNames = subject.output === undefined ? outputs.keys() : [subject.output];
        for (const name of outputNames) this.#inExpression(child, outputs.get(name)?.expression);
        return;
      }
      case 'count':
      case 'each': {
        const resource = within === undefined ? undefined : config.resources.get(within.text);
        this.#inExpression(module, resource?.forEach ?? resource?.count);
        return;
      }
      default:
        return;
    }
  }

  #inExpression(module: ModuleInstance, expression: Expression | undefined): void {
    if (expression !== undefined) this.fromExpression(module, expression);
  }

  #inResource(
    module: ModuleInstance,
    addr: ResourceAddr,
    steps: Reference['traversal']['steps'],
  ): readonly Reference[] {
    const resource = this.#moduleOf(module)?.resources.get(addr.text);
    if (resource === undefined) return [];
    const schema = this.#program.schemas.resource(resource.provider, addr.mode, addr.type);
    return schema === undefined ? [] : selectReferences(resource.body, schema.block, steps);
  }

  #moduleOf(instance: ModuleInstance): Module | undefined {
    return this.#program.configuration.modules.get(instance.path.text);
  }
}

function remainingSteps(reference: Reference): Reference['traversal']['steps'] {
  return reference.traversal.steps.slice(reference.consumed);
}

const texts: WeakMap<Reference, string> = new WeakMap();

/** The text of a reference, remembered: every instance of a module has the same ones. */
function textOf(reference: Reference): string {
  let text = texts.get(reference);
  if (text === undefined) texts.set(reference, (text = referenceText(reference)));
  return text;
}
