import { quoteText } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type {
  ClientCapabilities,
  FunctionSignature,
  Provider,
  ProviderDiagnostic,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import { fromDynamic, toDynamic } from '../client/values.ts';
import type { AllCalls, DynamicValue, IdentityData } from '../wire/messages.ts';
import type { CallContext } from './call-context.ts';
import { wireDiagnostics } from './to-wire.ts';

/** Handlers by call. `failedAnswer` converts exceptions to responses. */
export type CallHandlers = {
  readonly [K in keyof AllCalls]: (
    request: AllCalls[K]['request'],
    context: CallContext,
  ) => Promise<AllCalls[K]['response']>;
};

/** The handler of a call; the parameters that all handlers share precede the arguments of the call. */
export type CallHandler<K extends keyof CallHandlers> = (
  answering: Answering,
  ...call: Parameters<CallHandlers[K]>
) => ReturnType<CallHandlers[K]>;

/** A request that cannot be passed to the provider, with the error for the caller. */
export class Refused extends Error {
  readonly diagnostics: readonly ProviderDiagnostic[];

  constructor(summary: string, detail: string) {
    super(`${summary}: ${detail}`);
    this.diagnostics = [{ severity: 'error', summary, detail }];
  }
}

/** The subject of a call. */
export interface Target {
  readonly type: Type;
  readonly identity: Type | undefined;
  readonly providerSchema: ProviderSchema;
}

type Kind =
  | 'resources'
  | 'dataSources'
  | 'ephemeralResources'
  | 'actions'
  | 'listResources'
  | 'stateStores';

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  resources: 'Resource',
  dataSources: 'Data Source',
  ephemeralResources: 'Ephemeral Resource',
  actions: 'Action',
  listResources: 'List Resource',
  stateStores: 'State Store',
};

/** Resolves the subjects of requests to a provider. */
export class Answering {
  readonly provider: Provider;
  #schema: Promise<ProviderSchema> | undefined;

  constructor(provider: Provider) {
    this.provider = provider;
  }

  /** Returns the schemas, loaded once. @throws Refused if the provider returns none */
  async load(): Promise<{
    readonly schema: ProviderSchema;
    readonly diagnostics: readonly ProviderDiagnostic[];
  }> {
    this.#schema ??= Promise.resolve(this.provider.schema());
    const schema: ProviderSchema & { readonly diagnostics?: readonly ProviderDiagnostic[] } =
      await this.#schema;
    return { schema, diagnostics: schema.diagnostics ?? [] };
  }

  /**
   * Returns the signature of a function of the schema or of the configured provider; undefined if it does not exist.
   */
  async functionSignature(name: string): Promise<FunctionSignature | undefined> {
    const { functions } = (await this.load()).schema;
    if (Object.hasOwn(functions, name)) return functions[name];
    const configured = (await this.provider.configuredFunctions?.())?.functions ?? {};
    return Object.hasOwn(configured, name) ? configured[name] : undefined;
  }

  /** Resolves the subject of a request. @throws Refused if the type does not exist */
  async target(kind: Kind, name: string): Promise<Target> {
    const { schema: providerSchema } = await this.load();
    const schemas: Readonly<Record<string, Schema>> = providerSchema[kind] ?? {};
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) {
      const subject = KIND_NAMES[kind];
      throw new Refused(
        `${subject} Type Not Found`,
        `No ${subject.toLowerCase()} type named ${quoteText(name)} was found in the provider.`,
      );
    }
    const identity = kind === 'resources' ? providerSchema.identities?.[name] : undefined;
    return {
      type: impliedType(schema.block),
      identity: identity === undefined ? undefined : impliedType(identity.block),
      providerSchema,
    };
  }
}

/** Returns the error for an operation that the provider does not support. */
export function unsupportedError(subject: string): Refused {
  return new Refused('Not Supported', `The provider does not implement ${subject}.`);
}

/** Converts the diagnostics of a response. */
export function diagnosticsOf(answer: { readonly diagnostics?: readonly ProviderDiagnostic[] }): {
  readonly diagnostics: ReturnType<typeof wireDiagnostics>;
} {
  return { diagnostics: wireDiagnostics(answer.diagnostics) };
}

/** Converts the capabilities of a client; older programs send none. */
export function capabilitiesOf(
  capabilities: Partial<ClientCapabilities> | null | undefined,
): ClientCapabilities {
  return {
    deferralAllowed: capabilities?.deferralAllowed ?? false,
    writeOnlyAttributesAllowed: capabilities?.writeOnlyAttributesAllowed ?? false,
    ...(capabilities?.storePlannedPrivate === true ? { storePlannedPrivate: true } : {}),
    ...(capabilities?.computedBlocksAllowed === true ? { computedBlocksAllowed: true } : {}),
  };
}

/** A member, or none where its value is undefined. */
export function optionalMember<K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  const part: { [P in K]?: V } = {};
  if (value !== undefined) part[key] = value;
  return part;
}

/** Decodes the provider meta of a module, if the provider has a schema for it. */
export function metaOf(
  { providerSchema }: Target,
  meta: DynamicValue | null | undefined,
): { readonly providerMeta?: Value } {
  if (providerSchema.providerMeta === undefined) return {};
  return { providerMeta: fromDynamic(meta, impliedType(providerSchema.providerMeta.block)) };
}

/** The identity in a request, for types that have one. */
export function identityOf(
  { identity }: Target,
  data: IdentityData | null | undefined,
): Value | undefined {
  if (identity === undefined || data?.identityData == null) return undefined;
  return fromDynamic(data.identityData, identity);
}

/** Returns the identity in a response, for types that have one. */
export function wireIdentity(
  { identity }: Target,
  value: Value | undefined,
): IdentityData | undefined {
  if (identity === undefined || value === undefined) return undefined;
  return { identityData: toDynamic(value, identity) };
}

/** Decodes bytes as text; undefined if absent. */
export function textOf(bytes: Uint8Array | null | undefined): string | undefined {
  return bytes == null || bytes.length === 0 ? undefined : Buffer.from(bytes).toString();
}
