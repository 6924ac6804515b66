import { DYNAMIC } from '@terrane/cty';
import type { BlockSchema, Schema } from '@terrane/provider';

const known: WeakMap<Schema, Schema> = new WeakMap();

/**
 * The schema of whole `list` blocks: what the provider asks for in a block `config`, which has to be there if any of
 * it has to, and `data`, what was found. Remembered.
 */
export function listBlockSchema(config: Schema): Schema {
  let blockSchema = known.get(config);
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
    known.set(config, blockSchema);
  }
  return blockSchema;
}

function hasRequired({ attributes, blocks }: BlockSchema): boolean {
  return (
    Object.values(attributes).some(({ required }) => required === true) ||
    Object.values(blocks).some(({ minItems = 0 }) => minItems > 0)
  );
}
