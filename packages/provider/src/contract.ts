import type { Path, Type, Value } from '@terrane/cty';
import type { FunctionSignature, ProviderSchema } from './schema/model.ts';

/** A synchronous or asynchronous result. Providers that can respond synchronously should: it is the fast path. */
export type Awaitable<T> = T | Promise<T>;

/** An error or warning of a provider. */
export interface ProviderDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  /** argument of the request's configuration that it is about */
  readonly attribute?: Path;
  /** true for a problem of the provider itself rather than the configuration: shown without a source range */
  readonly sourceless?: boolean;
}

/** Fields that every response of a provider may have. */
export interface Answer {
  readonly diagnostics?: readonly ProviderDiagnostic[];
  /**
   * set together with errors: the provider exited or sent no valid response after it received the request, so the
   * outcome is unknown
   */
  readonly unanswered?: boolean;
}

/** A resource identity with the schema it was written in. */
export interface Identity {
  readonly type: Type;
  readonly value: Value;
  readonly schemaVersion: number;
}

/** The reason why a provider deferred an operation. */
export interface Deferred {
  readonly reason:
    | 'resource_config_unknown'
    | 'provider_config_unknown'
    | 'absent_prereq'
    | 'unknown';
}

/** Capabilities of the client that calls a provider. */
export interface ClientCapabilities {
  readonly deferralAllowed: boolean;
  readonly writeOnlyAttributesAllowed: boolean;
  /** private data of a plan is sent back when the same is planned again (Terraform 1.16) */
  readonly storePlannedPrivate?: boolean;
  /** true if blocks computed by the provider are accepted (Terraform 1.16) */
  readonly computedBlocksAllowed?: boolean;
}

/** Requests about one resource instance carry its address, for the messages of `enforceContract`. */
export interface Addressed {
  readonly address?: string;
}

/** Configures a provider before any other request for an object. */
export interface ConfigureRequest {
  readonly terraformVersion: string;
  readonly config: Value;
  readonly capabilities: ClientCapabilities;
}

/** Validates the configuration of a resource; values may be unknown. */
export interface ValidateResourceRequest extends Addressed {
  readonly type: string;
  readonly config: Value;
  readonly capabilities: ClientCapabilities;
}

/** Validates the configuration of a data source; values may be unknown. */
export interface ValidateDataRequest extends Addressed {
  readonly type: string;
  readonly config: Value;
}

/** Upgrades a stored object to the current version of its schema. */
export interface UpgradeRequest extends Addressed {
  readonly type: string;
  /** schema version of the stored object */
  readonly version: number;
  /** JSON text of the stored attributes */
  readonly json?: string;
  /** stored attributes in the form that was used before Terraform 0.12 */
  readonly flatmap?: Readonly<Record<string, string>>;
}

/** The object, in the current version of its schema. */
export interface UpgradeAnswer extends Answer {
  readonly state: Value;
}

/** Reads the current state of an object. */
export interface ReadRequest extends Addressed {
  readonly type: string;
  readonly prior: Value;
  readonly private?: Uint8Array;
  readonly providerMeta?: Value;
  readonly identity?: Value;
  readonly capabilities: ClientCapabilities;
}

/** The current state of an object. */
export interface ReadAnswer extends Answer {
  /** null: the object does not exist any more */
  readonly state: Value;
  readonly private?: Uint8Array;
  readonly identity?: Value;
  readonly deferred?: Deferred;
}

/**
 * Plans a change of an object: a creation if `prior` is null, a deletion if `proposed` is null, otherwise an update.
 */
export interface PlanResourceRequest extends Addressed {
  readonly type: string;
  readonly prior: Value;
  readonly proposed: Value;
  readonly config: Value;
  readonly priorPrivate?: Uint8Array;
  readonly providerMeta?: Value;
  readonly priorIdentity?: Value;
  /** private data from the first plan, if this is the second plan */
  readonly plannedPrivate?: Uint8Array;
  readonly capabilities: ClientCapabilities;
  /** this is the second plan of a replacement, from a null prior: the first was held to the configuration */
  readonly replacing?: boolean;
}

/** The planned state of an object; values that are known only after apply are unknown. */
export interface PlanAnswer extends Answer {
  readonly planned: Value;
  readonly requiresReplace: readonly Path[];
  readonly private?: Uint8Array;
  readonly identity?: Value;
  /** true for the legacy SDK, whose deviations from the contract are tolerated */
  readonly legacyTypeSystem?: boolean;
  readonly deferred?: Deferred;
}

/** Applies a planned change. */
export interface ApplyResourceRequest extends Addressed {
  readonly type: string;
  readonly prior: Value;
  readonly planned: Value;
  readonly config: Value;
  readonly plannedPrivate?: Uint8Array;
  readonly providerMeta?: Value;
  readonly plannedIdentity?: Value;
  readonly signal?: AbortSignal;
  /**
   * Receives one line about the cause of a delay, for progress output; an empty string clears it. Must not contain
   * sensitive values.
   */
  readonly progress?: (note: string) => void;
}

/** The result of applying a change. */
export interface ApplyAnswer extends Answer {
  /** null together with errors: the object is unknown, and the stored one remains valid */
  readonly state: Value;
  readonly private?: Uint8Array;
  readonly identity?: Value;
  readonly legacyTypeSystem?: boolean;
}

/** Imports an existing object by its id or its identity. */
export interface ImportRequest extends Addressed {
  readonly type: string;
  readonly id?: string;
  readonly identity?: Value;
  /** true if several objects may be returned, also of other types */
  readonly several?: boolean;
  /** the configured values, if available; mock providers create the object from them */
  readonly configured?: () => Value | undefined;
}

/** An existing object, to be imported into the state. */
export interface ImportedObject {
  readonly type: string;
  readonly state: Value;
  readonly private?: Uint8Array;
  readonly identity?: Value;
}

/** The requested objects. */
export interface ImportAnswer extends Answer {
  readonly imported: readonly ImportedObject[];
  readonly deferred?: Deferred;
}

/** Converts a stored object of another type into an object of this type. */
export interface MoveRequest extends Addressed {
  /** address of the object's current provider */
  readonly sourceProvider: string;
  readonly sourceType: string;
  readonly sourceVersion: number;
  readonly sourceJson: string;
  readonly sourcePrivate?: Uint8Array;
  /** JSON text of the stored identity, and the version of its schema */
  readonly sourceIdentity?: { readonly json: string; readonly version: number };
  readonly targetType: string;
}

/** The object, in its new type. */
export interface MoveAnswer extends Answer {
  readonly state: Value;
  readonly private?: Uint8Array;
  readonly identity?: Value;
}

/** Generates the configuration of an existing object. */
export interface GenerateConfigRequest extends Addressed {
  readonly type: string;
  readonly state: Value;
}

/** Configuration for an object that exists. */
export interface GenerateConfigAnswer extends Answer {
  /** of the type of the resource, without computed-only attributes */
  readonly config: Value;
}

/** Reads a data source. */
export interface ReadDataRequest extends Addressed {
  readonly type: string;
  readonly config: Value;
  readonly providerMeta?: Value;
  readonly capabilities: ClientCapabilities;
}

/** The result of a data source. */
export interface ReadDataAnswer extends Answer {
  readonly state: Value;
  readonly deferred?: Deferred;
}

/** Opens or validates an ephemeral object. */
export interface EphemeralRequest extends Addressed {
  readonly type: string;
  readonly config: Value;
}

/** An ephemeral object that was opened. */
export interface OpenAnswer extends Answer {
  readonly result: Value;
  readonly private?: Uint8Array;
  /** when it has to be renewed; absent: never */
  readonly renewAt?: Date;
  readonly deferred?: Deferred;
}

/** Renews or closes an open ephemeral object. */
export interface HeldEphemeralRequest extends Addressed {
  readonly type: string;
  readonly private?: Uint8Array;
}

/** The time of the next renewal of an ephemeral object. */
export interface RenewAnswer extends Answer {
  readonly private?: Uint8Array;
  readonly renewAt?: Date;
}

/** Validates the configuration of an action; values may be unknown. */
export interface ValidateActionRequest extends Addressed {
  readonly type: string;
  readonly config: Value;
}

/** Plans the invocation of an action; the provider may reject it. */
export interface PlanActionRequest extends Addressed {
  readonly type: string;
  /** unknown values depend on pending changes */
  readonly config: Value;
  readonly capabilities: ClientCapabilities;
}

/** The result of planning an action: errors, or whether it is deferred. */
export interface PlanActionAnswer extends Answer {
  readonly deferred?: Deferred;
}

/** Invokes an action. */
export interface InvokeActionRequest extends Addressed {
  readonly type: string;
  /** wholly known */
  readonly config: Value;
  /** reports progress; called any number of times before the response */
  readonly progress: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** Calls a function of the provider. */
export interface CallRequest {
  readonly name: string;
  readonly args: readonly Value[];
  /** The signature of a function that the schema lacks, as `configuredFunctions` returned it. */
  readonly signature?: FunctionSignature;
}

/** The functions of a configured provider, by name. */
export interface FunctionsAnswer extends Answer {
  readonly functions: Readonly<Record<string, FunctionSignature>>;
}

/** The result of a function call, or its error. */
export interface CallAnswer {
  readonly result?: Value;
  /** `argument`: index of the argument that it is about */
  readonly error?: { readonly message: string; readonly argument?: number };
}

/** Upgrades a stored identity to the current version of its schema. */
export interface UpgradeIdentityRequest extends Addressed {
  readonly type: string;
  /** version of the stored identity */
  readonly version: number;
  /** JSON text of the stored identity */
  readonly json: string;
}

/** The identity, in the current version of its schema. */
export interface UpgradeIdentityAnswer extends Answer {
  readonly identity: Value;
}

/** Validates the configuration of a list resource; values may be unknown. */
export interface ValidateListRequest extends Addressed {
  /** resource type whose objects are listed */
  readonly type: string;
  readonly config: Value;
}

/** Lists the existing objects of a type. */
export interface ListRequest extends ValidateListRequest {
  /** true to include objects in addition to their identities */
  readonly includeResource: boolean;
  /** the maximum number of objects; absent: no limit */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** An existing object that a list resource returned; with errors, the other fields may be absent. */
export interface ListedResource extends Answer {
  /** display name for users */
  readonly displayName: string;
  readonly identity?: Value;
  readonly resource?: Value;
}

/** The result of locking a state: a lock ID, or the reason of the failure. */
export interface LockAnswer extends Answer {
  /** to be passed to `unlock`; empty if the store has no locks */
  readonly lockId: string;
}

/**
 * A state store of a provider (Terraform 1.15, experimental). It must be configured before all calls except validation.
 * A state id is the name of a workspace.
 */
export interface StateStore {
  validateConfig(request: { readonly config: Value }): Awaitable<Answer>;
  configure(request: { readonly config: Value }): Awaitable<Answer>;
  /** bytes absent: the state does not exist */
  read(stateId: string): Awaitable<Answer & { readonly bytes?: Uint8Array }>;
  write(stateId: string, bytes: Uint8Array): Awaitable<Answer>;
  /** `operation` is the display name of the operation that holds the lock */
  lock(stateId: string, operation: string): Awaitable<LockAnswer>;
  unlock(stateId: string, lockId: string): Awaitable<Answer>;
  /** the ids of all states */
  states(): Awaitable<Answer & { readonly ids: readonly string[] }>;
  delete(stateId: string): Awaitable<Answer>;
}

/** The severity of a log message. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A message of a provider to its log. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** plain data */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Receives the log messages of a provider. */
export type LogSink = (entry: LogEntry) => void;

/**
 * A provider: bundled, a plugin process or a mock. All values are unmarked; configurations conform to the implied type
 * of their schema. Any method may respond synchronously or asynchronously. A provider reports problems as diagnostics
 * and never throws for user errors.
 */
export interface Provider {
  schema(): Awaitable<ProviderSchema & Answer>;
  validateProviderConfig(request: {
    readonly config: Value;
  }): Awaitable<Answer & { readonly prepared?: Value }>;
  validateResourceConfig(request: ValidateResourceRequest): Awaitable<Answer>;
  validateDataSourceConfig(request: ValidateDataRequest): Awaitable<Answer>;
  validateEphemeralResourceConfig?(request: EphemeralRequest): Awaitable<Answer>;
  configure(request: ConfigureRequest): Awaitable<Answer>;
  upgradeResourceState(request: UpgradeRequest): Awaitable<UpgradeAnswer>;
  readResource(request: ReadRequest): Awaitable<ReadAnswer>;
  planResourceChange(request: PlanResourceRequest): Awaitable<PlanAnswer>;
  applyResourceChange(request: ApplyResourceRequest): Awaitable<ApplyAnswer>;
  importResourceState(request: ImportRequest): Awaitable<ImportAnswer>;
  moveResourceState?(request: MoveRequest): Awaitable<MoveAnswer>;
  readDataSource(request: ReadDataRequest): Awaitable<ReadDataAnswer>;
  openEphemeralResource?(request: EphemeralRequest): Awaitable<OpenAnswer>;
  renewEphemeralResource?(request: HeldEphemeralRequest): Awaitable<RenewAnswer>;
  closeEphemeralResource?(request: HeldEphemeralRequest): Awaitable<Answer>;
  validateActionConfig?(request: ValidateActionRequest): Awaitable<Answer>;
  /** validates an action before any change */
  planAction?(request: PlanActionRequest): Awaitable<PlanActionAnswer>;
  /** invokes an action; the response arrives when the action has ended */
  invokeAction?(request: InvokeActionRequest): Awaitable<Answer>;
  callFunction?(request: CallRequest): Awaitable<CallAnswer>;
  /**
   * Returns the functions of the configured provider, which may be more than those of its schema. Called for
   * functions that the schema lacks, where the configuration follows OpenTofu.
   */
  configuredFunctions?(): Awaitable<FunctionsAnswer>;
  /** upgrades a stored identity to the current schema version; called only if the versions differ */
  upgradeResourceIdentity?(request: UpgradeIdentityRequest): Awaitable<UpgradeIdentityAnswer>;
  /** called only for providers that announce it */
  generateResourceConfig?(request: GenerateConfigRequest): Awaitable<GenerateConfigAnswer>;
  validateListResourceConfig?(request: ValidateListRequest): Awaitable<Answer>;
  /** finds objects of a resource type that exist, one after the other */
  listResource?(request: ListRequest): AsyncIterable<ListedResource>;
  /** returns the state store of a type, always the same instance; undefined if the provider does not have the type */
  stateStore?(type: string): StateStore | undefined;
  /** sets the sink of structured log messages; without a sink they are dropped */
  logTo?(sink: LogSink): void;
  /** requests running operations to end */
  stop(): Awaitable<void>;
  /** ends running operations at once: pending calls fail */
  kill?(): Awaitable<void>;
  close(): Awaitable<void>;
  /** false: only computes (random, null, time…), so intents need no sync and destroying only forgets */
  readonly sideEffects?: boolean;
}

/** Creates a provider for one configuration. */
export type ProviderFactory = () => Awaitable<Provider>;
