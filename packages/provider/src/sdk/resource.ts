import type { Awaitable, ProviderDiagnostic } from '../contract.ts';
import type { DescriptionKind } from '../schema/model.ts';
import type {
  Findings,
  HandlerContext,
  Nothing,
  PrivateAccess,
  PrivateData,
} from './handler-types.ts';
import type { Json } from './json-value.ts';
import type { ErasedResource } from './erased.ts';
import type { ListOptions } from './list-resource.ts';
import type { Log } from './log.ts';
import type { ObjectValidator } from './object-validators.ts';
import { ImportedOther } from './outcomes.ts';
import type { Deferral, Gone, ToBeRead } from './outcomes.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { FlatUpgradeContext, MoveSource, StateUpgrader } from './state-upgraders.ts';
import type {
  Answer,
  ConfigOf,
  Exactly,
  ImportAnswer,
  ImportedOf,
  PathIn,
  PlannedOf,
  ProposedOf,
  ResultOf,
  StateOf,
  WrittenOf,
} from './views.ts';

/** The names of arguments. */
export type Names<T> = Extract<keyof T, string>;

/** Options common to the arguments and blocks of every kind of object. */
export interface ObjectOptions<A extends Attributes<Names<A> | Names<B>>, B extends Blocks> {
  readonly description?: string;
  /** default: plain */
  readonly descriptionKind?: DescriptionKind;
  /** deprecation message; shown as a warning if the resource is used */
  readonly deprecationMessage?: string;
  readonly attributes?: A;
  readonly blocks?: B;
  /** predefined checks of several arguments */
  readonly validators?: readonly ObjectValidator<NoInfer<Names<A> | Names<B>>>[];
  /** validates the configuration, in which values may be unknown; the client is not available yet */
  readonly validate?: (
    context: ValidateContext<A, B>,
  ) => Awaitable<void | undefined | readonly ProviderDiagnostic[]>;
}

/** Context of validation. */
export interface ValidateContext<A, B> extends Findings<StateOf<A, B>> {
  readonly config: ConfigOf<A, B>;
  readonly log: Log;
}

/** Context of planning. */
export interface PlanContext<C, M, A, B, I, P>
  extends HandlerContext<C, StateOf<A, B>>, PrivateAccess<P> {
  readonly config: ConfigOf<A, B>;
  /** the plan so far: written values, defaults, and unknown where the provider is to compute */
  readonly plan: ProposedOf<A, B>;
  /** null: the object is to be created */
  readonly state: StateOf<A, B> | null;
  readonly isNew: boolean;
  /** returns true if the plan changes the value at a path */
  readonly changed: (at: PathIn<StateOf<A, B>>) => boolean;
  /** has the object replaced because of that argument */
  readonly requireReplace: (at: PathIn<StateOf<A, B>>) => void;
  /** null: none is stored */
  readonly identity: StateOf<I> | null;
  /** plans the identity of the object, overriding the definition of the identity; parts may be unknown */
  readonly planIdentity: (identity: ProposedOf<I>) => void;
  readonly providerMeta: M;
}

/** Context of planning a deletion. */
export interface PlanDeleteContext<C, M, A, B, P>
  extends HandlerContext<C, StateOf<A, B>>, PrivateAccess<P> {
  readonly state: StateOf<A, B>;
  readonly providerMeta: M;
}

/** Context of creating and updating. */
export interface ChangeContext<C, M, A, B, P>
  extends HandlerContext<C, StateOf<A, B>>, PrivateAccess<P> {
  readonly plan: PlannedOf<A, B>;
  /** as written: the only object with the values of write-only arguments */
  readonly config: WrittenOf<A, B>;
  /** returns true if the plan changes the value at a path; in a creation: if it is not null */
  readonly changed: (at: PathIn<StateOf<A, B>>) => boolean;
  /**
   * Records the known values of the object so far, over the plan. If the handler fails afterwards, the object is kept
   * (and, if it was being created, tainted) instead of forgotten.
   */
  readonly save: (soFar: Partial<ResultOf<A, B>>) => void;
  /** time-out in milliseconds: from `timeouts`, or 20 minutes */
  readonly timeout: number;
  /** shows users one line about the cause of a delay; an empty string clears it */
  readonly progress: (note: string) => void;
  readonly providerMeta: M;
}

/** Context of creating. */
export interface CreateContext<C, M, A, B, P> extends ChangeContext<C, M, A, B, P> {
  readonly isNew: true;
}

/** Context of updating. */
export interface UpdateContext<C, M, A, B, I, P> extends ChangeContext<C, M, A, B, P> {
  readonly isNew: false;
  readonly state: StateOf<A, B>;
  /** null: none is stored */
  readonly identity: StateOf<I> | null;
}

/** Context of reading. */
export interface ReadContext<C, M, A, B, I, P>
  extends HandlerContext<C, StateOf<A, B>>, PrivateAccess<P> {
  readonly state: StateOf<A, B>;
  readonly identity: StateOf<I> | null;
  readonly timeout: number;
  readonly providerMeta: M;
}

/** Context of deleting. */
export interface DeleteContext<C, M, A, B, I, P> extends HandlerContext<C, StateOf<A, B>> {
  readonly state: StateOf<A, B>;
  readonly identity: StateOf<I> | null;
  readonly private: Readonly<Partial<P>>;
  readonly timeout: number;
  /** as of changes */
  readonly progress: (note: string) => void;
  readonly providerMeta: M;
}

/** Context of importing: an id or an identity. */
export type ImportContext<C, A, B, I, P> = HandlerContext<C, StateOf<A, B>> &
  PrivateAccess<P> &
  (
    | { readonly id: string; readonly identity: undefined }
    | { readonly id: undefined; readonly identity: WrittenOf<I> }
  );

/** Context of computing an identity, in addition to the object. */
export interface IdentityContext<C> {
  readonly client: C;
}

/** The identity of objects of a resource type, for imports and lists. */
export interface IdentityOptions<C, I extends Attributes, A, B> {
  /** version of the stored identity; default 0 */
  readonly version?: number;
  /** required: needed for an import */
  readonly attributes: I;
  /** the identity of an object */
  readonly of: (state: NoInfer<StateOf<A, B>>, around: IdentityContext<C>) => ResultOf<I>;
  /**
   * The planned identity of an object; parts of it may be unknown while the object is to be created. If undefined, the
   * identity is kept, or is not known before the apply.
   */
  readonly planned?: (
    plan: NoInfer<ProposedOf<A, B>>,
    around: IdentityContext<C>,
  ) => ProposedOf<I> | undefined;
  /** by source version */
  readonly upgraders?: Readonly<Record<number, StateUpgrader<ResultOf<I>>>>;
}

/**
 * A managed resource type. Omitted handlers have defaults: without `update` a change stores the plan, without `read`
 * the state is kept, without `delete` the object is forgotten.
 */
export interface ResourceOptions<
  C,
  M,
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
  I extends Attributes,
  P,
  L extends Attributes,
  Modified,
  Created,
  Read,
  Updated,
  Imported,
> extends ObjectOptions<A, B> {
  /** version of the stored form; default 0 */
  readonly version?: number;
  /**
   * Plans as resource types of Terraform's older SDK do: computed values are kept in updates, unless `modifyPlan`
   * returns `unknown()`; null equals the empty value (empty string, zero, false, no elements); and results may differ
   * from the plan: Terraform and Terrane accept them.
   */
  readonly olderTypeSystem?: boolean;
  readonly identity?: IdentityOptions<C, I, A, B>;
  readonly private?: PrivateData<P>;
  /**
   * Changes a plan after the modifiers of its arguments, and returns the values to plan instead. Not called for a
   * destroy.
   */
  readonly modifyPlan?: (
    context: PlanContext<C, M, A, B, I, P>,
  ) => Modified & Exactly<Modified, ProposedOf<A, B>>;
  /** validates a planned destruction, to warn or reject it */
  readonly planDelete?: (context: PlanDeleteContext<C, M, A, B, P>) => Nothing;
  readonly create: (
    context: CreateContext<C, M, A, B, P>,
  ) => Created & Answer<Created, ResultOf<A, B>>;
  readonly read?: (
    context: ReadContext<C, M, A, B, I, P>,
  ) => Read & Answer<Read, ResultOf<A, B>, Gone | Deferral>;
  readonly update?: (
    context: UpdateContext<C, M, A, B, I, P>,
  ) => Updated & Answer<Updated, ResultOf<A, B>>;
  readonly delete?: (context: DeleteContext<C, M, A, B, I, P>) => Nothing;
  /** takes an object that exists into the state, or several: others by `imported`; they are then read */
  readonly import?: (
    context: ImportContext<C, A, B, I, P>,
  ) => Imported &
    ImportAnswer<Imported, ImportedOf<A, B>, OneImported<A, B> | SeveralImported<A, B>>;
  /** upgrades of older states, by source version */
  readonly upgraders?: Readonly<Record<number, StateUpgrader<ImportedOf<A, B>>>>;
  /** upgrades states in the flat form of Terraform before 0.12: attributes by dotted name, as text */
  readonly upgradeFlat?: (
    stored: Readonly<Record<string, string>>,
    context: FlatUpgradeContext,
  ) => Awaitable<ImportedOf<A, B>>;
  /** objects of other types that become objects of this one */
  readonly moves?: readonly MoveSource<ImportedOf<A, B>>[];
  /** finds objects that exist, for queries */
  readonly list?: ListOptions<C, L, ImportedOf<A, B>, ResultOf<I>>;
}

declare const configuredBy: unique symbol;
declare const imports: unique symbol;

/**
 * A resource type of a provider whose handlers need a client of type `C`. `O`: its objects as imports return them; if
 * it is not declared, the argument of `imported` is checked only at run time.
 */
export interface Resource<C = unknown, O = unknown> {
  readonly kind: 'resource';
  readonly options: ErasedResource;
  readonly [configuredBy]?: (client: C) => void;
  readonly [imports]?: O;
}

/**
 * An object of another resource type, for imports that return several: `[{ name }, imported(rule, { group: name })]`.
 * `private`: its private data.
 */
export function imported<O>(
  type: Resource<never, O>,
  object: NoInfer<O> | ToBeRead<Partial<NoInfer<O>>>,
  keep: { readonly private?: Readonly<Record<string, Json>> } = {},
): ImportedOther {
  return new ImportedOther(type.options, object, keep.private);
}

type Found<A, B> = ImportedOf<A, B> | ToBeRead<Partial<ImportedOf<A, B>>>;
type OneImported<A, B> = Found<A, B> | Gone | Deferral;
type SeveralImported<A, B> = readonly (Found<A, B> | ImportedOther)[];

/** Defines resource types whose handlers receive a client of type `C` and provider meta of type `M`. */
export type DefineResource<C, M> = <
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks = {},
  I extends Attributes = {},
  P = {},
  L extends Attributes = {},
  Modified extends Awaitable<Partial<ProposedOf<A, B>> | Deferral | void | undefined> = void,
  const Created = ResultOf<A, B>,
  const Read = ResultOf<A, B>,
  const Updated = ResultOf<A, B>,
  const Imported = ImportedOf<A, B>,
>(
  options: ResourceOptions<C, M, A, B, I, P, L, Modified, Created, Read, Updated, Imported>,
) => Resource<C, ImportedOf<A, B>>;

/**
 * Defines a managed resource type. See `withClient` for handlers that need a client.
 *
 * ```ts
 * const server = resource({
 *   attributes: { name: string({ required: true }), id: string({ computed: true }) },
 *   create: async ({ plan }) => ({ ...plan, id: await make(plan.name) }),
 * });
 * ```
 */
export const resource: DefineResource<unknown, null> = (options) => resourceOf(options);

/** Returns a resource type from its options, whose types have been checked. */
export function resourceOf<C, O = unknown>(options: object): Resource<C, O> {
  // The types of the handlers guarantee these arguments: see resource-runtime.ts.
  return { kind: 'resource', options: options as ErasedResource };
}
