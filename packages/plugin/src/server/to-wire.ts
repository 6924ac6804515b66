import { typeToJsonText } from '@terrane/cty';
import type { Path } from '@terrane/cty';
import { attributeType } from '@terrane/provider';
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
import type { Type } from '@terrane/cty';
import { numToInt } from '@terrane/cty';
import type {
  AttributePath,
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
  WireStep,
} from '../wire/messages.ts';

/** Converts the diagnostics of a provider to messages. */
export function wireDiagnostics(
  list: readonly ProviderDiagnostic[] | undefined,
): readonly WireDiagnostic[] {
  return (list ?? []).map(({ severity, summary, detail, attribute }) => ({
    severity: severity === 'warning' ? 2 : 1,
    summary,
    detail,
    ...(attribute === undefined || attribute.length === 0
      ? {}
      : { attribute: wirePath(attribute) }),
  }));
}

/**
 * Converts a path to its wire format. It ends before a step without one, an element of a set, because further steps
 * would refer to another object.
 */
export function wirePath(path: Path): AttributePath {
  const steps: WireStep[] = [];
  for (const step of path) {
    if (step.kind === 'attr') {
      steps.push({ attributeName: step.name });
      continue;
    }
    const { key } = step;
    if (!key.isKnown || key.isNull) break;
    if (key.type.kind === 'string') steps.push({ elementKeyString: key.asString() });
    else if (key.type.kind === 'number') {
      const index = numToInt(key.asNum());
      if (index === undefined) break;
      steps.push({ elementKeyInt: Number(index) });
    } else break;
  }
  return { steps };
}

const REASONS: readonly Deferred['reason'][] = [
  'unknown',
  'resource_config_unknown',
  'provider_config_unknown',
  'absent_prereq',
];

/** Converts the reason of a deferral; empty if absent. */
export function wireDeferred(deferred: Deferred | undefined): { deferred?: WireDeferred } {
  return deferred === undefined ? {} : { deferred: { reason: REASONS.indexOf(deferred.reason) } };
}

/** Converts all schemas except those of identities, with the capabilities of the provider. */
export function wireProviderSchema(schema: ProviderSchema): WireProviderSchema {
  const { providerMeta, capabilities, actions, listResources, stateStores } = schema;
  return {
    provider: wireSchema(schema.provider),
    ...(providerMeta === undefined ? {} : { providerMeta: wireSchema(providerMeta) }),
    resourceSchemas: mapMembers(schema.resources, wireSchema),
    dataSourceSchemas: mapMembers(schema.dataSources, wireSchema),
    ephemeralResourceSchemas: mapMembers(schema.ephemeralResources, wireSchema),
    ...(actions === undefined
      ? {}
      : { actionSchemas: mapMembers(actions, (each) => ({ schema: wireSchema(each) })) }),
    ...(listResources === undefined
      ? {}
      : { listResourceSchemas: mapMembers(listResources, wireSchema) }),
    ...(stateStores === undefined
      ? {}
      : { stateStoreSchemas: mapMembers(stateStores, wireSchema) }),
    functions: mapMembers(schema.functions, wireFunction),
    serverCapabilities: {
      planDestroy: capabilities.planDestroy ?? false,
      getProviderSchemaOptional: capabilities.getProviderSchemaOptional ?? false,
      moveResourceState: capabilities.moveResourceState ?? false,
      generateResourceConfig: capabilities.generateResourceConfig ?? false,
    },
  };
}

function wireSchema({ version, block }: Schema): WireSchema {
  return { version, block: wireBlock(block) };
}

function wireBlock(block: BlockSchema): WireBlock {
  return {
    attributes: wireAttributes(block.attributes),
    blockTypes: Object.entries(block.blocks).map(([name, nested]) => wireNested(name, nested)),
    ...descriptionOf(block),
    deprecated: block.deprecated ?? false,
    computed: block.computed ?? false,
  };
}

function wireAttributes(
  attributes: Readonly<Record<string, AttributeSchema>>,
): readonly WireAttribute[] {
  return Object.entries(attributes).map(([name, each]) => ({
    name,
    ...(each.nested === undefined
      ? { type: wireType(attributeType(each)) }
      : {
          nestedType: {
            attributes: wireAttributes(each.nested.attributes),
            nesting: NESTINGS.indexOf(each.nested.nesting),
          },
        }),
    required: each.required ?? false,
    optional: each.optional ?? false,
    computed: each.computed ?? false,
    sensitive: each.sensitive ?? false,
    writeOnly: each.writeOnly ?? false,
    deprecated: each.deprecated ?? false,
    ...descriptionOf(each),
  }));
}

const NESTINGS: readonly (NestedBlock['nesting'] | '')[] = [
  '',
  'single',
  'list',
  'set',
  'map',
  'group',
];

function wireNested(typeName: string, nested: NestedBlock): WireNestedBlock {
  return {
    typeName,
    block: wireBlock(nested.block),
    nesting: NESTINGS.indexOf(nested.nesting),
    minItems: nested.minItems ?? 0,
    maxItems: nested.maxItems ?? 0,
  };
}

/** The signature of a function. */
export function wireFunction(signature: FunctionSignature): WireFunction {
  const { summary, description, variadic } = signature;
  return {
    parameters: signature.parameters.map(wireParameter),
    ...(variadic === undefined ? {} : { variadicParameter: wireParameter(variadic) }),
    return: { type: wireType(signature.returns) },
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
  };
}

function wireParameter(parameter: FunctionParameter): WireParameter {
  const { name, type, description } = parameter;
  return {
    name,
    type: wireType(type),
    allowNullValue: parameter.allowNull ?? false,
    allowUnknownValues: parameter.allowUnknown ?? false,
    ...(description === undefined ? {} : { description }),
  };
}

/** The schema of a resource identity. */
export function wireIdentitySchema({ version, block }: Schema): WireIdentitySchema {
  return {
    version,
    attributes: Object.entries(block.attributes).map(([name, each]) => ({
      name,
      type: wireType(attributeType(each)),
      requiredForImport: each.required ?? false,
      optionalForImport: each.optional ?? false,
      ...(each.description === undefined ? {} : { description: each.description }),
    })),
  };
}

function descriptionOf({
  description,
  descriptionKind,
  deprecationMessage,
}: Pick<BlockSchema, 'description' | 'descriptionKind' | 'deprecationMessage'>): {
  description?: string;
  descriptionKind?: number;
  deprecationMessage?: string;
} {
  return {
    ...(deprecationMessage === undefined ? {} : { deprecationMessage }),
    ...(description === undefined ? {} : { description }),
    ...(descriptionKind === 'markdown' ? { descriptionKind: 1 } : {}),
  };
}

function wireType(type: Type): Uint8Array {
  return Buffer.from(typeToJsonText(type));
}

/** Applies `each` to every member. */
export function mapMembers<T, U>(
  record: Readonly<Record<string, T>>,
  each: (item: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, item]) => [name, each(item)]));
}
