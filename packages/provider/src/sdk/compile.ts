import type { BlockSchema, AttributeSchema, NestedBlock, Schema } from '../schema/model.ts';
import { blockLayout, nestedLayout } from '../schema/layout.ts';
import type { AttributeSlot, BlockSlot, Layout } from '../schema/layout.ts';
import type {
  AttributeDefinition,
  BlockDefinition,
  NestedDefinition,
  ObjectDefinition,
} from './definition.ts';

/** A definition laid out along its object type, with its schema. */
export interface CompiledObject {
  readonly layout: Layout;
  readonly attributes: readonly CompiledAttribute[];
  readonly blocks: readonly CompiledBlock[];
  /** true if a nested value has custom equality */
  readonly keeps: boolean;
}

/** An attribute, ready for use: its schema and how values of it look to handlers. */
export interface CompiledAttribute {
  readonly slot: AttributeSlot;
  readonly definition: AttributeDefinition;
  readonly inner: CompiledObject | undefined;
}

/** A block, ready for use: its schema and how values of it look to handlers. */
export interface CompiledBlock {
  readonly slot: BlockSlot;
  readonly definition: BlockDefinition;
  readonly inner: CompiledObject;
}

/** A definition with its schema, for a provider. */
export interface Compiled {
  readonly schema: Schema;
  readonly object: CompiledObject;
}

/** Compiles a definition to a schema and its behaviour by path. */
export function compile(definition: ObjectDefinition): Compiled {
  const { attributes = {}, blocks = {}, version = 0 } = definition;
  const block: BlockSchema = {
    attributes: mapValues(attributes, attributeSchema),
    blocks: mapValues(blocks, nestedBlock),
    ...descriptionOf(definition),
  };
  const object = compileObject(blockLayout(block), attributes, blocks);
  return { schema: { version, block }, object };
}

function compileObject(
  layout: Layout,
  attributes: Readonly<Record<string, AttributeDefinition>>,
  blocks: Readonly<Record<string, BlockDefinition>>,
): CompiledObject {
  const compiledAttributes: CompiledAttribute[] = [];
  for (const slot of layout.attributes) {
    const definition = attributes[slot.name];
    if (definition === undefined) continue;
    const { nested } = slot.schema;
    const inner =
      nested && definition.nested
        ? compileObject(nestedLayout(nested), definition.nested.attributes, {})
        : undefined;
    compiledAttributes.push({ slot, definition, inner });
  }
  const compiledBlocks: CompiledBlock[] = [];
  for (const slot of layout.blocks) {
    const definition = blocks[slot.name];
    if (definition === undefined) continue;
    const inner = compileObject(
      blockLayout(slot.schema.block),
      definition.attributes,
      definition.blocks ?? {},
    );
    compiledBlocks.push({ slot, definition, inner });
  }
  const keeps =
    compiledAttributes.some((a) => a.definition.keep !== undefined || a.inner?.keeps === true) ||
    compiledBlocks.some((b) => b.inner.keeps);
  return { layout, attributes: compiledAttributes, blocks: compiledBlocks, keeps };
}

function attributeSchema(d: AttributeDefinition): AttributeSchema {
  return {
    ...(d.type && { type: d.type }),
    ...(d.nested && { nested: nestedSchema(d.nested) }),
    ...(d.required && { required: true }),
    ...(d.optional && { optional: true }),
    ...(d.computed && { computed: true }),
    ...(d.sensitive && { sensitive: true }),
    ...(d.writeOnly && { writeOnly: true }),
    ...descriptionOf(d),
  };
}

function nestedSchema(d: NestedDefinition): NonNullable<AttributeSchema['nested']> {
  return { nesting: d.nesting, attributes: mapValues(d.attributes, attributeSchema) };
}

function nestedBlock(d: BlockDefinition): NestedBlock {
  return {
    nesting: d.nesting,
    block: {
      attributes: mapValues(d.attributes, attributeSchema),
      blocks: mapValues(d.blocks ?? {}, nestedBlock),
      ...descriptionOf(d),
    },
    ...(d.minItems !== undefined && { minItems: d.minItems }),
    ...(d.maxItems !== undefined && { maxItems: d.maxItems }),
  };
}

function descriptionOf(
  d: Pick<ObjectDefinition, 'description' | 'descriptionKind' | 'deprecationMessage'>,
): Pick<AttributeSchema, 'description' | 'descriptionKind' | 'deprecated'> {
  return {
    ...(d.description !== undefined && { description: d.description }),
    ...(d.descriptionKind !== undefined && { descriptionKind: d.descriptionKind }),
    ...(d.deprecationMessage !== undefined && { deprecated: true }),
  };
}

function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  f: (value: T) => U,
): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]));
}
