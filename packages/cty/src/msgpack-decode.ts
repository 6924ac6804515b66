import { bool } from './constants.ts';
import { Bug } from './bug.ts';
import { CtyError, rethrowUnder } from './cty-error.ts';
import { parseJson } from './json-node.ts';
import { settledElement } from './json-parts.ts';
import { REFINED_EXTENSION, REFINEMENT_KEYS } from './msgpack-encode.ts';
import { MsgpackReader } from './msgpack-reader.ts';
import type { Num } from './number.ts';
import { parseNumber } from './number-text.ts';
import { attrStep, indexStep } from './path.ts';
import { unknownOf } from './refine.ts';
import { normalizeText } from './text.ts';
import { withoutOptional } from './object-type.ts';
import {
  type CollectionType,
  DYNAMIC,
  isCollection,
  NUMBER,
  type ObjectType,
  STRING,
  type TupleType,
  type Type,
} from './type.ts';
import { typeFromJson } from './type-json.ts';
import type { Bound, Refinement } from './unknown.ts';
import { nullOf, plainUnknown, type Value } from './value.ts';
import { double, integer, list, map, number, objectOf, set, str, tuple } from './values.ts';

const MAX_REFINEMENT_BYTES = 1024;

/**
 * Decodes a value of a type from MessagePack as {@link encodeMsgpack} and cty encode it. Integers, floats and decimal
 * strings are exact numbers; unknown values keep their refinements. Bytes after the value are ignored. Throws CtyError
 * with the path if the data does not fit the type.
 */
export function decodeMsgpack(bytes: Uint8Array, type: Type): Value {
  return read(new MsgpackReader(bytes), withoutOptional(type));
}

function read(reader: MsgpackReader, type: Type): Value {
  if (reader.isExtension()) return readUnknown(reader, type);
  if (type === DYNAMIC) return readDynamic(reader);
  if (reader.nil()) return nullOf(type);
  switch (type.kind) {
    case 'string': {
      const s = reader.string();
      if (s === undefined) throw new CtyError('string is required');
      return str(s);
    }
    case 'number':
      return readNumber(reader);
    case 'bool': {
      const b = reader.bool();
      if (b === undefined) throw new CtyError('bool is required');
      return bool(b);
    }
    case 'list':
    case 'set':
      return readSequence(reader, type);
    case 'map':
      return readMap(reader, type);
    case 'tuple':
      return readTuple(reader, type);
    case 'object':
      return readObject(reader, type);
    default:
      throw new CtyError(`unsupported type ${type.kind}`);
  }
}

function readNumber(reader: MsgpackReader): Value {
  const n = reader.integer();
  if (n !== undefined) {
    return integer(typeof n === 'bigint' || Number.isSafeInteger(n) ? n : BigInt(n));
  }
  const f = reader.float();
  if (f !== undefined) {
    if (Number.isNaN(f)) throw new CtyError('number is required');
    return double(f);
  }
  const text = reader.string();
  const parsed = text === undefined ? undefined : parseNumber(text);
  if (parsed === undefined) throw new CtyError('number is required');
  return number(parsed);
}

function readSequence(reader: MsgpackReader, type: CollectionType): Value {
  const length = reader.arrayLength();
  if (length === undefined) throw new CtyError(`a ${type.kind} is required`);
  const values: Value[] = [];
  try {
    while (values.length < length) values.push(read(reader, type.element));
  } catch (error) {
    rethrowUnder(error, indexStep(values.length));
  }
  const element = settledElement(type, values);
  return type.kind === 'set' ? set(element, values) : list(element, values);
}

function readMap(reader: MsgpackReader, type: CollectionType): Value {
  const length = reader.mapLength();
  if (length === undefined) throw new CtyError('a map is required');
  const entries: [string, Value][] = [];
  for (let i = 0; i < length; i++) {
    const key = reader.string();
    if (key === undefined) throw new CtyError('non-string key in map');
    try {
      entries.push([key, read(reader, type.element)]);
    } catch (error) {
      rethrowUnder(error, indexStep(key));
    }
  }
  const element = settledElement(
    type,
    entries.map((entry) => entry[1]),
  );
  return map(element, entries);
}

function readTuple(reader: MsgpackReader, type: TupleType): Value {
  const length = reader.arrayLength();
  if (length === undefined) throw new CtyError('a tuple is required');
  if (length !== type.elements.length) {
    throw new CtyError(`a tuple of length ${type.elements.length} is required`);
  }
  const values: Value[] = [];
  try {
    for (const element of type.elements) values.push(read(reader, element));
  } catch (error) {
    rethrowUnder(error, indexStep(values.length));
  }
  return tuple(values);
}

function readObject(reader: MsgpackReader, type: ObjectType): Value {
  const length = reader.mapLength();
  if (length === undefined) throw new CtyError('an object is required');
  if (length !== type.names.length) {
    throw new CtyError(
      `an object with ${type.names.length} attributes is required (${length} given)`,
    );
  }
  const values = new Array<Value>(length);
  let expected = 0;
  for (let n = 0; n < length; n++) {
    const key = reader.string();
    if (key === undefined) throw new CtyError('all keys must be strings');
    // Encoders write attributes in order, so the expected one usually matches.
    const i = type.names[expected] === key ? expected : attributeIndex(type, key);
    try {
      values[i] = read(reader, type.types[i] as Type);
    } catch (error) {
      rethrowUnder(error, attrStep(key));
    }
    expected = i + 1;
  }
  for (let i = 0; i < length; i++) values[i] ??= nullOf(type.types[i] as Type);
  return objectOf(type, values);
}

function attributeIndex(type: ObjectType, key: string): number {
  const i = type.indexOf(key) ?? type.indexOf(normalizeText(key));
  if (i === undefined) throw new CtyError('unsupported attribute', [attrStep(key)]);
  return i;
}

function readDynamic(reader: MsgpackReader): Value {
  if (reader.nil()) return nullOf(DYNAMIC);
  if (reader.arrayLength() !== 2) {
    throw new CtyError('dynamic value array must have exactly two elements');
  }
  const json = reader.string();
  if (json === undefined) throw new CtyError('dynamic value must begin with its type');
  return read(reader, typeFromJson(parseJson(json)));
}

function readUnknown(reader: MsgpackReader, type: Type): Value {
  const extension = reader.extension();
  if (extension === undefined) throw new Bug('no extension to read');
  if (extension.type !== REFINED_EXTENSION || extension.body.length === 0 || type === DYNAMIC) {
    return plainUnknown(type);
  }
  if (extension.body.length > MAX_REFINEMENT_BYTES) {
    throw new CtyError('oversize unknown value refinement');
  }
  const refinement = readRefinement(new MsgpackReader(extension.body), type);
  if (refinement === 'null') return nullOf(type);
  try {
    return unknownOf(type, refinement);
  } catch (error) {
    // Contradictions in input are errors of the input, not of this program.
    throw error instanceof Bug ? new CtyError(error.message) : error;
  }
}

/** Unknown keys come from a later version; they are ignored if their values can be skipped. */
function readRefinement(reader: MsgpackReader, type: Type): Refinement | 'null' {
  const length = reader.mapLength();
  if (length === undefined) throw malformedError('not a map');
  let refinement: Refinement = {};
  for (let n = 0; n < length; n++) {
    const key = reader.integer();
    if (key === undefined) throw malformedError('non-integer key in map');
    switch (key) {
      case REFINEMENT_KEYS.nullness: {
        const isNull = reader.bool();
        if (isNull === undefined) throw malformedError('null refinement is not boolean');
        if (isNull) return 'null';
        refinement = { ...refinement, notNull: true };
        break;
      }
      case REFINEMENT_KEYS.prefix:
        refinement = { ...refinement, prefix: readPrefix(reader, type) };
        break;
      case REFINEMENT_KEYS.min:
        refinement = { ...refinement, min: readBound(reader, type) };
        break;
      case REFINEMENT_KEYS.max:
        refinement = { ...refinement, max: readBound(reader, type) };
        break;
      case REFINEMENT_KEYS.minLength:
        refinement = { ...refinement, minLength: readLength(reader, type) };
        break;
      case REFINEMENT_KEYS.maxLength:
        refinement = { ...refinement, maxLength: readLength(reader, type) };
        break;
      default:
        return refinement;
    }
  }
  return refinement;
}

function malformedError(expected: string): CtyError {
  return new CtyError(`failed to decode msgpack extension body: ${expected}`);
}

function readPrefix(reader: MsgpackReader, type: Type): string {
  if (type !== STRING) throw malformedError('string prefix refinement for non-string type');
  const prefix = reader.string();
  if (prefix === undefined) throw malformedError('string prefix refinement is not string');
  return prefix;
}

function readLength(reader: MsgpackReader, type: Type): number {
  if (!isCollection(type))
    throw malformedError('length lower bound refinement for non-collection type');
  const length = reader.integer();
  if (length === undefined) {
    throw malformedError('length bound refinement must be integer or [integer, bool] array');
  }
  return Number(length);
}

function readBound(reader: MsgpackReader, type: Type): Bound {
  if (type !== NUMBER) throw malformedError('numeric bound refinement for non-number type');
  const malformedBound = malformedError('length bound refinement must be [number, bool] array');
  if (reader.arrayLength() !== 2) throw malformedBound;
  const value = readNumber(reader).payload as Num;
  const inclusive = reader.bool();
  if (inclusive === undefined) throw malformedBound;
  return { value, inclusive };
}
