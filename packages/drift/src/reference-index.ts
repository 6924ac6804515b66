import {
  compareKeys,
  type InstanceAddr,
  type InstanceKey,
  parseReference,
  type Reference,
} from '@terrane/addresses';
import { attrStep, indexStep, type Path, pathStartsWith } from '@terrane/cty';
import type { Configuration, Module, Schemas } from '@terrane/engine';
import {
  type Body,
  bodySchemaOf,
  children,
  type Expression,
  type Traversal,
  type TraversalStep,
  variables,
  variablesInBody,
} from '@terrane/hcl';
import { type BlockSchema, decodeSpec, memberOf } from '@terrane/provider';
import { locationOf } from './location.ts';
import type { DriftReference } from './model.ts';

interface IndexedReference extends DriftReference {
  /** the literal instance key; undefined together with `hasKey` for an instance without key */
  readonly key: InstanceKey | undefined;
  readonly hasKey: boolean;
  /** the part of the object; empty for the whole object */
  readonly path: Path;
}

/** The expressions of a configuration that refer to resources, by resource. */
export class ReferenceIndex {
  readonly #references: Map<string, IndexedReference[]> = new Map();

  /** Indexes a configuration in one walk over it. */
  constructor(configuration: Configuration, schemas: Schemas) {
    for (const module of configuration.modules.values()) this.#addModule(module, schemas);
  }

  /** Returns the references that may contain the value at a path of an instance. */
  at(addr: InstanceAddr, path: Path): readonly DriftReference[] {
    const { module, resource } = addr.resource;
    const candidates = this.#references.get(keyOf(module.path.text, resource.text)) ?? [];
    return candidates
      .filter((each) => !each.hasKey || compareKeys(each.key, addr.key) === 0)
      .filter((each) => pathStartsWith(path, each.path) || pathStartsWith(each.path, path))
      .map(({ from, location }) => ({ from, location }));
  }

  #addModule(module: Module, schemas: Schemas): void {
    const within = (name: string): Origin => ({
      module,
      from: module.path.text === '' ? name : `${module.path.text}.${name}`,
    });
    for (const local of module.locals.values())
      this.#visit(local.expression, within(`local.${local.name}`));
    for (const output of module.outputs.values()) {
      const origin = within(`output.${output.name}`);
      this.#visit(output.expression, origin);
      for (const { condition } of output.preconditions) this.#visit(condition, origin);
    }
    for (const resource of module.resources.values()) {
      const origin = within(resource.addr.text);
      const { mode, type } = resource.addr;
      const schema = schemas.resource(resource.provider, mode, type);
      if (schema !== undefined) this.#visitBody(resource.body, schema.block, origin);
      const { count, forEach, enabled, preconditions, replaceTriggeredBy } = resource;
      for (const expression of [count, forEach, enabled, ...replaceTriggeredBy])
        if (expression !== undefined) this.#visit(expression, origin);
      for (const { condition } of preconditions) this.#visit(condition, origin);
    }
    for (const call of module.calls.values()) {
      const origin = within(`module.${call.name}`);
      for (const { expression } of call.body.justAttributes().attributes.values())
        this.#visit(expression, origin);
      for (const expression of [call.count, call.forEach, call.enabled])
        if (expression !== undefined) this.#visit(expression, origin);
    }
    for (const check of module.checks.values())
      for (const { condition } of check.asserts)
        this.#visit(condition, within(`check.${check.name}`));
    for (const provider of module.providers.values()) {
      const schema = schemas.provider(module.providerSource(provider.name));
      if (schema === undefined) continue;
      const origin = within(`provider.${provider.name}`);
      for (const traversal of variablesInBody(provider.body, decodeSpec(schema.provider.block)))
        this.#addTraversal(traversal, [], origin);
    }
  }

  #visitBody(body: Body, block: BlockSchema, origin: Origin): void {
    const schema = bodySchemaOf(decodeSpec(block));
    const { content } = body.partialContent({
      attributes: schema.attributes,
      blocks: [...schema.blocks, { type: 'dynamic', labelNames: ['type'] }],
    });
    for (const { expression } of content.attributes.values()) this.#visit(expression, origin);
    for (const { type, labels, body: inner } of content.blocks) {
      const isDynamic = type === 'dynamic';
      const nested = memberOf(block.blocks, isDynamic ? (labels[0] ?? '') : type);
      if (nested === undefined) continue;
      if (!isDynamic) {
        this.#visitBody(inner, nested.block, origin);
        continue;
      }
      const generator = inner.partialContent({
        attributes: [{ name: 'for_each' }, { name: 'labels' }],
        blocks: [{ type: 'content' }],
      }).content;
      for (const { expression } of generator.attributes.values()) this.#visit(expression, origin);
      for (const { body: generated } of generator.blocks)
        this.#visitBody(generated, nested.block, origin);
    }
  }

  /** Follows an expression. Splats and indexed access refer to one attribute and not to whole objects. */
  #visit(expression: Expression, origin: Origin): void {
    switch (expression.kind) {
      case 'scopeTraversal':
        this.#addTraversal(expression.traversal, [], origin);
        return;
      case 'splat': {
        const { source, each, item } = expression;
        const isAttribute = each.kind === 'relativeTraversal' && each.source === item;
        if (isAttribute && source.kind === 'scopeTraversal') {
          this.#addTraversal(source.traversal, each.traversal.steps, origin);
          return;
        }
        break;
      }
      case 'relativeTraversal': {
        const { source, traversal } = expression;
        if (source.kind === 'index' && source.collection.kind === 'scopeTraversal') {
          this.#addTraversal(source.collection.traversal, traversal.steps, origin);
          this.#visit(source.key, origin);
          return;
        }
        break;
      }
      case 'json':
      case 'blocks':
      case 'iteration':
        for (const traversal of variables(expression)) this.#addTraversal(traversal, [], origin);
        return;
      default:
    }
    for (const child of children(expression)) this.#visit(child, origin);
  }

  #addTraversal(
    traversal: Traversal,
    further: readonly TraversalStep[],
    { module, from }: Origin,
  ): void {
    const { reference } = parseReference(traversal);
    if (reference?.subject.kind !== 'resource') return;
    const { resource, key, hasKey } = reference.subject;
    const path = pathOf([...remainingSteps(reference), ...further]);
    const indexed = { from, location: locationOf(traversal.range), key, hasKey, path };
    const name = keyOf(module.path.text, resource.text);
    const existing = this.#references.get(name);
    if (existing === undefined) this.#references.set(name, [indexed]);
    else existing.push(indexed);
  }
}

interface Origin {
  readonly module: Module;
  readonly from: string;
}

const keyOf = (module: string, resource: string): string => `${module}\n${resource}`;

function remainingSteps({ traversal, consumed }: Reference): readonly TraversalStep[] {
  return traversal.steps.slice(consumed);
}

/** Converts steps up to the first one that selects several parts. */
export function pathOf(steps: readonly TraversalStep[]): Path {
  const path: Path[number][] = [];
  for (const step of steps) {
    if (step.kind === 'attr') path.push(attrStep(step.name));
    else if (step.kind === 'index') path.push(indexStep(step.key));
    else break;
  }
  return path;
}
