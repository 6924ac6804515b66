import { attrStep, DYNAMIC, indexStep, typeFromJson } from '@terrane/cty';
import type { Path, Type } from '@terrane/cty';
import type {
  AttributeSchema,
  BlockSchema,
  Deferred,
  FunctionParameter,
  FunctionSignature,
  NestedBlock,
  ProviderDiagnostic,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import type {
  AttributePath,
  Int64,
  WireAttribute,
  WireBlock,
  WireDeferred,
  WireDiagnostic,
  WireFunction,
  WireIdentitySchema,
  WireNestedBlock,
  WireParameter,
  WireProviderSchema,
  WireSchema,
} from '../wire/messages.ts';
import { lazyRecord } from '../wire/lazy-message.ts';

/** A 64-bit integer as a number. */
export function numberOf(n: Int64 | undefined): number {
  return typeof n === 'object' ? n.toNumber() : (n ?? 0);
}

/** Copies bytes, so that the decoded message can be released; undefined if absent. */
export function bytesOf(bytes: Uint8Array | null | undefined): Uint8Array | undefined {
  return bytes === null || bytes === undefined || bytes.length === 0
    ? undefined
    : Uint8Array.from(bytes);
}

/** Converts the diagnostics of a provider. */
export function diagnosticsOf(
  list: readonly WireDiagnostic[] | undefined,
): readonly ProviderDiagnostic[] {
  return (list ?? []).map(({ severity, summary = '', detail = '', attribute }) => ({
    severity: severity === 2 ? 'warning' : 'error',
    summary,
    detail,
    ...((attribute?.steps?.length ?? 0) === 0 ? {} : { attribute: pathOf(attribute ?? {}) }),
  }));
}

/** A path into a value. */
export function pathOf(path: AttributePath): Path {
  return (path.steps ?? []).map((step) => {
    if (Object.hasOwn(step, 'elementKeyString')) return indexStep(step.elementKeyString ?? '');
    if (Object.hasOwn(step, 'elementKeyInt')) return indexStep(numberOf(step.elementKeyInt));
    return attrStep(step.attributeName ?? '');
  });
}

const REASONS: readonly Deferred['reason'][] = [
  'unknown',
  'resource_config_unknown',
  'provider_config_unknown',
  'absent_prereq',
];

/** Converts the reason of a deferral; empty if absent. */
export function deferredOf(deferred: WireDeferred | null | undefined): { deferred?: Deferred } {
  if (deferred === null || deferred === undefined) return {};
  return { deferred: { reason: REASONS[deferred.reason ?? 0] ?? 'unknown' } };
}

/** Converts the schemas of a provider. @throws CtyError for an invalid type */
export function providerSchemaOf(
  wire: WireProviderSchema,
  identities: Readonly<Record<string, WireIdentitySchema>> | undefined,
): ProviderSchema {
  const { serverCapabilities: can, actionSchemas = {} } = wire;
  const lists = lazilyMapped(wire.listResourceSchemas ?? {}, schemaOf);
  const stores = lazilyMapped(wire.stateStoreSchemas ?? {}, schemaOf);
  const actions = lazilyMapped(actionSchemas, ({ schema }) => schemaOf(schema));
  return {
    provider: schemaOf(wire.provider),
    ...(wire.providerMeta == null ? {} : { providerMeta: schemaOf(wire.providerMeta) }),
    resources: lazilyMapped(wire.resourceSchemas ?? {}, schemaOf),
    dataSources: lazilyMapped(wire.dataSourceSchemas ?? {}, schemaOf),
    ephemeralResources: lazilyMapped(wire.ephemeralResourceSchemas ?? {}, schemaOf),
    functions: lazilyMapped(wire.functions ?? {}, functionOf),
    ...(Object.keys(actions).length === 0 ? {} : { actions }),
    ...(Object.keys(lists).length === 0 ? {} : { listResources: lists }),
    ...(Object.keys(stores).length === 0 ? {} : { stateStores: stores }),
    ...(identities === undefined || Object.keys(identities).length === 0
      ? {}
      : { identities: lazilyMapped(identities, identityOf) }),
    capabilities: {
      planDestroy: can?.planDestroy ?? false,
      moveResourceState: can?.moveResourceState ?? false,
      getProviderSchemaOptional: can?.getProviderSchemaOptional ?? false,
      ...(can?.generateResourceConfig === true ? { generateResourceConfig: true } : {}),
    },
  };
}

function schemaOf(wire: WireSchema | null | undefined): Schema {
  return { version: numberOf(wire?.version), block: blockOf(wire?.block) };
}

function blockOf(wire: WireBlock | null | undefined): BlockSchema {
  return {
    attributes: attributesOf(wire?.attributes),
    blocks: Object.fromEntries(
      (wire?.blockTypes ?? []).map((block) => [block.typeName ?? '', nestedOf(block)]),
    ),
    ...descriptionOf(wire),
    ...(wire?.deprecated === true ? { deprecated: true } : {}),
    ...((wire?.deprecationMessage ?? '') === ''
      ? {}
      : { deprecationMessage: wire?.deprecationMessage ?? '' }),
    ...(wire?.computed === true ? { computed: true } : {}),
  };
}

function attributesOf(
  list: readonly WireAttribute[] | undefined,
): Readonly<Record<string, AttributeSchema>> {
  return Object.fromEntries((list ?? []).map((each) => [each.name ?? '', attributeOf(each)]));
}

const ATTRIBUTE_FLAGS = [
  'required',
  'optional',
  'computed',
  'sensitive',
  'writeOnly',
  'deprecated',
] as const;

function attributeOf(wire: WireAttribute): AttributeSchema {
  const flags: Partial<Record<(typeof ATTRIBUTE_FLAGS)[number], true>> = {};
  for (const flag of ATTRIBUTE_FLAGS) if (wire[flag] === true) flags[flag] = true;
  const nested = wire.nestedType;
  return {
    ...(nested == null
      ? { type: typeOf(wire.type) }
      : {
          nested: {
            nesting:
              (['single', 'single', 'list', 'set', 'map'] as const)[nested.nesting ?? 0] ??
              'single',
            attributes: attributesOf(nested.attributes),
          },
        }),
    ...flags,
    ...descriptionOf(wire),
  };
}

function nestedOf(wire: WireNestedBlock): NestedBlock {
  const nestings = ['single', 'single', 'list', 'set', 'map', 'group'] as const;
  const minItems = numberOf(wire.minItems);
  const maxItems = numberOf(wire.maxItems);
  return {
    nesting: nestings[wire.nesting ?? 0] ?? 'single',
    block: blockOf(wire.block),
    ...(minItems === 0 ? {} : { minItems }),
    ...(maxItems === 0 ? {} : { maxItems }),
  };
}

function descriptionOf(
  wire: { readonly description?: string; readonly descriptionKind?: number } | null | undefined,
): { description?: string; descriptionKind?: 'plain' | 'markdown' } {
  const { description = '', descriptionKind } = wire ?? {};
  return {
    ...(description === '' ? {} : { description }),
    ...(descriptionKind === 1 ? { descriptionKind: 'markdown' } : {}),
  };
}

/** Decodes the signature of a function. */
export function functionOf(wire: WireFunction): FunctionSignature {
  const { summary = '', description = '', variadicParameter } = wire;
  return {
    ...(summary === '' ? {} : { summary }),
    ...(description === '' ? {} : { description }),
    parameters: (wire.parameters ?? []).map(parameterOf),
    ...(variadicParameter == null ? {} : { variadic: parameterOf(variadicParameter) }),
    returns: typeOf(wire.return?.type),
  };
}

function parameterOf(wire: WireParameter): FunctionParameter {
  return {
    name: wire.name ?? '',
    type: typeOf(wire.type),
    ...(wire.allowNullValue === true ? { allowNull: true } : {}),
    ...(wire.allowUnknownValues === true ? { allowUnknown: true } : {}),
    ...((wire.description ?? '') === '' ? {} : { description: wire.description ?? '' }),
  };
}

function identityOf(wire: WireIdentitySchema): Schema {
  const attributes = (wire.attributes ?? []).map((each): [string, AttributeSchema] => [
    each.name ?? '',
    {
      type: typeOf(each.type),
      ...(each.requiredForImport === true ? { required: true } : {}),
      ...(each.optionalForImport === true ? { optional: true } : {}),
      ...((each.description ?? '') === '' ? {} : { description: each.description ?? '' }),
    },
  ]);
  return {
    version: numberOf(wire.version),
    block: { attributes: Object.fromEntries(attributes), blocks: {} },
  };
}

/** Decodes a type from its JSON form; the dynamic type if absent. @throws Error for malformed types */
export function typeOf(json: Uint8Array | undefined): Type {
  if (json === undefined || json.length === 0) return DYNAMIC;
  const text = Buffer.from(json).toString();
  return typeFromJson(JSON.parse(text));
}

/** Each item is created on first access: most runs use few types of a provider. */
function lazilyMapped<T, U>(
  record: Readonly<Record<string, T>>,
  each: (item: T) => U,
): Readonly<Record<string, U>> {
  return lazyRecord(Object.keys(record), (name) => each(record[name] as T));
}
