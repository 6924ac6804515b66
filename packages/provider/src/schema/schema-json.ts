import { typeToJson } from '@terrane/cty';
import type {
  AttributeSchema,
  BlockSchema,
  FunctionParameter,
  FunctionSignature,
  NestedBlock,
  ProviderSchema,
  Schema,
} from './model.ts';

type Json = Readonly<Record<string, unknown>>;

/** A provider's schema in the form of `terraform providers schema -json`, for one provider. */
export function schemaToJson(s: ProviderSchema): Json {
  return {
    provider: versionedSchema(s.provider),
    ...namedMembers('resource_schemas', s.resources, versionedSchema),
    ...namedMembers('data_source_schemas', s.dataSources, versionedSchema),
    ...namedMembers('ephemeral_resource_schemas', s.ephemeralResources, versionedSchema),
    ...namedMembers('functions', s.functions, signature),
    ...namedMembers('resource_identity_schemas', s.identities ?? {}, versionedSchema),
    ...namedMembers('action_schemas', s.actions ?? {}, ({ block }) => ({
      block: blockJson(block),
    })),
  };
}

function namedMembers<T>(
  key: string,
  record: Readonly<Record<string, T>>,
  f: (value: T) => Json,
): Json {
  const entries = Object.entries(record);
  if (entries.length === 0) return {};
  return { [key]: Object.fromEntries(entries.map(([name, value]) => [name, f(value)])) };
}

function versionedSchema({ version, block }: Schema): Json {
  return { version, block: blockJson(block) };
}

function blockJson(b: BlockSchema): Json {
  return {
    ...namedMembers('attributes', b.attributes, attribute),
    ...namedMembers('block_types', b.blocks, nestedBlock),
    ...descriptionOf(b),
  };
}

function descriptionOf({
  description,
  descriptionKind,
  deprecated,
}: Pick<BlockSchema, 'description' | 'descriptionKind' | 'deprecated'>): Json {
  return {
    ...(description !== undefined && description !== '' && { description }),
    description_kind: descriptionKind ?? 'plain',
    ...(deprecated === true && { deprecated }),
  };
}

function attribute(a: AttributeSchema): Json {
  const { required, optional, computed, sensitive, writeOnly } = a;
  return {
    ...(a.type && { type: typeToJson(a.type) }),
    ...(a.nested && {
      nested_type: {
        ...namedMembers('attributes', a.nested.attributes, attribute),
        nesting_mode: a.nested.nesting,
      },
    }),
    ...descriptionOf(a),
    ...(required === true && { required }),
    ...(optional === true && { optional }),
    ...(computed === true && { computed }),
    ...(sensitive === true && { sensitive }),
    ...(writeOnly === true && { write_only: writeOnly }),
  };
}

function nestedBlock(n: NestedBlock): Json {
  return {
    nesting_mode: n.nesting,
    block: blockJson(n.block),
    ...(n.minItems !== undefined && n.minItems !== 0 && { min_items: n.minItems }),
    ...(n.maxItems !== undefined && n.maxItems !== 0 && { max_items: n.maxItems }),
  };
}

function signature(f: FunctionSignature): Json {
  return {
    ...(f.description !== undefined && { description: f.description }),
    ...(f.summary !== undefined && { summary: f.summary }),
    return_type: typeToJson(f.returns),
    ...(f.parameters.length > 0 && { parameters: f.parameters.map(parameter) }),
    ...(f.variadic && { variadic_parameter: parameter(f.variadic) }),
  };
}

function parameter(p: FunctionParameter): Json {
  return {
    name: p.name,
    ...(p.description !== undefined && { description: p.description }),
    ...(p.allowNull === true && { is_nullable: true }),
    type: typeToJson(p.type),
  };
}
