import { DYNAMIC } from '@terrane/cty';
import type { BlockSchema, Schema } from '@terrane/provider';

const blockSchemas: WeakMap<Schema, Schema> = new WeakMap();

/**
 * Returns the schema of whole `list` blocks: the provider's arguments in a block `config`, required if any of them is,
 * and `data`, the results. Cached.
 */
export function listBlockSchema(config: Schema): Schema {
  let blockSchema = blockSchemas.get(config);
  if (blockSchema === undefined) {
    const needed = hasRequired(config.block) ? 1 : 0;
    blockSchema = {
      version: config.version,
      block: {
        attributes: { data: { type: DYNAMIC, computed: true } },
        blocks: {
          config: { nesting: 'single', block: config.block, minItems: needed, maxItems: needed },
        },
      },
    };
    blockSchemas.set(config, blockSchema);
  }
  return blockSchema;
}

function hasRequired({ attributes, blocks }: BlockSchema): boolean {
  return (
    Object.values(attributes).some(({ required }) => required === true) ||
    Object.values(blocks).some(({ minItems = 0 }) => minItems > 0)
  );
}
