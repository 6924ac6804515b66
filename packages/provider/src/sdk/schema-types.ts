import type { Path, Type, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import type { DescriptionKind } from '../schema/model.ts';
import type { Codec } from './codec.ts';
import type { AttributeDefinition, BlockDefinition } from './definition.ts';
import type { AttributeValidator, PlanModifier } from './rules.ts';
import type { Unknown } from './unknown.ts';

declare const views: unique symbol;
declare const mode: unique symbol;
declare const names: unique symbol;

/** The types of a schema part's values in handlers, by kind of handler. */
export interface Views {
  /** as written, perhaps with unknown parts */
  readonly config: unknown;
  /** as written, wholly known */
  readonly written: unknown;
  /** during planning: any part may be unknown */
  readonly proposed: unknown;
  /** when a plan is carried out: only computed parts are unknown */
  readonly planned: unknown;
  /** as stored */
  readonly state: unknown;
  /** type that handlers return */
  readonly result: unknown;
  /** type that imports return: nullable attributes may be omitted */
  readonly imported: unknown;
}

/** The views of values without attributes. `K`: known, `O`: with unknown parts. */
export interface PlainViews<K, O = K> extends Views {
  readonly config: O;
  readonly written: K;
  readonly proposed: O;
  readonly planned: K;
  readonly state: K;
  readonly result: K;
  readonly imported: K;
}

/**
 * A type of values: `string`, `list(string)`, `object({ … })`. `K` is the JavaScript type of its known
 * values, `O` that of values in which parts are unknown.
 */
export interface ElementType<K = unknown, O = unknown> {
  readonly type: Type;
  readonly codec: Codec;
  readonly [views]?: PlainViews<K, O>;
}

/** The source of an argument's value, which determines where it can be null or unknown. */
export type Mode =
  | 'required'
  | 'optional'
  | 'default'
  | 'computed'
  | 'computed or null'
  | 'optional, computed'
  | 'optional, computed or null'
  | 'write-only, required'
  | 'write-only, optional'
  | 'timeouts';

/**
 * An argument of a schema. `V` is the representation of its values, `M` their source, `N` the sibling arguments that
 * its validators name.
 */
export interface Attribute<V = unknown, M = unknown, N = unknown> {
  readonly kind: 'attribute';
  /** Never read. Makes the type error of an attribute inside `list`, `map` or `object` name the correct builders. */
  readonly type?: {
    readonly 'elements have no options; for attributes inside use listNested, setNested, mapNested or singleNested': never;
  };
  readonly definition: AttributeDefinition;
  readonly codec: Codec;
  /** computed, and may be null */
  readonly nullable?: boolean;
  /** default time-outs by operation, where this is the `timeouts` argument */
  readonly timeouts?: Readonly<Record<string, string>>;
  readonly [views]?: V;
  readonly [mode]?: M;
  readonly [names]?: N;
}

/**
 * A block type of a schema. `V` is the representation of its values, `N` the sibling arguments that its validators
 * name.
 */
export interface Block<V = unknown, N = unknown> {
  readonly kind: 'block';
  readonly definition: BlockDefinition;
  readonly codec: Codec;
  readonly timeouts?: Readonly<Record<string, string>>;
  readonly [views]?: V;
  readonly [names]?: N;
}

/** The views of an attribute or block. */
export type ViewsOf<T> = T extends { readonly [views]?: infer V extends Views } ? V : never;
/** The mode of an attribute. */
export type ModeOf<T> = T extends { readonly [mode]?: infer M } ? M : never;

/** The attributes of a type of values: `AttributeOf<typeof string, 'optional'>`. */
export type AttributeOf<T, M extends Mode, N extends string = never> =
  T extends ElementType<infer K, infer O> ? Attribute<PlainViews<K, O>, M, N> : never;

/** Arguments by name, whose validators refer to siblings out of `N` only. */
export type Attributes<N extends string = string> = Readonly<
  Record<string, Attribute<Views, Mode, N>>
>;
/** Blocks by name, whose validators refer to siblings out of `N` only. */
export type Blocks<N extends string = string> = Readonly<Record<string, Block<Views, N>>>;

/** A change of an argument, for conditions of replacement. */
export interface AttributeChange<K, O = K> {
  /** as written; null if omitted */
  readonly config: O | Unknown | null;
  readonly planned: O | Unknown | null;
  readonly prior: K | null;
}

/** Context of the plan modifier of an argument. */
export interface AttributePlan<K, O = K> extends AttributeChange<K, O> {
  readonly path: Path;
  /** the object is to be created */
  readonly isNew: boolean;
}

/** The result of a plan modifier; absent fields are unchanged. */
export interface AttributePlanAnswer<O> {
  readonly planned?: O | Unknown | null;
  readonly requiresReplace?: boolean;
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** The result of a validator: nothing, an error sentence, or diagnostics. */
export type Complaint = string | ProviderDiagnostic | readonly ProviderDiagnostic[] | undefined;

/** Returns true if two values are semantically equal. */
export type SemanticEquals<K> = (before: K, after: K) => boolean;

/** Options common to all attributes; `K` and `O` as in `ElementType`. */
export interface AttributeOptions<K, O = K> {
  /** has to be written */
  readonly required?: boolean;
  /** optional argument; null if absent, unless the provider computes it */
  readonly optional?: boolean;
  /** the provider computes the value if it is not configured */
  readonly computed?: boolean;
  /** computed, and the provider may return null */
  readonly nullable?: boolean;
  /**
   * planned if the argument is not configured; makes it optional and computed, unless `computed` alone is set.
   * `computed: false` makes it only optional, as defaults of providers with the older type system: see
   * `olderTypeSystem`
   */
  readonly default?: K;
  readonly sensitive?: boolean;
  /** never stored: handlers see it in `config` only */
  readonly writeOnly?: boolean;
  readonly description?: string;
  /** default: plain */
  readonly descriptionKind?: DescriptionKind;
  /** deprecation message; shown as a warning if the argument is configured */
  readonly deprecationMessage?: string;
  /** checks of known values that are not null, or predefined validators */
  readonly validators?: readonly (
    | ((value: K, at: { readonly path: Path }) => Complaint)
    | AttributeValidator<string>
  )[];
  /** in their order, after `useStateForUnknown` and before `requiresReplace` */
  readonly planModifiers?: readonly (
    | ((plan: AttributePlan<K, O>) => AttributePlanAnswer<O> | undefined)
    | PlanModifier
  )[];
  /** true if a computed value is kept in updates */
  readonly useStateForUnknown?: boolean;
  /** a change replaces the object: always, only where a value is written, or on a condition */
  readonly requiresReplace?:
    | boolean
    | 'if configured'
    | ((change: AttributeChange<K, O>) => boolean);
  /**
   * Returns true if two values are semantically equal. The prior value is then kept: neither the value that the
   * provider read or returned nor the configured value counts as changed. `in: 'results'` excludes configured values: a
   * plan then shows them as changed.
   */
  readonly semanticEquals?:
    | SemanticEquals<K>
    | { readonly equals: SemanticEquals<K>; readonly in: 'results' };
}

/** Additional options of strings. */
export interface StringOptions {
  /** Returns an error if a string does not have the format of the argument. In this case no other validator runs. */
  readonly format?: (text: string, path: Path) => ProviderDiagnostic | undefined;
}

/** The mode that options select. For options that exclude each other it is the reason, which no schema accepts. */
export type ModeOfOptions<O> = [ConflictIn<O>] extends [never] ? SelectedMode<O> : ConflictIn<O>;

/** Options that exclude each other, with the reason. `makeAttribute` rejects the same at run time. */
type ConflictIn<O> =
  | (O extends Yes<'required' | 'optional'> ? 'a required argument cannot be optional' : never)
  | (O extends Yes<'required' | 'computed'> ? 'a required argument cannot be computed' : never)
  | (O extends Yes<'required'> & HasDefault ? 'a required argument cannot have a default' : never)
  | (O extends Yes<'writeOnly' | 'computed'> ? 'a write-only argument cannot be computed' : never)
  | (O extends Yes<'writeOnly'> & HasDefault
      ? 'a write-only argument cannot have a default'
      : never)
  | (O extends Yes<'nullable'>
      ? O extends Yes<'computed'>
        ? never
        : 'only a computed argument can be nullable'
      : never);

type Yes<K extends string> = { readonly [P in K]: true };
type HasDefault = { readonly default: NonNullable<unknown> };

type SelectedMode<O> = O extends { readonly writeOnly: true }
  ? O extends { readonly required: true }
    ? 'write-only, required'
    : 'write-only, optional'
  : O extends { readonly required: true }
    ? 'required'
    : O extends { readonly default: NonNullable<unknown> }
      ? 'default'
      : O extends { readonly computed: true }
        ? ComputedMode<O>
        : O extends { readonly optional: true }
          ? 'optional'
          : 'say whether it is required, optional or computed';

type ComputedMode<O> = O extends { readonly optional: true }
  ? O extends { readonly nullable: true }
    ? 'optional, computed or null'
    : 'optional, computed'
  : O extends { readonly nullable: true }
    ? 'computed or null'
    : 'computed';

/** The neighbours that the validators of options name. */
export type NamesOf<O> = O extends { readonly validators: readonly (infer W)[] }
  ? W extends AttributeValidator<infer N>
    ? N
    : never
  : never;

/** Values of any type. */
export type DynamicValue = Value;
