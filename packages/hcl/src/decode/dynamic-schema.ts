import type { BlockSchema, BodySchema } from '../model.ts';

/** The header of a `dynamic` block. */
export const DYNAMIC_BLOCK: BlockSchema = { type: 'dynamic', labelNames: ['type'] };

const extended = new WeakMap<BodySchema, BodySchema>();

/** A schema that also takes `dynamic` blocks; the same object each time. */
export function withDynamicBlocks(schema: BodySchema): BodySchema {
  let result = extended.get(schema);
  if (result === undefined) {
    result = { attributes: schema.attributes, blocks: [...schema.blocks, DYNAMIC_BLOCK] };
    extended.set(schema, result);
  }
  return result;
}
