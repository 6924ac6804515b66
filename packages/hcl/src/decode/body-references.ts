// References and function calls in bodies, found without evaluation.

import { addUses, type ExpressionUses } from '../expression/references.ts';
import { asTraversal } from '../expression/static.ts';
import type { Body, BodySchema, Expression, FunctionReference, Traversal } from '../model.ts';
import { rootName } from '../evaluate/scope.ts';
import { NativeBody } from '../syntax/native-body.ts';
import { withDynamicBlocks } from './dynamic-schema.ts';
import type { FoundReferences } from './found-references.ts';
import { ambiguousAttributes, effectiveSchema, elementSpecOf } from './ambiguous-attributes.ts';
import { bodySchemaOf, membersOf, type Spec } from './spec.ts';

/** The references in bodies that do not keep them themselves. */
const cache = new WeakMap<Body, FoundReferences>();
const NO_ITERATORS: readonly string[] = [];
const NO_TRAVERSALS: readonly Traversal[] = [];
const NO_CALLS: readonly FunctionReference[] = [];

/**
 * Returns the references in a body that a spec would evaluate, including those in `dynamic` blocks but without
 * references to their iterators. Cached per body and spec.
 */
export function variablesInBody(body: Body, spec: Spec): readonly Traversal[] {
  return referencesIn(body, spec).traversals;
}

/**
 * Returns the references that determine the `dynamic` blocks of a body: those of their `for_each` and labels, not those
 * of their content.
 */
export function variablesOfGenerators(body: Body, spec: Spec): readonly Traversal[] {
  const uses: ExpressionUses = { traversals: [], calls: [] };
  walkBody(body, spec, NO_ITERATORS, (expression, iterators, generates) => {
    if (generates) addUses(expression, uses, iterators);
  });
  return uses.traversals;
}

/** The functions called in a body that a spec would evaluate, with those in `dynamic` blocks. */
export function functionsInBody(body: Body, spec: Spec): readonly FunctionReference[] {
  return referencesIn(body, spec).calls;
}

/** Finds both kinds of references in one walk, because nearly every caller needs both. */
function referencesIn(body: Body, spec: Spec): FoundReferences {
  const existing = body instanceof NativeBody ? body.foundReferences : cache.get(body);
  for (let cached = existing; cached !== undefined; cached = cached.next)
    if (cached.spec === spec) return cached;
  const { traversals, calls } = findReferences(body, spec);
  const found: FoundReferences = {
    spec,
    // Copies of their size, as they are kept.
    traversals: traversals.length === 0 ? NO_TRAVERSALS : traversals.slice(),
    calls: calls.length === 0 ? NO_CALLS : calls.slice(),
    next: existing,
  };
  if (body instanceof NativeBody) body.foundReferences = found;
  else cache.set(body, found);
  return found;
}

function findReferences(body: Body, spec: Spec): ExpressionUses {
  const uses: ExpressionUses = { traversals: [], calls: [] };
  if (body instanceof NativeBody && body.blocks.length === 0) {
    // The content that decoding asks for too, and that the body keeps.
    const { attributes } = body.content(bodySchemaOf(spec)).content;
    attributes.forEach(({ expression }) => addUses(expression, uses));
  } else {
    walkBody(body, spec, NO_ITERATORS, (expression, iterators) => {
      addUses(expression, uses, iterators);
    });
  }
  return uses;
}

type Visit = (
  expression: Expression,
  iterators: readonly string[],
  /** it is `for_each` or a label of a `dynamic` block */
  generates: boolean,
) => void;

const DYNAMIC_CONTENT: BodySchema = {
  attributes: [{ name: 'for_each' }, { name: 'labels' }, { name: 'iterator' }],
  blocks: [{ type: 'content' }],
};

/** Visits every expression with the names of its iterators and its purpose. */
function walkBody(body: Body, spec: Spec, iterators: readonly string[], visit: Visit): void {
  const names = ambiguousAttributes(spec);
  const schema = effectiveSchema(bodySchemaOf(spec), body, names, false);
  const { content } = body.partialContent(withDynamicBlocks(schema));
  for (const attribute of content.attributes.values()) {
    visit(attribute.expression, iterators, false);
  }
  for (const block of content.blocks) {
    const [label] = block.labels;
    if (block.type === 'dynamic' && label !== undefined) {
      walkDynamic(block.body, label, spec, iterators, visit);
    } else {
      walkBlock(block.body, block.type, spec, iterators, visit);
    }
  }
}

function walkBlock(
  body: Body,
  type: string,
  spec: Spec,
  iterators: readonly string[],
  visit: Visit,
): void {
  const { blocks, attributes } = membersOf(spec);
  const attribute = attributes.get(type);
  const nested =
    blocks.get(type) ?? (attribute === undefined ? undefined : elementSpecOf(attribute));
  if (nested !== undefined) {
    walkBody(body, nested, iterators, visit);
  }
}

function walkDynamic(
  body: Body,
  type: string,
  spec: Spec,
  outer: readonly string[],
  visit: Visit,
): void {
  const { content } = body.partialContent(DYNAMIC_CONTENT);
  let iterator = type;
  const iteratorAttribute = content.attributes.get('iterator');
  if (iteratorAttribute !== undefined) {
    const traversal = asTraversal(iteratorAttribute.expression);
    if (traversal === undefined) {
      return;
    }
    iterator = rootName(traversal);
  }
  const inner = [...outer, iterator];
  const forEach = content.attributes.get('for_each');
  if (forEach !== undefined) {
    visit(forEach.expression, outer, true);
  }
  const labels = content.attributes.get('labels');
  if (labels !== undefined) {
    visit(labels.expression, inner, true);
  }
  for (const block of content.blocks) {
    walkBlock(block.body, type, spec, inner, visit);
  }
}
