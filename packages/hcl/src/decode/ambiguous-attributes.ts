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
    const asAttribute = body.partialContent({ attributes: [{ name }], blocks: [] });
    if (asAttribute.content.attributes.has(name)) {
      continue;
    }
    const asBlock = body.partialContent({ attributes: [], blocks: [{ type: name }] });
    if (expanded || asBlock.content.blocks.length > 0) {
      asBlocks.add(name);
    }
  }
  if (!expanded && names.size > 0) {
    const { content } = body.partialContent({
      attributes: [],
      blocks: [DYNAMIC_BLOCK],
    });
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
