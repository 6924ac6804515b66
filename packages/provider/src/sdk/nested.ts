import { listType, mapType, setType } from '@terrane/cty';
import type { Type } from '@terrane/cty';
import { mapCodec, sequenceCodec } from './codec.ts';
import type { Codec } from './codec.ts';
import type { BlockDefinition } from './definition.ts';
import { descriptionOptions, makeAttribute, modifiersOf, validatorOf } from './make-attribute.ts';
import type { ErasedOptions } from './make-attribute.ts';
import { blockCodec, structCodec } from './struct-codec.ts';
import type {
  Attribute,
  AttributeOptions,
  Attributes,
  Block,
  Blocks,
  ModeOfOptions,
  NamesOf,
  Views,
} from './schema-types.ts';
import type { Unknown } from './unknown.ts';
import type { ObjectViews } from './views.ts';

/** The views of several objects in an array. */
export interface ManyViews<W extends Views> extends Views {
  readonly config: readonly (W['config'] | Unknown)[];
  readonly written: readonly W['written'][];
  readonly proposed: readonly (W['proposed'] | Unknown)[];
  readonly planned: readonly W['planned'][];
  readonly state: readonly W['state'][];
  readonly result: readonly W['result'][];
  readonly imported: readonly W['imported'][];
}

/** The views of several objects by name. */
export interface NamedViews<W extends Views> extends Views {
  readonly config: Readonly<Record<string, W['config'] | Unknown>>;
  readonly written: Readonly<Record<string, W['written']>>;
  readonly proposed: Readonly<Record<string, W['proposed'] | Unknown>>;
  readonly planned: Readonly<Record<string, W['planned']>>;
  readonly state: Readonly<Record<string, W['state']>>;
  readonly result: Readonly<Record<string, W['result']>>;
  readonly imported: Readonly<Record<string, W['imported']>>;
}

type Names<T> = Extract<keyof T, string>;
type OptionsFor<V extends Views> = AttributeOptions<V['state'], V['proposed']>;

/** An argument whose value is an object with its own arguments: `disk = { size = 1 }`. */
export function singleNested<
  A extends Attributes<Names<A>>,
  const P extends OptionsFor<ObjectViews<A>>,
>(attributes: A, options: P): Attribute<ObjectViews<A>, ModeOfOptions<P>, NamesOf<P>>;
export function singleNested(attributes: Attributes, options: ErasedOptions): Erased {
  return nested('single', attributes, options);
}

/** An argument whose value is a list of objects with their own arguments: `disks = [{ size = 1 }]`. */
export function listNested<
  A extends Attributes<Names<A>>,
  const P extends OptionsFor<ManyViews<ObjectViews<A>>>,
>(attributes: A, options: P): Attribute<ManyViews<ObjectViews<A>>, ModeOfOptions<P>, NamesOf<P>>;
export function listNested(attributes: Attributes, options: ErasedOptions): Erased {
  return nested('list', attributes, options);
}

/** Variant of `listNested` for an unordered set of objects. */
export function setNested<
  A extends Attributes<Names<A>>,
  const P extends OptionsFor<ManyViews<ObjectViews<A>>>,
>(attributes: A, options: P): Attribute<ManyViews<ObjectViews<A>>, ModeOfOptions<P>, NamesOf<P>>;
export function setNested(attributes: Attributes, options: ErasedOptions): Erased {
  return nested('set', attributes, options);
}

/** Variant of `listNested` for objects by name: `disks = { data = { size = 1 } }`. */
export function mapNested<
  A extends Attributes<Names<A>>,
  const P extends OptionsFor<NamedViews<ObjectViews<A>>>,
>(attributes: A, options: P): Attribute<NamedViews<ObjectViews<A>>, ModeOfOptions<P>, NamesOf<P>>;
export function mapNested(attributes: Attributes, options: ErasedOptions): Erased {
  return nested('map', attributes, options);
}

type Erased = Attribute<never, never, never>;
type Nesting = 'single' | 'list' | 'set' | 'map';

function nested(nesting: Nesting, attributes: Attributes, options: ErasedOptions): Erased {
  const struct = structCodec(attributes, {});
  const definitions = definitionsOf(attributes);
  return makeAttribute(collectionOf(nesting, struct), options, {
    nested: { nesting, attributes: definitions },
  });
}

function collectionOf(nesting: Nesting, struct: Codec): Codec {
  const of = (make: (element: Type) => ReturnType<typeof listType>) => make(struct.type);
  switch (nesting) {
    case 'single':
      return struct;
    case 'list':
      return sequenceCodec(of(listType), struct);
    case 'set':
      return sequenceCodec(of(setType), struct);
    case 'map':
      return mapCodec(of(mapType), struct);
  }
}

function definitionsOf<T>(
  parts: Readonly<Record<string, { readonly definition: T }>>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.definition]));
}

/** Options common to all block types; `K`: values as stored, `O`: values in a plan. */
export interface BlockOptions<K, O, B extends Blocks<Names<B>>> extends Pick<
  AttributeOptions<K, O>,
  | 'description'
  | 'descriptionKind'
  | 'deprecationMessage'
  | 'validators'
  | 'planModifiers'
  | 'requiresReplace'
> {
  /** blocks inside it */
  readonly blocks?: B;
}

interface Counted {
  /** lowest number of blocks */
  readonly minItems?: number;
  /** highest number of blocks */
  readonly maxItems?: number;
}

interface SingleViews<W extends Views> extends Views {
  readonly config: W['config'] | Unknown | null;
  readonly written: W['written'] | null;
  readonly proposed: W['proposed'] | Unknown | null;
  readonly planned: W['planned'] | null;
  readonly state: W['state'] | null;
  readonly result: W['result'] | null;
  readonly imported: W['imported'] | null;
}

interface OpenViews<W extends Views> extends Views {
  readonly config: W['config'] | Unknown;
  readonly written: W['written'];
  readonly proposed: W['proposed'] | Unknown;
  readonly planned: W['planned'];
  readonly state: W['state'];
  readonly result: W['result'];
  readonly imported: W['imported'];
}

/** A block that may occur once; null if absent, unless it is required. */
export function singleBlock<
  A extends Attributes<Names<A>>,
  B extends Blocks<Names<B>> = {},
  R extends boolean = false,
>(
  attributes: A,
  options?: BlockOptions<ObjectViews<A, B>['state'], ObjectViews<A, B>['proposed'], B> & {
    readonly required?: R;
  },
): Block<true extends R ? OpenViews<ObjectViews<A, B>> : SingleViews<ObjectViews<A, B>>, never>;
export function singleBlock(
  attributes: Attributes,
  options: ErasedBlockOptions & { readonly required?: boolean } = {},
): Block<never, never> {
  const counts = options.required === true ? { minItems: 1, maxItems: 1 } : {};
  return block('single', attributes, { ...options, ...counts });
}

/** A block that may occur once; if absent, it counts as present and empty. */
export function groupBlock<A extends Attributes<Names<A>>, B extends Blocks<Names<B>> = {}>(
  attributes: A,
  options?: BlockOptions<ObjectViews<A, B>['state'], ObjectViews<A, B>['proposed'], B>,
): Block<OpenViews<ObjectViews<A, B>>, never>;
export function groupBlock(
  attributes: Attributes,
  options?: ErasedBlockOptions,
): Block<never, never> {
  return block('group', attributes, options);
}

type Many<A, B> = OpenViews<ManyViews<ObjectViews<A, B>>>;

/** The result type of `listBlock` and `setBlock`, for signatures. */
export type ManyBlockOf<A, B = {}> = Block<Many<A, B>, never>;
type ManyOptions<A, B extends Blocks<Names<B>>> = BlockOptions<
  ManyViews<ObjectViews<A, B>>['state'],
  ManyViews<ObjectViews<A, B>>['proposed'],
  B
> &
  Counted;

/** Blocks in order. */
export function listBlock<A extends Attributes<Names<A>>, B extends Blocks<Names<B>> = {}>(
  attributes: A,
  options?: ManyOptions<A, B>,
): Block<Many<A, B>, never>;
export function listBlock(
  attributes: Attributes,
  options?: ErasedBlockOptions,
): Block<never, never> {
  return block('list', attributes, options);
}

/** Different blocks in no order. */
export function setBlock<A extends Attributes<Names<A>>, B extends Blocks<Names<B>> = {}>(
  attributes: A,
  options?: ManyOptions<A, B>,
): Block<Many<A, B>, never>;
export function setBlock(
  attributes: Attributes,
  options?: ErasedBlockOptions,
): Block<never, never> {
  return block('set', attributes, options);
}

/** Blocks by their label. */
export function mapBlock<A extends Attributes<Names<A>>, B extends Blocks<Names<B>> = {}>(
  attributes: A,
  options?: BlockOptions<
    NamedViews<ObjectViews<A, B>>['state'],
    NamedViews<ObjectViews<A, B>>['proposed'],
    B
  > &
    Counted,
): Block<OpenViews<NamedViews<ObjectViews<A, B>>>, never>;
export function mapBlock(
  attributes: Attributes,
  options?: ErasedBlockOptions,
): Block<never, never> {
  return block('map', attributes, options);
}

/** Options of a block type of any kind. */
export interface ErasedBlockOptions
  extends
    Pick<
      ErasedOptions,
      | 'description'
      | 'descriptionKind'
      | 'deprecationMessage'
      | 'validators'
      | 'planModifiers'
      | 'requiresReplace'
    >,
    Counted {
  readonly blocks?: Blocks;
}

/** Creates a block type. */
export function block(
  nesting: BlockDefinition['nesting'],
  attributes: Attributes,
  options: ErasedBlockOptions = {},
): Block<never, never> {
  const { blocks = {}, minItems, maxItems } = options;
  const codec = blockCodec(nesting, structCodec(attributes, blocks));
  const validators = (options.validators ?? []).map((v) => validatorOf(codec, v));
  const modifiers = modifiersOf(codec, options);
  const definition: BlockDefinition = {
    nesting,
    attributes: definitionsOf(attributes),
    blocks: definitionsOf(blocks),
    ...descriptionOptions(options),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(validators.length > 0 && { validators }),
    ...(modifiers.length > 0 && { modifiers }),
  };
  return { kind: 'block', definition, codec };
}
