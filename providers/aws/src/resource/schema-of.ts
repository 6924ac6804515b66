import type { Attribute, Attributes, Blocks } from '@terrane/provider/sdk';

export type AttributeDefinition = Attribute['definition'];
export type BlockDefinition = Blocks[string]['definition'];

/** Arguments and blocks of a resource type, or of a block. */
export interface SchemaParts {
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  readonly blocks: Readonly<Record<string, BlockDefinition>>;
}

/** The definitions of a resource type. */
export function schemaOf(attributes: Attributes, blocks: Blocks = {}): SchemaParts {
  return { attributes: definitionsOf(attributes), blocks: definitionsOf(blocks) };
}

/** The definitions of a block. */
export function schemaIn({ attributes, blocks = {} }: BlockDefinition): SchemaParts {
  return { attributes, blocks };
}

function definitionsOf<D>(
  parts: Readonly<Record<string, { readonly definition: D }>>,
): Readonly<Record<string, D>> {
  const entries = Object.entries(parts).map(
    ([name, { definition }]) => [name, definition] as const,
  );
  return Object.fromEntries(entries);
}
