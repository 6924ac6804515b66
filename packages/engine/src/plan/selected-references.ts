import type { Reference } from '@terrane/addresses';
import type { Body, Expression, TraversalStep } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import { referencesInBody, referencesInExpression } from '../lang/references.ts';

/**
 * Returns the references in the part of a resource's body that traversal steps into the resource select: an argument, a
 * nested block with its content, or without steps the whole body. As in Terraform, blocks that may occur several times
 * are not distinguished: a step to them selects all of them, a step into them selects nothing.
 */
export function selectReferences(
  body: Body,
  schema: BlockSchema,
  steps: readonly TraversalStep[],
): readonly Reference[] {
  let bodies: readonly Body[] = [body];
  let block = schema;
  const references: Reference[] = [];
  const addAll = (expression: Expression): void => {
    references.push(...referencesInExpression(expression).references);
  };
  for (const step of steps) {
    const name = nameOf(step);
    if (bodies.length === 0) return [];
    if (name === undefined) return references;
    if (Object.hasOwn(block.attributes, name)) {
      for (const each of bodies) {
        const { attributes } = each.partialContent({ attributes: [{ name }], blocks: [] }).content;
        const argument = attributes.get(name);
        if (argument !== undefined) addAll(argument.expression);
      }
      return references;
    }
    const nested = Object.hasOwn(block.blocks, name) ? block.blocks[name] : undefined;
    if (nested === undefined) return references;
    if (nested.nesting !== 'single' && nested.nesting !== 'group') continue;
    bodies = bodies.flatMap((each) => blocksIn(each, name, addAll));
    block = nested.block;
  }
  for (const each of bodies) references.push(...referencesInBody(each, block).references);
  return references;
}

/** Returns the name that a step selects; undefined for a selection by number or expression. */
function nameOf(step: TraversalStep): string | undefined {
  switch (step.kind) {
    case 'root':
    case 'attr':
      return step.name;
    case 'index':
      return step.key.type.kind === 'string' ? step.key.asString() : undefined;
    default:
      return undefined;
  }
}

/** Returns the bodies of the blocks of a type, including `dynamic` ones, whose `for_each` is passed to `add`. */
function blocksIn(body: Body, type: string, add: (expression: Expression) => void): Body[] {
  const { blocks } = body.partialContent({
    attributes: [],
    blocks: [
      { type, labelNames: [] },
      { type: 'dynamic', labelNames: ['type'] },
    ],
  }).content;
  const bodies: Body[] = [];
  for (const block of blocks) {
    if (block.type === type) {
      bodies.push(block.body);
    } else if (block.labels[0] === type) {
      const { content } = block.body.partialContent({
        attributes: [{ name: 'for_each' }, { name: 'labels' }],
        blocks: [{ type: 'content', labelNames: [] }],
      });
      for (const { expression } of content.attributes.values()) add(expression);
      const last = content.blocks.at(-1);
      if (last !== undefined) bodies.push(last.body);
    }
  }
  return bodies;
}
