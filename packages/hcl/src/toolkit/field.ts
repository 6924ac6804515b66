import {
  BOOL,
  DYNAMIC,
  listType,
  mapType,
  NUMBER,
  objectType,
  STRING,
  type Type,
} from '@terrane/cty';
import type { PlainValue } from './plain-value.ts';

declare const decoded: unique symbol;

/** The type of an attribute: `type` for the conversion by {@link decodeHcl}, `T` for the compiler. */
export interface FieldType<T> {
  readonly kind: 'attribute';
  readonly type: Type;
  readonly required: boolean;
  readonly fallback?: PlainValue;
  /** a phantom member, never set, that carries the type `T` */
  readonly [decoded]?: T;
}

/** Blocks of a type, decoded to `T`. */
export interface BlockField<T> {
  readonly kind: 'block';
  /** names of the properties that hold the labels */
  readonly labels: readonly string[];
  readonly fields: Fields;
  /** exactly one, at most one, or a list */
  readonly count: 'one' | 'optional' | 'many';
  /** a phantom member, never set, that carries the type `T` */
  readonly [decoded]?: T;
}

/** The fields of a body: attributes and blocks by name. */
export interface Fields {
  // The type of a field is irrelevant here, and no value of it is ever created.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly [name: string]: FieldType<any> | BlockField<any>;
}

/** The decoded type of a field. */
export type FieldValue<F> = F extends FieldType<infer T> | BlockField<infer T> ? T : never;

/** The decoded type of a body. */
export type Decoded<F extends Fields> = { [Name in keyof F]: FieldValue<F[Name]> };

/** A property for each label. */
export type LabelProperties<Labels extends readonly string[]> = {
  [Name in Labels[number]]: string;
};

function required<T>(type: Type): FieldType<T> {
  return { kind: 'attribute', type, required: true };
}

/** Options of a block, in addition to its fields. */
export interface BlockOptions<Labels extends readonly string[]> {
  /** names of the properties that hold the labels */
  readonly labels?: Labels;
}

/** The kinds of fields that {@link decodeHcl} knows. */
export interface FieldKinds {
  readonly string: FieldType<string>;
  readonly number: FieldType<number>;
  readonly bool: FieldType<boolean>;
  /** a value of any type, without conversion */
  readonly any: FieldType<PlainValue>;
  /** a list; sets and tuples are converted */
  list<T>(element: FieldType<T>): FieldType<T[]>;
  map<T>(element: FieldType<T>): FieldType<Record<string, T>>;
  /** an object value (`x = { … }`); missing optional fields are null */
  object<F extends Readonly<Record<string, FieldType<unknown>>>>(
    fields: F,
  ): FieldType<{ [Name in keyof F]: FieldValue<F[Name]> }>;
  /** may be missing or null: then `undefined` in bodies (null inside of objects), or the default value */
  optional<T>(field: FieldType<T>): FieldType<T | undefined>;
  optional<T>(field: FieldType<T>, fallback: T & PlainValue): FieldType<T>;
  /** exactly one block */
  block<F extends Fields, const L extends readonly string[] = readonly []>(
    fields: F,
    options?: BlockOptions<L>,
  ): BlockField<Decoded<F> & LabelProperties<L>>;
  /** a block or none */
  optionalBlock<F extends Fields, const L extends readonly string[] = readonly []>(
    fields: F,
    options?: BlockOptions<L>,
  ): BlockField<(Decoded<F> & LabelProperties<L>) | undefined>;
  /** any number of blocks, in order */
  blocks<F extends Fields, const L extends readonly string[] = readonly []>(
    fields: F,
    options?: BlockOptions<L>,
  ): BlockField<(Decoded<F> & LabelProperties<L>)[]>;
}

function optional<T>(field: FieldType<T>, fallback?: T & PlainValue): FieldType<T> {
  const { kind, type } = field;
  return { kind, type, required: false, ...(fallback === undefined ? {} : { fallback }) };
}

function blockField<T>(
  count: BlockField<T>['count'],
): (fields: Fields, options?: BlockOptions<readonly string[]>) => BlockField<T> {
  return (fields, options) => ({ kind: 'block', labels: options?.labels ?? [], fields, count });
}

/** Describes the fields that {@link decodeHcl} extracts from a body, and the type of the result. */
export const field: FieldKinds = {
  string: required(STRING),
  number: required(NUMBER),
  bool: required(BOOL),
  any: required(DYNAMIC),
  list: (element) => required(listType(element.type)),
  map: (element) => required(mapType(element.type)),
  object: (fields) => {
    const entries = Object.entries(fields);
    const types = new Map(entries.map(([name, field]) => [name, field.type]));
    const missing = entries.filter(([, field]) => !field.required).map(([name]) => name);
    return required(objectType(types, missing));
  },
  optional,
  block: blockField('one'),
  optionalBlock: blockField('optional'),
  blocks: blockField('many'),
};
