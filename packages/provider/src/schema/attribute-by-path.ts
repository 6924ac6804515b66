import type { Path } from '@terrane/cty';
import type { AttributeSchema, BlockSchema, NestedAttributes } from './model.ts';

/**
 * Returns the schema of the argument at a path into a value of the block; undefined if the path refers to a block, a
 * part of an argument's value or nothing (configschema `AttributeByPath`).
 */
export function attributeByPath(b: BlockSchema, p: Path): AttributeSchema | undefined {
  let block = b;
  for (const [i, step] of p.entries()) {
    if (step.kind !== 'attr') continue;
    const attribute = ownProperty(block.attributes, step.name);
    if (attribute !== undefined) return within(attribute, p, i);
    const nested = ownProperty(block.blocks, step.name);
    if (nested === undefined) return undefined;
    block = nested.block;
  }
  return undefined;
}

/** Variant of `attributeByPath` for a path within the value of nested attributes. */
export function nestedAttributeByPath(
  n: NestedAttributes,
  p: Path,
  from = 0,
): AttributeSchema | undefined {
  for (let i = from; i < p.length; i++) {
    const step = p[i];
    if (step?.kind !== 'attr') continue;
    const attribute = ownProperty(n.attributes, step.name);
    if (attribute !== undefined) return within(attribute, p, i);
  }
  return undefined;
}

function within(attribute: AttributeSchema, p: Path, i: number): AttributeSchema | undefined {
  if (i === p.length - 1) return attribute;
  return attribute.nested && nestedAttributeByPath(attribute.nested, p, i + 1);
}

function ownProperty<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
