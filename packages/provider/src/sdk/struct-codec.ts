import {
  DYNAMIC,
  hasDynamic,
  listType,
  mapType,
  object,
  objectOf,
  objectType,
  setType,
  tuple,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import {
  isRecord,
  mapCodec,
  mismatch,
  readWith,
  remember,
  sequenceCodec,
  writeWith,
} from './codec.ts';
import type { Codec } from './codec.ts';
import { ownPart, readParts, refuseExcess, within } from './object-codec.ts';
import type { Field } from './object-codec.ts';
import type { AnyPart } from './views.ts';

/** Objects with a schema, represented as frozen records; attributes may be null according to the schema. */
export function structCodec(
  attributes: Readonly<Record<string, AnyPart>>,
  blocks: Readonly<Record<string, AnyPart>>,
): Codec & { readonly fields: readonly Field[] } {
  const parts = new Map(Object.entries({ ...attributes, ...blocks }));
  const type = objectType(new Map([...parts].map(([name, { codec }]) => [name, codec.type])));
  const fields = type.names.flatMap((name) => {
    const part = parts.get(name);
    return part === undefined ? [] : [{ name, codec: part.codec, isSensitive: isSensitive(part) }];
  });
  return {
    type,
    fields,
    nullable: false,
    // Each part of the schema is checked separately.
    nullInside: undefined,
    read: (v) => remember(readParts(fields, v), v),
    write: (x) => {
      if (!isRecord(x)) return mismatch('an object', x);
      refuseExcess(type, x);
      const values = fields.map((field) =>
        within(field, () => writeWith(field.codec, ownPart(x, field.name))),
      );
      return objectOf(type, values);
    },
    // The walk over the schema handles semantic equality.
    keep: undefined,
  };
}

function isSensitive(part: AnyPart): boolean {
  if (part.kind === 'block') return false;
  const { sensitive, writeOnly } = part.definition;
  return sensitive === true || writeOnly === true;
}

/** Blocks of a type, from the codec of one of them. */
export function blockCodec(
  nesting: 'single' | 'group' | 'list' | 'set' | 'map',
  struct: Codec,
): Codec {
  const differ = hasDynamic(struct.type);
  switch (nesting) {
    case 'single':
      return struct;
    case 'group':
      return { ...struct, absent: struct.write({}) };
    case 'set':
      return emptyWhereAbsent(sequenceCodec(setType(struct.type), struct), []);
    case 'list':
      return emptyWhereAbsent(
        differ ? tupleCodec(struct) : sequenceCodec(listType(struct.type), struct),
        [],
      );
    case 'map':
      return emptyWhereAbsent(
        differ ? labelledCodec(struct) : mapCodec(mapType(struct.type), struct),
        {},
      );
  }
}

function emptyWhereAbsent(codec: Codec, empty: object): Codec {
  return { ...codec, nullInside: undefined, absent: codec.write(empty) };
}

/** Lists of blocks whose values differ in type: with a nested argument of any type. */
function tupleCodec(struct: Codec): Codec {
  return {
    type: DYNAMIC,
    nullable: false,
    nullInside: undefined,
    read: (v) =>
      remember(
        v.elements().map((element) => readWith(struct, element)),
        v,
      ),
    write: (x) => {
      if (!Array.isArray(x)) return mismatch('an array', x);
      return tuple(x.map((element: unknown) => writeWith(struct, element)));
    },
    keep: undefined,
  };
}

function labelledCodec(struct: Codec): Codec {
  const read = ([key, value]: readonly [Value, Value]) =>
    [key.asString(), readWith(struct, value)] as const;
  return {
    type: DYNAMIC,
    nullable: false,
    nullInside: undefined,
    read: (v) => remember(Object.fromEntries(v.entries().map(read)), v),
    write: (x) => {
      if (!isRecord(x)) return mismatch('an object', x);
      const entries = Object.entries(x).map(
        ([key, value]) => [key, writeWith(struct, value)] as const,
      );
      return object(new Map(entries));
    },
    keep: undefined,
  };
}
