import { BOOL, DYNAMIC, listType, mapType, NUMBER, setType, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { makeAttribute } from './make-attribute.ts';
import type { ErasedOptions } from './make-attribute.ts';
import {
  bigintCodec,
  boolCodec,
  decimalCodec,
  dynamicCodec,
  mapCodec,
  nullableCodec,
  numberCodec,
  sequenceCodec,
  stringCodec,
} from './codec.ts';
import type { Codec } from './codec.ts';
import { objectCodec } from './object-codec.ts';
import { tupleCodec } from './tuple-codec.ts';
import type {
  Attribute,
  AttributeOptions,
  ElementType,
  ModeOfOptions,
  NamesOf,
  PlainViews,
  StringOptions,
} from './schema-types.ts';
import type { Unknown } from './unknown.ts';

/** A type of values (`map(string)`) that also creates attributes of this type: `string({ required: true })`. */
export interface Builder<K, O = K, X = unknown> extends ElementType<K, O> {
  <const Options extends AttributeOptions<K, O> & X>(
    options: Options,
  ): Attribute<PlainViews<K, O>, ModeOfOptions<Options>, NamesOf<Options>>;
}

function builder<K, O, X>(
  codec: Codec,
  extra: { readonly integer?: boolean } = {},
): Builder<K, O, X> {
  const make = <const Options extends AttributeOptions<K, O> & X>(
    options: Options,
  ): Attribute<PlainViews<K, O>, ModeOfOptions<Options>, NamesOf<Options>> =>
    makeAttribute(codec, options, extra);
  return Object.assign(make, { type: codec.type, codec });
}

/** Options common to all attributes of a custom type. */
export interface TypeBehaviour<K> extends StringOptions {
  /** as of `AttributeOptions` */
  readonly semanticEquals?: NonNullable<AttributeOptions<K>['semanticEquals']>;
}

/**
 * A type of the author's own: the values of another one, with a format and a meaning.
 *
 * ```ts
 * const policy = customType(string, { semanticEquals: sameJson });
 * ```
 */
export function customType<K, O, X>(
  of: Builder<K, O, X>,
  behaviour: TypeBehaviour<NoInfer<K>>,
): Builder<K, O, X> {
  const { definition } = makeAttribute(of.codec, behaviour);
  const { keep } = definition;
  const codec = keep === undefined ? of.codec : { ...of.codec, keep };
  const make = <const Options extends AttributeOptions<K, O> & X>(
    options: Options,
  ): Attribute<PlainViews<K, O>, ModeOfOptions<Options>, NamesOf<Options>> =>
    makeAttribute(of.codec, { ...behaviour, ...options });
  return Object.assign(make, { type: codec.type, codec });
}

/** Text. */
export const string: Builder<string, string, StringOptions> = builder(stringCodec(STRING));

/** `true` or `false`. */
export const bool: Builder<boolean> = builder(boolCodec(BOOL));

/** A number; integers beyond 2^53 are rejected, so that none loses digits: see `decimal`. */
export const number: Builder<number> = builder(numberCodec(NUMBER));

/** An integer up to 2^53; see `bigInt64` for larger ones. */
export const int64: Builder<number> = builder(numberCodec(NUMBER), { integer: true });

/** An integer of 64 bits as bigint. */
export const bigInt64: Builder<bigint> = builder(bigintCodec(NUMBER), { integer: true });

/** A number of any size and precision as decimal text: "12345678901234567890.5". */
export const decimal: Builder<string> = builder(decimalCodec(NUMBER));

/** A value of any type, as `Value`, which may be null or contain unknown parts. */
export const dynamic: Builder<Value> = builder(dynamicCodec(DYNAMIC));

/** Allows null elements: `list(nullable(string))`. Without it, they are rejected. */
export function nullable<K, O>(of: ElementType<K, O>): ElementType<K | null, O | null> {
  return { type: of.type, codec: nullableCodec(of.codec) };
}

/** Elements with custom equality: `set(meaning(string, ignoreCase))`. */
export function meaning<K, O>(
  of: ElementType<K, O>,
  equals: (before: NoInfer<K>, after: NoInfer<K>) => boolean,
): ElementType<K, O> {
  const { codec } = of;
  // The codec reads values of the declared type.
  const read = (v: Value): K => codec.read(v) as K;
  const keep: Codec['keep'] = (before, after) =>
    equals(read(before), read(after)) ? before : after;
  return { type: of.type, codec: { ...codec, keep } };
}

/** A type of maps, for signatures: `MapOf<string | null>`. */
export type MapOf<K, O = K> = ElementType<Dictionary<K>, OpenDictionary<O>>;
/** A type of lists or sets, for signatures. */
export type SequenceOf<K, O = K> = ElementType<Sequence<K>, OpenSequence<O>>;

type Sequence<K> = readonly K[];
type OpenSequence<O> = readonly (O | Unknown)[];
type Dictionary<K> = Readonly<Record<string, K>>;
type OpenDictionary<O> = Readonly<Record<string, O | Unknown>>;

/** Elements in order, as arrays. */
export function list<K, O>(of: ElementType<K, O>): ElementType<Sequence<K>, OpenSequence<O>>;
export function list<K, O, const P extends AttributeOptions<Sequence<K>, OpenSequence<O>>>(
  of: ElementType<K, O>,
  options: P,
): Attribute<PlainViews<Sequence<K>, OpenSequence<O>>, ModeOfOptions<P>, NamesOf<P>>;
export function list(of: ElementType, options?: ErasedOptions): Made {
  return makeAttributeOrElement(sequenceCodec(listType(element(of).type), of.codec), options);
}

/** Unordered distinct elements, represented as arrays. */
export function set<K, O>(of: ElementType<K, O>): ElementType<Sequence<K>, OpenSequence<O>>;
export function set<K, O, const P extends AttributeOptions<Sequence<K>, OpenSequence<O>>>(
  of: ElementType<K, O>,
  options: P,
): Attribute<PlainViews<Sequence<K>, OpenSequence<O>>, ModeOfOptions<P>, NamesOf<P>>;
export function set(of: ElementType, options?: ErasedOptions): Made {
  return makeAttributeOrElement(sequenceCodec(setType(element(of).type), of.codec), options);
}

/** Elements by name, as records. */
export function map<K, O>(of: ElementType<K, O>): ElementType<Dictionary<K>, OpenDictionary<O>>;
export function map<K, O, const P extends AttributeOptions<Dictionary<K>, OpenDictionary<O>>>(
  of: ElementType<K, O>,
  options: P,
): Attribute<PlainViews<Dictionary<K>, OpenDictionary<O>>, ModeOfOptions<P>, NamesOf<P>>;
export function map(of: ElementType, options?: ErasedOptions): Made {
  return makeAttributeOrElement(mapCodec(mapType(element(of).type), of.codec), options);
}

/** The types of the parts of an object. */
export type Parts = Readonly<Record<string, ElementType>>;
type KnownParts<P> = {
  readonly [N in keyof P]: P[N] extends ElementType<infer K> ? K : never;
};
type OpenParts<P> = {
  readonly [N in keyof P]: P[N] extends ElementType<unknown, infer O> ? O | Unknown : never;
};

/**
 * A value with named parts, all of which must be written: `object({ host: string, port: int64 })`. For optional or
 * computed parts, see `singleNested`.
 */
export function object<const P extends Parts>(parts: P): ElementType<KnownParts<P>, OpenParts<P>>;
export function object<
  const P extends Parts,
  const Options extends AttributeOptions<KnownParts<P>, OpenParts<P>>,
>(
  parts: P,
  options: Options,
): Attribute<PlainViews<KnownParts<P>, OpenParts<P>>, ModeOfOptions<Options>, NamesOf<Options>>;
export function object(parts: Parts, options?: ErasedOptions): Made {
  const entries = Object.entries(parts).map(([name, part]) => [name, element(part).codec] as const);
  return makeAttributeOrElement(objectCodec(new Map(entries)), options);
}

/** The types of the elements of a tuple. */
export type TupleParts = readonly ElementType[];
type KnownElements<P extends TupleParts> = {
  readonly [I in keyof P]: P[I] extends ElementType<infer K> ? K : never;
};
type OpenElements<P extends TupleParts> = {
  readonly [I in keyof P]: P[I] extends ElementType<unknown, infer O> ? O | Unknown : never;
};

/** Elements of different types by position, as an array: `tuple([string, number])`. */
export function tuple<const P extends TupleParts>(
  parts: P,
): ElementType<KnownElements<P>, OpenElements<P>>;
export function tuple<
  const P extends TupleParts,
  const Options extends AttributeOptions<KnownElements<P>, OpenElements<P>>,
>(
  parts: P,
  options: Options,
): Attribute<
  PlainViews<KnownElements<P>, OpenElements<P>>,
  ModeOfOptions<Options>,
  NamesOf<Options>
>;
export function tuple(parts: TupleParts, options?: ErasedOptions): Made {
  return makeAttributeOrElement(tupleCodec(parts.map((part) => element(part).codec)), options);
}

/** Returns an element type; rejects attributes, for authors without a type checker. */
function element(of: ElementType): ElementType {
  if ('definition' in of) {
    throw new TypeError(
      'elements have no options; for attributes inside use listNested, setNested, mapNested or singleNested',
    );
  }
  return of;
}

/** The erased result type of the builders. */
type Made = ElementType<never, never> & Attribute<never, never, never>;

/** Creates an attribute if there are options, otherwise only an element type. */
function makeAttributeOrElement(codec: Codec, options: ErasedOptions | undefined): Made {
  const element = { type: codec.type, codec };
  // The signature without options only promises a type.
  return (
    options === undefined ? element : { ...makeAttribute(codec, options), ...element }
  ) as Made;
}
