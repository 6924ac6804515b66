import type { Path, Type, Value } from '@terrane/cty';
import type { Awaitable, CallAnswer, ProviderDiagnostic } from '../contract.ts';
import type { DescriptionKind, FunctionSignature } from '../schema/model.ts';
import type { Fields } from './fields.ts';

/** What a validator is given: one written value and where it is. */
export interface ValidatorRequest {
  readonly path: Path;
  readonly value: Value;
  /** the object that holds the value, as written */
  readonly siblings: Value;
}

/** Checks a written value. It is called for null and unknown values too. */
export type Validator = (request: ValidatorRequest) => readonly ProviderDiagnostic[];

/** What a plan modifier is given. `plan`, `config` and `state` are the whole objects. */
export interface ModifierRequest {
  readonly path: Path;
  readonly config: Value;
  readonly plan: Value;
  readonly state: Value;
  readonly configValue: Value;
  readonly planValue: Value;
  readonly stateValue: Value;
}

/** What a plan modifier decides; nothing: it leaves the value as it is. */
export interface ModifierAnswer {
  readonly planValue?: Value;
  readonly requiresReplace?: boolean;
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** Adjusts the planned value of an argument, or asks for replacement. */
export type Modifier = (request: ModifierRequest) => ModifierAnswer | undefined;

interface Described {
  readonly description?: string;
  /** default: plain */
  readonly descriptionKind?: DescriptionKind;
  /** deprecates it; shown as a warning where it is used */
  readonly deprecationMessage?: string;
}

interface Behaviour {
  readonly validators?: readonly Validator[];
  readonly modifiers?: readonly Modifier[];
}

/** One argument and how it behaves in plans. */
export interface AttributeDefinition extends Described, Behaviour {
  readonly type?: Type;
  readonly nested?: NestedDefinition;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  /** a number that must be a 64-bit integer */
  readonly integer?: boolean;
  /** planned where nothing is written; the argument must be computed too */
  readonly default?: Value;
  /** what makes a known string of this argument invalid, if anything does */
  readonly check?: (text: string, path: Path) => ProviderDiagnostic | undefined;
  /** where in a known value null is that must not be; absent: null may be anywhere in it */
  readonly nullInside?: (v: Value) => Path | undefined;
  /** the value before where both mean the same, else the one after, or a mix */
  readonly keep?: (before: Value, after: Value) => Value;
  /** `keep` also holds for what is written */
  readonly keepInPlans?: boolean;
  /** two texts that mean the same: the one that was there before is then kept */
  readonly sameMeaning?: (before: string, after: string) => boolean;
}

/** Arguments inside an argument. */
export interface NestedDefinition {
  readonly nesting: 'single' | 'list' | 'set' | 'map';
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
}

/** A block type inside a block. */
export interface BlockDefinition extends Described, Behaviour {
  readonly nesting: 'single' | 'group' | 'list' | 'set' | 'map';
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  readonly blocks?: Readonly<Record<string, BlockDefinition>>;
}

/** The arguments and blocks of a resource type, a data source, an ephemeral resource or a provider. */
export interface ObjectDefinition extends Described {
  /** schema version; default 0 */
  readonly version?: number;
  readonly attributes?: Readonly<Record<string, AttributeDefinition>>;
  readonly blocks?: Readonly<Record<string, BlockDefinition>>;
  /** checks of the written object as a whole */
  readonly validate?: (config: Fields) => readonly ProviderDiagnostic[];
}

/** What an operation on an object came to. */
export interface Outcome {
  /** the object afterwards; absent: as it was before */
  readonly state?: Value;
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** What reading an object came to. */
export interface ReadOutcome extends Outcome {
  /** the object does not exist any more */
  readonly gone?: boolean;
}

/** What a resource makes of a plan as a whole. */
export interface PlanOutcome {
  readonly plan?: Value;
  readonly requiresReplace?: readonly Path[];
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** How a state of an older schema version becomes a current one. */
export interface StateUpgrade {
  /** type of the older state */
  readonly type: Type;
  /** the older state, as an object of that type */
  readonly upgrade: (state: Value) => Awaitable<Outcome>;
}

/** A managed resource type. What is not given does nothing: an update stores the plan, a read keeps the state. */
export interface ResourceDefinition extends ObjectDefinition {
  /** looks at a plan after the modifiers of its arguments; not called for a destroy */
  readonly modifyPlan?: (request: {
    readonly config: Fields;
    readonly plan: Fields;
    /** undefined: the object is to be created */
    readonly state: Fields | undefined;
  }) => PlanOutcome;
  readonly create: (request: {
    readonly plan: Fields;
    /** as written: the only place that has the values of write-only arguments */
    readonly config: Fields;
    readonly signal: AbortSignal | undefined;
  }) => Awaitable<Outcome>;
  readonly read?: (state: Fields) => Awaitable<ReadOutcome>;
  readonly update?: (request: {
    readonly plan: Fields;
    readonly state: Fields;
    /** as written: the only place that has the values of write-only arguments */
    readonly config: Fields;
    readonly signal: AbortSignal | undefined;
  }) => Awaitable<Outcome>;
  readonly delete?: (request: {
    readonly state: Fields;
    readonly signal: AbortSignal | undefined;
  }) => Awaitable<Outcome>;
  /** `empty`: an object of the type in which everything is null */
  readonly import?: (id: string, empty: Fields) => Awaitable<Outcome>;
  /** by the version that they upgrade from */
  readonly upgrades?: Readonly<Record<number, StateUpgrade>>;
}

/** A data source. */
export interface DataSourceDefinition extends ObjectDefinition {
  readonly read: (config: Fields) => Awaitable<Outcome>;
}

/** What keeping an ephemeral object needs. */
export interface Tenure {
  /** handed to the next renewal and to the end; absent: what was there before */
  readonly private?: Uint8Array;
  /** when it has to be renewed; absent: not any more */
  readonly renewAt?: Date;
}

/** What opening an ephemeral object came to. */
export interface OpenOutcome extends Outcome, Tenure {}

/** What renewing an ephemeral object came to. */
export interface RenewOutcome extends Tenure {
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** An ephemeral resource. */
export interface EphemeralDefinition extends ObjectDefinition {
  readonly open: (config: Fields) => Awaitable<OpenOutcome>;
  /** called at the time that opening or the last renewal named */
  readonly renew?: (kept: Uint8Array | undefined) => Awaitable<RenewOutcome>;
  /** called once when the object is of no more use; default: nothing is to be done */
  readonly close?: (kept: Uint8Array | undefined) => Awaitable<readonly ProviderDiagnostic[]>;
}

/** An action: something to do that leaves no object behind. */
export interface ActionDefinition extends ObjectDefinition {
  /** looks at a configuration before anything is done; parts of it may be unknown */
  readonly plan?: (config: Fields) => Awaitable<readonly ProviderDiagnostic[]>;
  readonly invoke: (request: {
    /** wholly known */
    readonly config: Fields;
    /** tells people how far it has come */
    readonly progress: (message: string) => void;
    readonly signal: AbortSignal | undefined;
  }) => Awaitable<readonly ProviderDiagnostic[]>;
}

/** A function. Its arguments are of the signature's types, known and not null unless it allows otherwise. */
export interface FunctionDefinition extends FunctionSignature {
  readonly call: (args: readonly Value[]) => Awaitable<CallAnswer>;
}

/** A provider. */
export interface ProviderDefinition {
  /** its own configuration; default: nothing to configure */
  readonly config?: ObjectDefinition & {
    readonly configure?: (config: Fields) => Awaitable<readonly ProviderDiagnostic[]>;
  };
  readonly resources?: Readonly<Record<string, ResourceDefinition>>;
  readonly dataSources?: Readonly<Record<string, DataSourceDefinition>>;
  readonly ephemeralResources?: Readonly<Record<string, EphemeralDefinition>>;
  readonly actions?: Readonly<Record<string, ActionDefinition>>;
  readonly functions?: Readonly<Record<string, FunctionDefinition>>;
  /** false: only computes, so nothing is lost when it is interrupted; default true */
  readonly sideEffects?: boolean;
}
