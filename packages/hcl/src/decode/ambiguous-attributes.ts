// Attributes that may be written as blocks: see blocks-as-attributes.ts.

import type { ObjectType } from '@terrane/cty';
import type { Body, BodySchema } from '../model.ts';
import { DYNAMIC_BLOCK } from './dynamic-schema.ts';
import { type AttrSpec, membersOf, type Spec } from './spec.ts';

const ambiguous = new WeakMap<Spec, ReadonlyMap<string, AttrSpec>>();

/** The attributes directly in a spec that may be written as blocks. */
export function ambiguousAttributes(spec: Spec): ReadonlyMap<string, AttrSpec> {
  let result = ambiguous.get(spec);
  if (result === undefined) {
    const attributeSpecs = new Map<string, AttrSpec>();
    for (const [name, attribute] of membersOf(spec).attributes) {
      if (elementSpecOf(attribute) !== undefined) {
        attributeSpecs.set(name, attribute);
      }
    }
    result = attributeSpecs;
    ambiguous.set(spec, result);
  }
  return result;
}

const elementSpecs = new WeakMap<ObjectType, Spec>();

/** Returns the spec for decoding a block as an element of the attribute; undefined for other types. */
export function elementSpecOf(attribute: AttrSpec): Spec | undefined {
  const { type, nested } = attribute;
  if (nested === true || (type.kind !== 'list' && type.kind !== 'set')) {
    return undefined;
  }
  return type.element.kind === 'object' ? elementSpec(type.element) : undefined;
}

function elementSpec(type: ObjectType): Spec {
  let spec = elementSpecs.get(type);
  if (spec === undefined) {
    const attributes = new Map<string, Spec>();
    for (const [i, name] of type.names.entries()) {
      const attributeType = type.types[i];
      if (attributeType !== undefined) {
        attributes.set(name, { kind: 'attr', name, type: attributeType, required: false });
      }
    }
    spec = { kind: 'object', attributes };
    elementSpecs.set(type, spec);
  }
  return spec;
}

const DYNAMIC_ONLY: BodySchema = { attributes: [], blocks: [DYNAMIC_BLOCK] };

/** The schemas of one item, written as an attribute and as blocks. */
interface ItemSchemas {
  readonly attribute: BodySchema;
  readonly block: BodySchema;
}

const itemSchemas = new Map<string, ItemSchemas>();

/** Returns the schemas of an item; the same objects each time, because bodies index schemas. */
function schemasOf(name: string): ItemSchemas {
  let schemas = itemSchemas.get(name);
  if (schemas === undefined) {
    schemas = {
      attribute: { attributes: [{ name }], blocks: [] },
      block: { attributes: [], blocks: [{ type: name }] },
    };
    itemSchemas.set(name, schemas);
  }
  return schemas;
}

/**
 * Returns the schema with the requested ambiguous attributes that the body writes as blocks. Unwritten ones count as
 * blocks too after the expansion of `dynamic` blocks: they may come from a `dynamic` block without elements.
 */
export function effectiveSchema(
  schema: BodySchema,
  body: Body,
  names: ReadonlyMap<string, AttrSpec>,
  expanded: boolean,
): BodySchema {
  const asBlocks = new Set<string>();
  for (const name of names.keys()) {
    const schemas = schemasOf(name);
    const asAttribute = body.partialContent(schemas.attribute);
    if (asAttribute.content.attributes.has(name)) {
      continue;
    }
    const asBlock = body.partialContent(schemas.block);
    if (expanded || asBlock.content.blocks.length > 0) {
      asBlocks.add(name);
    }
  }
  if (!expanded && names.size > 0) {
    const { content } = body.partialContent(DYNAMIC_ONLY);
    for (const block of content.blocks) {
      const [type] = block.labels;
      if (type !== undefined && names.has(type)) {
        asBlocks.add(type);
      }
    }
  }
  if (asBlocks.size === 0) {
    return schema;
  }
  return {
    attributes: schema.attributes.filter((attribute) => !asBlocks.has(attribute.name)),
    blocks: [
      ...schema.attributes
        .filter((attribute) => asBlocks.has(attribute.name))
        .map((attribute) => ({ type: attribute.name })),
      ...schema.blocks,
    ],
  };
}
