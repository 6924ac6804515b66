/** A decoded 64-bit integer; a plain number is accepted for encoding. */
export type Int64 = number | { toNumber(): number };

/** A value; MessagePack or, rarely, JSON. */
export interface DynamicValue {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}

/** `severity`: 1 error, 2 warning. */
export interface WireDiagnostic {
  readonly severity?: number;
  readonly summary?: string;
  readonly detail?: string;
  readonly attribute?: AttributePath | null;
}

/** The path of a nested value. */
export interface AttributePath {
  readonly steps?: readonly WireStep[];
}

/** One of the three fields, as an own property. */
export interface WireStep {
  readonly attributeName?: string;
  readonly elementKeyString?: string;
  readonly elementKeyInt?: Int64;
}

/** Attributes as a state file has them. */
export interface RawState {
  readonly json?: Uint8Array;
  readonly flatmap?: Readonly<Record<string, string>>;
}

/** A schema, as plugins send it. */
export interface WireSchema {
  readonly version?: Int64;
  readonly block?: WireBlock | null;
}

/** A block of a schema, as plugins send it. */
export interface WireBlock {
  readonly attributes?: readonly WireAttribute[];
  readonly blockTypes?: readonly WireNestedBlock[];
  readonly description?: string;
  readonly descriptionKind?: number;
  readonly deprecated?: boolean;
  readonly deprecationMessage?: string;
  readonly computed?: boolean;
}

/** An attribute of a schema, as plugins send it. */
export interface WireAttribute {
  readonly name?: string;
  readonly type?: Uint8Array;
  readonly nestedType?: WireNestedObject | null;
  readonly description?: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  readonly descriptionKind?: number;
  readonly deprecated?: boolean;
}

/** `nesting`: 1 single, 2 list, 3 set, 4 map. */
export interface WireNestedObject {
  readonly attributes?: readonly WireAttribute[];
  readonly nesting?: number;
}

/** `nesting`: 1 single, 2 list, 3 set, 4 map, 5 group. */
export interface WireNestedBlock {
  readonly typeName?: string;
  readonly block?: WireBlock | null;
  readonly nesting?: number;
  readonly minItems?: Int64;
  readonly maxItems?: Int64;
}

/** The schema of identities, as plugins send it. */
export interface WireIdentitySchema {
  readonly version?: Int64;
  readonly attributes?: readonly {
    readonly name?: string;
    readonly type?: Uint8Array;
    readonly requiredForImport?: boolean;
    readonly optionalForImport?: boolean;
    readonly description?: string;
  }[];
}

/** A parameter of a function, as plugins send it. */
export interface WireParameter {
  readonly name?: string;
  readonly type?: Uint8Array;
  readonly allowNullValue?: boolean;
  readonly allowUnknownValues?: boolean;
  readonly description?: string;
}

/** A function, as plugins send it. */
export interface WireFunction {
  readonly parameters?: readonly WireParameter[];
  readonly variadicParameter?: WireParameter | null;
  readonly return?: { readonly type?: Uint8Array } | null;
  readonly summary?: string;
  readonly description?: string;
}

/** An identity, as plugins send it. */
export interface IdentityData {
  readonly identityData?: DynamicValue | null;
}

/** `reason`: 1 resource configuration unknown, 2 provider configuration unknown, 3 absent prerequisite. */
export interface WireDeferred {
  readonly reason?: number;
}

interface Diagnosed {
  readonly diagnostics?: readonly WireDiagnostic[];
}

interface Typed {
  readonly typeName: string;
}

interface Capable {
  readonly clientCapabilities: {
    readonly deferralAllowed: boolean;
    readonly writeOnlyAttributesAllowed: boolean;
    readonly storePlannedPrivate?: boolean;
    readonly computedBlocksAllowed?: boolean;
  };
}

interface Configured {
  readonly config: DynamicValue;
}

interface Deferrable {
  readonly deferred?: WireDeferred | null;
}

interface Private {
  readonly private?: Uint8Array;
}

interface WithMeta {
  readonly providerMeta?: DynamicValue;
}

interface Timestamp {
  readonly seconds?: Int64;
  readonly nanos?: number;
}

interface Renewed {
  readonly renewAt?: Timestamp | null;
}

/** The response of `GetProviderSchema`. */
export interface WireProviderSchema extends Diagnosed {
  readonly provider?: WireSchema | null;
  readonly providerMeta?: WireSchema | null;
  readonly resourceSchemas?: Readonly<Record<string, WireSchema>>;
  readonly dataSourceSchemas?: Readonly<Record<string, WireSchema>>;
  readonly ephemeralResourceSchemas?: Readonly<Record<string, WireSchema>>;
  readonly actionSchemas?: Readonly<Record<string, { readonly schema?: WireSchema | null }>>;
  readonly listResourceSchemas?: Readonly<Record<string, WireSchema>>;
  readonly stateStoreSchemas?: Readonly<Record<string, WireSchema>>;
  readonly functions?: Readonly<Record<string, WireFunction>>;
  readonly serverCapabilities?: {
    readonly planDestroy?: boolean;
    readonly getProviderSchemaOptional?: boolean;
    readonly moveResourceState?: boolean;
    readonly generateResourceConfig?: boolean;
  } | null;
}

interface TypeMetadata {
  readonly typeName?: string;
}

/** The unary calls, by their names in version 6, with request and response. */
export interface Calls {
  GetMetadata: {
    request: object;
    response: Diagnosed & {
      readonly serverCapabilities?: WireProviderSchema['serverCapabilities'];
      readonly resources?: readonly TypeMetadata[];
      readonly dataSources?: readonly TypeMetadata[];
      readonly ephemeralResources?: readonly TypeMetadata[];
      readonly actions?: readonly TypeMetadata[];
      readonly listResources?: readonly TypeMetadata[];
      readonly stateStores?: readonly TypeMetadata[];
      readonly functions?: readonly { readonly name?: string }[];
    };
  };
  GetProviderSchema: { request: object; response: WireProviderSchema };
  GetResourceIdentitySchemas: {
    request: object;
    response: Diagnosed & {
      readonly identitySchemas?: Readonly<Record<string, WireIdentitySchema>>;
    };
  };
  ValidateProviderConfig: {
    request: Configured;
    response: Diagnosed & { readonly preparedConfig?: DynamicValue | null };
  };
  ValidateResourceConfig: { request: Typed & Configured & Capable; response: Diagnosed };
  ValidateDataResourceConfig: { request: Typed & Configured; response: Diagnosed };
  ValidateEphemeralResourceConfig: { request: Typed & Configured; response: Diagnosed };
  UpgradeResourceState: {
    request: Typed & { readonly version: number; readonly rawState: RawState };
    response: Diagnosed & { readonly upgradedState?: DynamicValue | null };
  };
  ConfigureProvider: {
    request: Configured & Capable & { readonly terraformVersion: string };
    response: Diagnosed;
  };
  ReadResource: {
    request: Typed &
      Capable &
      Private &
      WithMeta & { readonly currentState: DynamicValue; readonly currentIdentity?: IdentityData };
    response: Diagnosed &
      Private &
      Deferrable & {
        readonly newState?: DynamicValue | null;
        readonly newIdentity?: IdentityData | null;
      };
  };
  PlanResourceChange: {
    request: Typed &
      Capable &
      Configured &
      WithMeta & {
        readonly priorState: DynamicValue;
        readonly proposedNewState: DynamicValue;
        readonly priorPrivate?: Uint8Array;
        readonly priorIdentity?: IdentityData;
        readonly plannedPrivate?: Uint8Array;
      };
    response: Diagnosed &
      Deferrable & {
        readonly plannedState?: DynamicValue | null;
        readonly requiresReplace?: readonly AttributePath[];
        readonly plannedPrivate?: Uint8Array;
        readonly legacyTypeSystem?: boolean;
        readonly plannedIdentity?: IdentityData | null;
      };
  };
  ApplyResourceChange: {
    request: Typed &
      Configured &
      WithMeta & {
        readonly priorState: DynamicValue;
        readonly plannedState: DynamicValue;
        readonly plannedPrivate?: Uint8Array;
        readonly plannedIdentity?: IdentityData;
      };
    response: Diagnosed &
      Private & {
        readonly newState?: DynamicValue | null;
        readonly legacyTypeSystem?: boolean;
        readonly newIdentity?: IdentityData | null;
      };
  };
  ImportResourceState: {
    request: Typed & Capable & { readonly id?: string; readonly identity?: IdentityData };
    response: Diagnosed &
      Deferrable & {
        readonly importedResources?: readonly (Private & {
          readonly typeName?: string;
          readonly state?: DynamicValue | null;
          readonly identity?: IdentityData | null;
        })[];
      };
  };
  MoveResourceState: {
    request: {
      readonly sourceProviderAddress: string;
      readonly sourceTypeName: string;
      readonly sourceSchemaVersion: number;
      readonly sourceState: RawState;
      readonly targetTypeName: string;
      readonly sourcePrivate?: Uint8Array;
      readonly sourceIdentity?: RawState;
      readonly sourceIdentitySchemaVersion?: number;
    };
    response: Diagnosed & {
      readonly targetState?: DynamicValue | null;
      readonly targetPrivate?: Uint8Array;
      readonly targetIdentity?: IdentityData | null;
    };
  };
  ReadDataSource: {
    request: Typed & Configured & Capable & WithMeta;
    response: Diagnosed & Deferrable & { readonly state?: DynamicValue | null };
  };
  OpenEphemeralResource: {
    request: Typed & Configured & Capable;
    response: Diagnosed &
      Private &
      Renewed &
      Deferrable & { readonly result?: DynamicValue | null };
  };
  RenewEphemeralResource: {
    request: Typed & Private;
    response: Diagnosed & Private & Renewed;
  };
  CloseEphemeralResource: { request: Typed & Private; response: Diagnosed };
  GetFunctions: {
    request: object;
    response: Diagnosed & { readonly functions?: Readonly<Record<string, WireFunction>> };
  };
  CallFunction: {
    request: { readonly name: string; readonly arguments: readonly DynamicValue[] };
    response: {
      readonly result?: DynamicValue | null;
      readonly error?: { readonly text?: string; readonly functionArgument?: Int64 } | null;
    };
  };
  ValidateActionConfig: { request: Typed & Configured; response: Diagnosed };
  PlanAction: {
    request: Configured & Capable & { readonly actionType: string };
    response: Diagnosed & Deferrable;
  };
  StopProvider: { request: object; response: { readonly error?: string } };
}

/** Unary calls added after Terraform 1.11. */
export interface LaterCalls {
  UpgradeResourceIdentity: {
    request: Typed & { readonly version: number; readonly rawIdentity: RawState };
    response: Diagnosed & { readonly upgradedIdentity?: IdentityData | null };
  };
  GenerateResourceConfig: {
    request: Typed & { readonly state: DynamicValue };
    response: Diagnosed & { readonly config?: DynamicValue | null };
  };
  ValidateListResourceConfig: {
    request: Typed &
      Configured & {
        readonly includeResourceObject?: DynamicValue;
        readonly limit?: DynamicValue;
      };
    response: Diagnosed;
  };
  ValidateStateStoreConfig: { request: Typed & Configured; response: Diagnosed };
  ConfigureStateStore: {
    request: Typed & Configured & { readonly capabilities: { readonly chunkSize: number } };
    response: Diagnosed & { readonly capabilities?: { readonly chunkSize?: Int64 } | null };
  };
  LockState: {
    request: Typed & { readonly stateId: string; readonly operation: string };
    response: Diagnosed & { readonly lockId?: string };
  };
  UnlockState: {
    request: Typed & { readonly stateId: string; readonly lockId: string };
    response: Diagnosed;
  };
  GetStates: { request: Typed; response: Diagnosed & { readonly stateId?: readonly string[] } };
  DeleteState: { request: Typed & { readonly stateId: string }; response: Diagnosed };
}

/** All unary calls. */
export type AllCalls = Calls & LaterCalls;

/** The calls with a stream of responses, by name, with request and response message. */
export interface Streams {
  InvokeAction: { request: Calls['PlanAction']['request']; event: ActionEvent };
  ListResource: {
    request: Typed &
      Configured & { readonly includeResourceObject: boolean; readonly limit: number };
    event: ListEvent;
  };
  ReadStateBytes: { request: Typed & { readonly stateId: string }; event: StateChunk };
}

/** An object found by a list resource. */
export interface ListEvent {
  readonly identity?: IdentityData | null;
  readonly displayName?: string;
  readonly resourceObject?: DynamicValue | null;
  readonly diagnostic?: readonly WireDiagnostic[];
}

/** A chunk of a state; `end` is the index of its last byte. */
export interface StateChunk extends Diagnosed {
  /** with the first chunk of a written state */
  readonly meta?: { readonly typeName: string; readonly stateId: string };
  readonly bytes?: Uint8Array;
  readonly totalLength?: Int64;
  readonly range?: { readonly start?: Int64; readonly end?: Int64 } | null;
}

/** A message of the response stream of `InvokeAction`. */
export interface ActionEvent {
  readonly progress?: { readonly message?: string } | null;
  readonly completed?: Diagnosed | null;
}

/** Output that the plugin wrote after its start; `channel`: 1 standard output, 2 standard error. */
export interface StdioData {
  readonly channel?: number;
  readonly data?: Uint8Array;
}

/** A message of the broker about further connections. */
export interface ConnInfo {
  readonly serviceId?: number;
  readonly network?: string;
  readonly address?: string;
  readonly knock?: {
    readonly knock?: boolean;
    readonly ack?: boolean;
    readonly error?: string;
  } | null;
}
