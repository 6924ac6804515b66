import { compareText, typeToJsonText } from '@terrane/cty';
import type {
  AttributeSchema,
  BlockSchema,
  FunctionParameter,
  FunctionSignature,
  NestedBlock,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import { jsonArray, JsonMembers, jsonString } from './json-text.ts';

type Member = readonly [name: string, json: string];

/** Schemas by source address, as `providers schema -json` prints them (format 1.0), without a line break. */
export function providerSchemasJson(schemas: ReadonlyMap<string, ProviderSchema>): string {
  const providers = [...schemas].map(([address, schema]) => {
    // Built-in providers cannot be configured, so their configuration block is omitted.
    const isBuiltIn = address.startsWith('terraform.io/builtin/');
    return [address, providerJson(schema, isBuiltIn)] as const;
  });
  return objectOf([
    ['format_version', jsonString('1.0')],
    ...namedMember('provider_schemas', Object.fromEntries(providers), (json) => json),
  ]);
}

/** The schemas of one provider as JSON. */
export function providerJson(provider: ProviderSchema, isBuiltIn: boolean): string {
  return objectOf([
    ['provider', isBuiltIn ? '{"version":0}' : schemaJson(provider.provider)],
    ...namedMember('resource_schemas', provider.resources, schemaJson),
    ...namedMember('data_source_schemas', provider.dataSources, schemaJson),
    ...namedMember('ephemeral_resource_schemas', provider.ephemeralResources, schemaJson),
    ...namedMember('list_resource_schemas', provider.listResources ?? {}, schemaJson),
    ...namedMember('functions', provider.functions, functionJson),
    ...namedMember('resource_identity_schemas', provider.identities ?? {}, identityJson),
    ...namedMember('action_schemas', provider.actions ?? {}, actionJson),
    ...namedMember('state_store_schemas', provider.stateStores ?? {}, schemaJson),
  ]);
}

function actionJson({ block }: Schema): string {
  return objectOf([['block', blockJson(block)]]);
}

function identityJson({ version, block }: Schema): string {
  return objectOf([
    ['version', String(version)],
    ...namedMember('attributes', block.attributes, identityAttributeJson),
  ]);
}

function identityAttributeJson({ type, description, required, optional }: AttributeSchema): string {
  return objectOf([
    ...(type === undefined ? [] : [['type', typeToJsonText(type)] as const]),
    ...text('description', description),
    ...flag('required_for_import', required),
    ...flag('optional_for_import', optional),
  ]);
}

/** An object with its members in this order. */
function objectOf(members: readonly Member[]): string {
  const all = new JsonMembers();
  for (const [name, json] of members) all.add(name, json);
  return all.text();
}

/** Returns a member that contains others by name, sorted; omitted if empty. */
function namedMember<T>(
  name: string,
  members: Readonly<Record<string, T>>,
  json: (member: T) => string,
): readonly Member[] {
  const sorted = Object.entries(members).sort(([a], [b]) => compareText(a, b));
  if (sorted.length === 0) return [];
  return [[name, objectOf(sorted.map(([key, member]) => [key, json(member)] as const))]];
}

function schemaJson({ version, block }: Schema): string {
  return objectOf([
    ['version', String(version)],
    ['block', blockJson(block)],
  ]);
}

function blockJson(block: BlockSchema): string {
  return objectOf([
    ...namedMember('attributes', block.attributes, attributeJson),
    ...namedMember('block_types', block.blocks, nestedBlockJson),
    ...descriptionMembers(block),
    ...flag('deprecated', block.deprecated),
  ]);
}

function nestedBlockJson({ nesting, block, minItems, maxItems }: NestedBlock): string {
  return objectOf([
    ['nesting_mode', jsonString(nesting)],
    ['block', blockJson(block)],
    ...count('min_items', minItems),
    ...count('max_items', maxItems),
  ]);
}

function attributeJson(attribute: AttributeSchema): string {
  const { type, nested } = attribute;
  return objectOf([
    ...(type === undefined ? [] : [['type', typeToJsonText(type)] as const]),
    ...(nested === undefined
      ? []
      : [
          [
            'nested_type',
            objectOf([
              ...namedMember('attributes', nested.attributes, attributeJson),
              ['nesting_mode', jsonString(nested.nesting)],
            ]),
          ] as const,
        ]),
    ...descriptionMembers(attribute),
    ...flag('deprecated', attribute.deprecated),
    ...flag('required', attribute.required),
    ...flag('optional', attribute.optional),
    ...flag('computed', attribute.computed),
    ...flag('sensitive', attribute.sensitive),
    ...flag('write_only', attribute.writeOnly),
  ]);
}

function descriptionMembers({
  description = '',
  descriptionKind = 'plain',
}: Pick<AttributeSchema, 'description' | 'descriptionKind'>): readonly Member[] {
  return [...text('description', description), ['description_kind', jsonString(descriptionKind)]];
}

function functionJson(signature: FunctionSignature): string {
  const { summary, description, returns, parameters, variadic } = signature;
  return objectOf([
    ...text('description', description),
    ...text('summary', summary),
    ['return_type', typeToJsonText(returns)],
    ...(parameters.length === 0
      ? []
      : [['parameters', jsonArray(parameters.map(parameterJson))] as const]),
    ...(variadic === undefined ? [] : [['variadic_parameter', parameterJson(variadic)] as const]),
  ]);
}

function parameterJson({ name, description, allowNull, type }: FunctionParameter): string {
  return objectOf([
    ['name', jsonString(name)],
    ...text('description', description),
    ...flag('is_nullable', allowNull),
    ['type', typeToJsonText(type)],
  ]);
}

function text(name: string, value: string | undefined): readonly Member[] {
  return value === undefined || value === '' ? [] : [[name, jsonString(value)]];
}

function flag(name: string, value: boolean | undefined): readonly Member[] {
  return value === true ? [[name, 'true']] : [];
}

function count(name: string, value: number | undefined): readonly Member[] {
  return value === undefined || value === 0 ? [] : [[name, String(value)]];
}
