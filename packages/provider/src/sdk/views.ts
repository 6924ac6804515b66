import type { Value } from '@terrane/cty';
import type { Attribute, Block, Mode, ModeOf, Views, ViewsOf } from './schema-types.ts';
import type { Deferral, Gone, ImportedOther, ToBeRead } from './outcomes.ts';
import type { Unknown } from './unknown.ts';

// The representations of a schema's objects for handlers, one mapped type for each context.

type Simplify<T> = { [K in keyof T]: T[K] } & {};

type ComputedMode =
  | 'computed'
  | 'computed or null'
  | 'optional, computed'
  | 'optional, computed or null';
type NullableMode = 'optional' | 'computed or null' | 'optional, computed or null' | 'timeouts';
type WriteOnlyMode = 'write-only, required' | 'write-only, optional';

type ConfigValue<V extends Views, M> = M extends 'required' | 'write-only, required'
  ? V['config'] | Unknown
  : M extends 'computed' | 'computed or null'
    ? null
    : V['config'] | Unknown | null;

type WrittenValue<V extends Views, M> = M extends 'required' | 'write-only, required'
  ? V['written']
  : M extends 'computed' | 'computed or null'
    ? null
    : V['written'] | null;

type ProposedValue<V extends Views, M> = M extends WriteOnlyMode
  ? null
  : M extends NullableMode
    ? V['proposed'] | Unknown | null
    : V['proposed'] | Unknown;

type PlannedValue<V extends Views, M> = M extends WriteOnlyMode
  ? null
  : M extends ComputedMode
    ? V['proposed'] | Unknown | (M extends NullableMode ? null : never)
    : M extends NullableMode
      ? V['planned'] | null
      : V['planned'];

type StateValue<V extends Views, M> = M extends WriteOnlyMode
  ? null
  : M extends NullableMode
    ? V['state'] | null
    : V['state'];

type ResultValue<V extends Views, M> = M extends WriteOnlyMode
  ? null
  : M extends NullableMode
    ? V['result'] | null
    : V['result'];

type ImportedValue<V extends Views, M> = M extends WriteOnlyMode
  ? null
  : M extends NullableMode
    ? V['imported'] | null
    : V['imported'];

type KeysWith<A, M> = {
  [K in keyof A]: A[K] extends Attribute ? (ModeOf<A[K]> extends M ? K : never) : never;
}[keyof A];

type BlockPart<B, P extends keyof Views> = { readonly [K in keyof B]: ViewsOf<B[K]>[P] };

/** The configuration in which any value may be unknown. */
export type ConfigOf<A, B = {}> = Simplify<
  { readonly [K in keyof A]: ConfigValue<ViewsOf<A[K]>, ModeOf<A[K]>> } & BlockPart<B, 'config'>
>;

/** The configuration with all values known. */
export type WrittenOf<A, B = {}> = Simplify<
  { readonly [K in keyof A]: WrittenValue<ViewsOf<A[K]>, ModeOf<A[K]>> } & BlockPart<B, 'written'>
>;

/** A plan under construction. */
export type ProposedOf<A, B = {}> = Simplify<
  { readonly [K in keyof A]: ProposedValue<ViewsOf<A[K]>, ModeOf<A[K]>> } & BlockPart<B, 'proposed'>
>;

/** A plan that is being carried out. */
export type PlannedOf<A, B = {}> = Simplify<
  { readonly [K in keyof A]: PlannedValue<ViewsOf<A[K]>, ModeOf<A[K]>> } & BlockPart<B, 'planned'>
>;

/** The stored object. */
export type StateOf<A, B = {}> = Simplify<
  { readonly [K in keyof A]: StateValue<ViewsOf<A[K]>, ModeOf<A[K]>> } & BlockPart<B, 'state'>
>;

type LeftOutOfResults = WriteOnlyMode | 'timeouts';

/** The object that a handler returns to be stored. Write-only arguments and time-outs may be omitted. */
export type ResultOf<A, B = {}> = Simplify<
  {
    readonly [K in Exclude<keyof A, KeysWith<A, LeftOutOfResults>>]: ResultValue<
      ViewsOf<A[K]>,
      ModeOf<A[K]>
    >;
  } & {
    readonly [K in KeysWith<A, LeftOutOfResults>]?: ResultValue<ViewsOf<A[K]>, ModeOf<A[K]>>;
  } & BlockPart<B, 'result'>
>;

type LeftOutOfImports = WriteOnlyMode | NullableMode;
type BlocksLeftOut<B> = {
  [K in keyof B]: [] extends ViewsOf<B[K]>['imported']
    ? K
    : null extends ViewsOf<B[K]>['imported']
      ? K
      : never;
}[keyof B];

/** The object that an import returns; nullable arguments and blocks may be absent. */
export type ImportedOf<A, B = {}> = Simplify<
  {
    readonly [K in Exclude<keyof A, KeysWith<A, LeftOutOfImports>>]: ImportedValue<
      ViewsOf<A[K]>,
      ModeOf<A[K]>
    >;
  } & {
    readonly [K in KeysWith<A, LeftOutOfImports>]?: ImportedValue<ViewsOf<A[K]>, ModeOf<A[K]>>;
  } & { readonly [K in Exclude<keyof B, BlocksLeftOut<B>>]: ViewsOf<B[K]>['imported'] } & {
    readonly [K in BlocksLeftOut<B>]?: ViewsOf<B[K]>['imported'];
  }
>;

/** All views of the objects of a schema. */
export interface ObjectViews<A, B = {}> extends Views {
  readonly config: ConfigOf<A, B>;
  readonly written: WrittenOf<A, B>;
  readonly proposed: ProposedOf<A, B>;
  readonly planned: PlannedOf<A, B>;
  readonly state: StateOf<A, B>;
  readonly result: ResultOf<A, B>;
  readonly imported: ImportedOf<A, B>;
}

type Leaf =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | void
  | Value
  | Unknown
  | Gone
  | Deferral
  | ImportedOther;

type Steps<S> = S extends Leaf
  ? never
  : S extends readonly (infer E)[]
    ? readonly [number] | readonly [number, ...Steps<E>]
    : string extends keyof S
      ? readonly [string] | readonly [string, ...Steps<S[string & keyof S]>]
      : {
          [K in keyof S & string]: readonly [K] | readonly [K, ...Steps<S[K]>];
        }[keyof S & string];

/**
 * A path in an object: the name of one of its arguments, or a sequence of steps: `['disks', 0, 'size']`. `S` is the
 * stored object.
 */
export type PathIn<S> = (keyof S & string) | Steps<S>;

type KeysOfEach<S> = S extends unknown ? keyof S : never;
type PartOfEach<S, K> = S extends unknown ? (K extends keyof S ? S[K] : never) : never;
type ElementOfEach<S> = S extends readonly (infer E)[] ? E : never;

// `any`, as parsed JSON is, has every name. It is checked when the handler returns it.
type IsAny<T> = 0 extends 1 & T ? true : false;

type ExcessIn<R, S> = IsAny<R> extends true ? never : R extends Leaf ? never : ExcessInObject<R, S>;

type ExcessInObject<R, S> = R extends readonly (infer E)[]
  ? ExcessIn<E, ElementOfEach<S>>
  : R extends object
    ? {
        [K in keyof R]-?: K extends KeysOfEach<S> ? ExcessIn<R[K], PartOfEach<S, K>> : K;
      }[keyof R]
    : never;

/** The names in a handler's result `R` (or a promise of it), at any depth, that `S` does not have. */
export type Excess<R, S> = ExcessIn<Awaited<R>, S>;

/** Rejects results with names that `S` does not have. */
export type Exactly<R, S> = [Excess<R, S>] extends [never]
  ? unknown
  : {
      readonly 'the schema has no such attribute: remove it from the result, or add it to the schema': Excess<
        R,
        S
      >;
    };

type ExcessInOne<R, S> = R extends ToBeRead<infer O> ? ExcessIn<O, S> : ExcessIn<R, S>;
type ExcessInEach<R, S> = R extends readonly (infer E)[] ? ExcessInOne<E, S> : ExcessInOne<R, S>;

/** Rejects results, or elements of results that are arrays, with names that `S` does not have. */
export type ExactlyEach<R, S> = [ExcessInEach<Awaited<R>, S>] extends [never]
  ? unknown
  : {
      readonly 'the schema has no such attribute: remove it from the result, or add it to the schema': ExcessInEach<
        Awaited<R>,
        S
      >;
    };

// `unknown` and `any`, as parsed JSON is, are checked when the handler returns them.
type IsUntyped<T> = unknown extends T ? true : false;

/** An object whose attributes of type `unknown` have the type that the schema demands. */
type WithUntyped<R, S> = R extends Leaf | readonly unknown[]
  ? R
  : R extends object
    ? { [K in keyof R]: unknown extends R[K] ? (K extends keyof S ? S[K] : R[K]) : R[K] }
    : R;

/**
 * Accepts a handler's answer `R` that has the attributes `S`, is one of the outcomes `O`, or is untyped. For others it is
 * a type whose only property says what to change.
 */
export type Answer<R, S, O = never> =
  IsUntyped<Awaited<R>> extends true
    ? unknown
    : [WithUntyped<Awaited<R>, S>] extends [S | O]
      ? Exactly<R, S>
      : MismatchIn<Exclude<WithUntyped<Awaited<R>, S>, O>, S>;

/** {@link Answer} for imports, whose answers may be arrays and parts of objects. `F`: all that is accepted. */
export type ImportAnswer<R, S, F> =
  IsUntyped<Awaited<R>> extends true
    ? unknown
    : [Awaited<R>] extends [F]
      ? ExactlyEach<R, S>
      : MismatchIn<Exclude<Awaited<R>, F>, S>;

type RequiredIn<S> = { [K in keyof S]-?: {} extends Pick<S, K> ? never : K }[keyof S];

type MisfitsIn<R, S> = {
  [K in keyof R & keyof S]-?: [R[K]] extends [S[K]] ? never : K;
}[keyof R & keyof S];

type MisfitsFor<R, S, N> = {
  [K in MisfitsIn<R, S>]: [Extract<R[K], N>] extends [never]
    ? never
    : [Exclude<R[K], N>] extends [S[K]]
      ? K
      : never;
}[MisfitsIn<R, S>];

type MismatchIn<R, S> = R extends Leaf | readonly unknown[]
  ? { readonly 'the result must be an object with the attributes of the schema': S }
  : [R] extends [S]
    ? never
    : MismatchOf<R, S>;

type MismatchOf<R, S> = [Exclude<RequiredIn<S>, keyof R>] extends [never]
  ? [Excess<R, S>] extends [never]
    ? MisfitOf<R, S>
    : Exactly<R, S>
  : {
      readonly 'the result lacks an attribute of the schema: add it, for example with { ...plan, name: value }': Exclude<
        RequiredIn<S>,
        keyof R
      >;
    };

type MisfitOf<R, S> = [MisfitsFor<R, S, Unknown>] extends [never]
  ? [MisfitsFor<R, S, null | undefined>] extends [never]
    ? {
        readonly 'the attribute has another type in the schema: convert the value, or change the schema': {
          readonly [K in MisfitsIn<R, S>]: S[K];
        };
      }
    : {
        readonly 'the attribute may be null or undefined here: return a value, or make the attribute optional or nullable': MisfitsFor<
          R,
          S,
          null | undefined
        >;
      }
  : {
      readonly 'the attribute may be unknown here: return a known value, such as one of the response or of state': MisfitsFor<
        R,
        S,
        Unknown
      >;
    };

/** An attribute or block of any kind. */
export type AnyPart = Attribute<Views, Mode, string> | Block<Views, string>;
