import type { Fields } from './fields.ts';
import { emptyOf } from './empty.ts';
import { schemaIn, type SchemaParts } from './schema-of.ts';

/**
 * Converts read values to the form of states, in which no value at any depth is empty. `newer`: missing values are
 * null, as Terraform's newer SDK stores them.
 */
export function asStored(schema: SchemaParts, read: Fields, newer: boolean): Fields {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(read)) {
    const definition = schema.attributes[name];
    const block = schema.blocks[name];
    if (definition === undefined && block === undefined) {
      throw new TypeError(`the schema has no ${name}`);
    }
    const empty = definition === undefined || newer ? null : emptyOf(definition);
    out[name] = block === undefined ? (value ?? empty) : blocksOf(schemaIn(block), value, newer);
  }
  return out;
}

/** Converts the elements of blocks, which are read completely. */
function blocksOf(schema: SchemaParts, read: unknown, newer: boolean): unknown {
  if (!Array.isArray(read)) return read ?? [];
  const names = [...Object.keys(schema.attributes), ...Object.keys(schema.blocks)];
  const nothing = Object.fromEntries(names.map((name) => [name, undefined]));
  return read.map((each: object) => asStored(schema, { ...nothing, ...each }, newer));
}
