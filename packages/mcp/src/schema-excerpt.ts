import { typeToString } from '@terrane/cty';
import {
  type AttributeSchema,
  attributeType,
  type BlockSchema,
  type ProviderSchema,
  type Schema,
} from '@terrane/provider';
import { failure, page, type ToolOutcome } from './result.ts';

/** Selects the part of the schemas to show. */
export interface ExcerptRequest {
  readonly type: string | undefined;
  readonly kind: string;
  readonly path: string | undefined;
  readonly search: string | undefined;
  readonly page: { readonly offset?: number; readonly limit?: number };
}

/** Returns a part of the schemas: the names of types, or the arguments of one type or block. */
export function schemaExcerpt(
  schemas: ReadonlyMap<string, ProviderSchema>,
  { type, kind, path, search = '', page: selection }: ExcerptRequest,
): ToolOutcome {
  const schemasByType = schemasOf(schemas, kind);
  if (type === undefined || type === '') {
    const names = [...schemasByType.keys()].filter((name) => name.includes(search)).sort();
    return { data: { kind, types: page(names, selection) } };
  }
  const schema = schemasByType.get(type);
  if (schema === undefined)
    return failure(`There is no ${kind} ${type}. Call the tool without a type to list all types.`);
  let block: BlockSchema = schema.block;
  for (const name of path === undefined || path === '' ? [] : path.split('.')) {
    const next: BlockSchema | undefined =
      ownMember(block.blocks, name)?.block ?? nestedOf(ownMember(block.attributes, name));
    if (next === undefined) return failure(`${type} has no nested block or attribute ${name}.`);
    block = next;
  }
  const attributes = Object.entries(block.attributes)
    .filter(([name]) => name.includes(search))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, attribute]) => attributeExcerpt(name, attribute));
  const blocks = Object.entries(block.blocks)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, nested]) => ({ name, nesting: nested.nesting }));
  return {
    data: { kind, type, path, arguments: page(attributes, { limit: 100, ...selection }), blocks },
  };
}

function schemasOf(
  schemas: ReadonlyMap<string, ProviderSchema>,
  kind: string,
): ReadonlyMap<string, Schema> {
  const all = new Map<string, Schema>();
  for (const [source, provider] of schemas) {
    if (kind === 'provider') all.set(source.split('/').at(-1) ?? source, provider.provider);
    const types =
      kind === 'data'
        ? provider.dataSources
        : kind === 'ephemeral'
          ? provider.ephemeralResources
          : kind === 'provider'
            ? {}
            : provider.resources;
    for (const [type, schema] of Object.entries(types)) all.set(type, schema);
  }
  return all;
}

function attributeExcerpt(name: string, attribute: AttributeSchema): object {
  const { optional, required, computed, sensitive, writeOnly, description, nested } = attribute;
  const flags = { optional, required, computed, sensitive, write_only: writeOnly };
  return {
    name,
    type:
      nested === undefined
        ? typeToString(attributeType(attribute))
        : `${nested.nesting} of nested attributes`,
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value === true)),
    ...(description === undefined || description === ''
      ? {}
      : { description: description.slice(0, 300) }),
  };
}

function nestedOf(attribute: AttributeSchema | undefined): BlockSchema | undefined {
  const nested = attribute?.nested;
  return nested === undefined ? undefined : { attributes: nested.attributes, blocks: {} };
}

function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
