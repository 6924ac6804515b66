import { type JsonNode, typeFromJson } from '@terrane/cty';
import type { Schemas } from '@terrane/engine';
import type {
  AttributeSchema,
  BlockSchema,
  NestedAttributes,
  NestedBlock,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import { memberOf } from '@terrane/provider';
import { integer, membersOf, plainJson, text } from './json-node.ts';

/** Schemas from `providers schema -json`. */
export function readSchemas(node: JsonNode): Schemas {
  const providers = new Map<string, ProviderSchema>();
  for (const [address, schema] of membersOf(node)) {
    const json = membersOf(schema);
    providers.set(address, {
      provider: readSchema(json.get('provider') ?? null),
      resources: readSchemaMap(json.get('resource_schemas')),
      dataSources: readSchemaMap(json.get('data_source_schemas')),
      ephemeralResources: {},
      functions: {},
      capabilities: {},
    });
  }
  const provider: Schemas['provider'] = (source) => providers.get(source.text);
  return {
    provider,
    resource: (source, mode, type) => {
      const schema = provider(source);
      return memberOf(mode === 'managed' ? schema?.resources : schema?.dataSources, type);
    },
  };
}

function readSchemaMap(node: JsonNode | undefined): Record<string, Schema> {
  return Object.fromEntries(
    [...membersOf(node)].map(([name, schema]) => [name, readSchema(schema)]),
  );
}

function readSchema(node: JsonNode): Schema {
  const json = membersOf(node);
  return { version: integer(json.get('version')), block: readBlock(json.get('block')) };
}

/** A block from its JSON. */
export function readBlock(node: JsonNode | undefined): BlockSchema {
  const json = membersOf(node);
  return {
    attributes: readAttributes(json.get('attributes')),
    blocks: Object.fromEntries(
      [...membersOf(json.get('block_types'))].map(([name, block]) => [name, readNested(block)]),
    ),
  };
}

function readNested(node: JsonNode): NestedBlock {
  const json = membersOf(node);
  return {
    nesting: text(json.get('nesting_mode')) as NestedBlock['nesting'],
    block: readBlock(json.get('block')),
    minItems: integer(json.get('min_items')),
    maxItems: integer(json.get('max_items')),
  };
}

function readAttributes(node: JsonNode | undefined): Record<string, AttributeSchema> {
  return Object.fromEntries(
    [...membersOf(node)].map(([name, attribute]) => [name, readAttribute(attribute)]),
  );
}

function readAttribute(node: JsonNode): AttributeSchema {
  const json = membersOf(node);
  const type = json.get('type');
  const nested = json.get('nested_type');
  return {
    ...(type !== undefined && { type: typeFromJson(plainJson(type)) }),
    ...(nested !== undefined && { nested: readNestedAttributes(nested) }),
    required: json.get('required') === true,
    optional: json.get('optional') === true,
    computed: json.get('computed') === true,
    sensitive: json.get('sensitive') === true,
    writeOnly: json.get('write_only') === true,
  };
}

function readNestedAttributes(node: JsonNode): NestedAttributes {
  const json = membersOf(node);
  return {
    nesting: text(json.get('nesting_mode')) as NestedAttributes['nesting'],
    attributes: readAttributes(json.get('attributes')),
  };
}
