import type { AttributeSchema, BlockSchema, ProviderSchema, Schema } from '@terrane/provider';

/**
 * Returns the location of a nested attribute (`attribute endpoint of resource thing`); undefined if the schema has
 * none.
 */
export function nestedAttribute(schema: ProviderSchema): string | undefined {
  const kinds: readonly (readonly [string, Readonly<Record<string, Schema>> | undefined])[] = [
    ['resource', schema.resources],
    ['data source', schema.dataSources],
    ['ephemeral resource', schema.ephemeralResources],
    ['action', schema.actions],
    ['list resource', schema.listResources],
    ['', { 'the configuration of the provider': schema.provider }],
  ];
  for (const [kind, schemas] of kinds) {
    for (const [name, { block }] of Object.entries(schemas ?? {})) {
      const path = inBlock(block, '');
      if (path !== undefined) return `attribute ${path} of ${`${kind} ${name}`.trim()}`;
    }
  }
  return undefined;
}

function inBlock(block: BlockSchema, prefix: string): string | undefined {
  const isNested = ([, each]: readonly [string, AttributeSchema]): boolean =>
    each.nested !== undefined;
  const nestedEntry = Object.entries(block.attributes).find(isNested);
  if (nestedEntry !== undefined) return `${prefix}${nestedEntry[0]}`;
  for (const [name, nested] of Object.entries(block.blocks)) {
    const path = inBlock(nested.block, `${prefix}${name}.`);
    if (path !== undefined) return path;
  }
  return undefined;
}
