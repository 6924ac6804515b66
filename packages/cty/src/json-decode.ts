import { CtyError, rethrowUnder } from './cty-error.ts';
import { isJsonNumber, type JsonNode, parseJson } from './json-node.ts';
import {
  attributeIndex,
  elementStep,
  mapOfEntries,
  primitiveFromBool,
  primitiveFromNumber,
  primitiveFromText,
  sequence,
  typeOfDynamic,
  withNulls,
} from './json-parts.ts';
import { JsonReader } from './json-reader.ts';
import { templatesOf } from './json-template.ts';
import { attrStep, indexStep } from './path.ts';
import { quoteText } from './text.ts';
import { withoutOptional } from './object-type.ts';
import {
  type CollectionType,
  type ObjectType,
  type PrimitiveType,
  STRING,
  type TupleType,
  type Type,
} from './type.ts';
import { nullOf, type Value } from './value.ts';
import { objectOf, str, tuple } from './values.ts';

/**
 * Decodes JSON to a value of a type. Numbers are exact. Strings that contain numbers or bools are converted to these
 * types if required, and vice versa; missing attributes are null. If the type is dynamic, the JSON must contain the
 * type, as {@link valueToJson} writes it. Throws CtyError with the path for other mismatches. A string argument is JSON
 * text; text after the first value is ignored.
 */
export function valueFromJson(json: string | JsonNode, type: Type): Value {
  const plain = withoutOptional(type);
  if (typeof json !== 'string') return fromNode(json, plain);
  if (plain.kind !== 'object') return readValue(new JsonReader(json), plain);
  const value = readText(json, plain);
  decodedJson = json;
  decodedType = type;
  decodedValue = value;
  return value;
}

function readText(json: string, type: ObjectType): Value {
  const templates = templatesOf(type);
  const known = templates.read(json);
  if (known !== undefined) return known;
  const value = readValue(new JsonReader(json), type);
  templates.add(json);
  return value;
}

/** A text from which {@link valueFromJson} decodes a value, and the type to decode it by. */
export interface JsonSource {
  readonly json: string;
  readonly type: Type;
}

// Three variables instead of an object, which would be created for each stored object.
let decodedJson = '';
let decodedType: Type | undefined;
let decodedValue: Value | undefined;

/**
 * Returns the text that the last call of {@link valueFromJson} with the text of an object decoded, if its result was
 * exactly this value; undefined for all other values. Whoever retains many values can retain their texts instead.
 */
export function jsonSourceOf(value: Value): JsonSource | undefined {
  return value === decodedValue && decodedType !== undefined
    ? { json: decodedJson, type: decodedType }
    : undefined;
}

/** Variant of {@link valueFromJson} for parsed data, in which a string is a JSON string and not text to be parsed. */
export function valueFromJsonNode(node: JsonNode, type: Type): Value {
  return fromNode(node, withoutOptional(type));
}

// ---- decoding from text, without an intermediate representation ----

function readValue(reader: JsonReader, type: Type): Value {
  const unit = reader.peek();
  if (unit === 0x6e) {
    reader.readLiteral('null');
    return nullOf(type);
  }
  switch (type.kind) {
    case 'list':
    case 'set':
      return readSequence(reader, type, unit);
    case 'map':
      return readMap(reader, type, unit);
    case 'tuple':
      return readTuple(reader, type, unit);
    case 'object':
      return readObject(reader, type, unit);
    case 'dynamic':
      return readDynamic(reader, unit);
    case 'capsule':
      throw unsupportedTypeError(type);
    default:
      return readPrimitive(reader, type, unit);
  }
}

function readPrimitive(reader: JsonReader, type: PrimitiveType, unit: number): Value {
  if (unit === 0x22) return primitiveFromText(reader.readString(), type);
  if (unit === 0x7b || unit === 0x5b) throw new CtyError(`${type.kind} is required`);
  const scalar = reader.readScalar();
  if (scalar === null) return nullOf(type);
  return typeof scalar === 'boolean'
    ? primitiveFromBool(scalar, type)
    : primitiveFromNumber(scalar.number, type);
}

function readSequence(reader: JsonReader, type: CollectionType, unit: number): Value {
  if (unit !== 0x5b) throw new CtyError('missing expected [');
  const values: Value[] = [];
  reader.open();
  try {
    while (reader.nextElement(values.length === 0)) values.push(readValue(reader, type.element));
  } catch (error) {
    rethrowUnder(error, elementStep(type, values.length));
  }
  return sequence(type, values);
}

function readMap(reader: JsonReader, type: CollectionType, unit: number): Value {
  if (unit !== 0x7b) throw new CtyError('missing expected {');
  const entries: [string, Value][] = [];
  reader.open();
  for (let first = true; ; first = false) {
    const key = reader.nextKey(first);
    if (key === undefined) return mapOfEntries(type, entries);
    try {
      entries.push([key, readValue(reader, type.element)]);
    } catch (error) {
      rethrowUnder(error, indexStep(key));
    }
  }
}

function readTuple(reader: JsonReader, type: TupleType, unit: number): Value {
  if (unit !== 0x5b) throw new CtyError('missing expected [');
  const values: Value[] = [];
  const needed = type.elements.length;
  reader.open();
  while (reader.nextElement(values.length === 0)) {
    if (values.length >= needed) throw new CtyError(`too many tuple elements (need ${needed})`);
    try {
      values.push(readValue(reader, type.elements[values.length] as Type));
    } catch (error) {
      rethrowUnder(error, indexStep(values.length));
    }
  }
  if (values.length < needed) throw new CtyError(`not enough tuple elements (need ${needed})`);
  return tuple(values);
}

function readObject(reader: JsonReader, type: ObjectType, unit: number): Value {
  if (unit !== 0x7b) throw new CtyError('missing expected {');
  const { names, types } = type;
  const values = new Array<Value | undefined>(names.length);
  reader.open();
  // Encoders write the attributes in the order of the type.
  let next = 0;
  for (let first = true; ; first = false) {
    const expected = names[next];
    const key = reader.nextKey(first, expected);
    if (key === undefined) return objectOf(type, withNulls(type, values));
    const i = key === expected ? next : attributeIndex(type, key);
    next = i + 1;
    try {
      values[i] = readValue(reader, types[i] as Type);
    } catch (error) {
      rethrowUnder(error, attrStep(key));
    }
  }
}

/** The type may follow the value, so skip the value first and read it later, unless it is a string. */
function readDynamic(reader: JsonReader, unit: number): Value {
  if (unit !== 0x7b) throw new CtyError('missing expected {');
  const { text } = reader;
  let type: Type | undefined;
  let valueStart = -1;
  let valueText: string | undefined;
  reader.open();
  for (let first = true; ; first = false) {
    const key = reader.nextKey(first, first ? 'value' : 'type');
    if (key === undefined) break;
    const isText = reader.peek() === 0x22;
    const start = reader.position;
    if (key === 'value') {
      valueStart = start;
      valueText = isText ? reader.readString() : undefined;
      if (!isText) reader.skipValue();
    } else {
      reader.skipValue();
      if (key !== 'type') throw unexpectedKey(key);
      type = typeOfText(text.slice(start, reader.position));
    }
  }
  if (type === undefined) throw new CtyError('missing type in dynamically-typed value');
  if (valueStart < 0) throw new CtyError('missing value in dynamically-typed value');
  if (type === STRING && valueText !== undefined) return str(valueText);
  return readValue(new JsonReader(text, valueStart), type);
}

/** The last type of a dynamic value, and its text: neighbours mostly have the same. */
let lastType: { readonly text: string; readonly type: Type } | undefined;

function typeOfText(text: string): Type {
  if (lastType?.text === text) return lastType.type;
  const type = typeOfDynamic(parseJson(text));
  if (text.length <= MAX_REMEMBERED_TYPE) lastType = { text, type };
  return type;
}

/** The text may be part of a long one, which it must not retain: V8 copies texts up to this length. */
const MAX_REMEMBERED_TYPE = 12;

// ---- from parsed data ----

function fromNode(node: JsonNode, type: Type): Value {
  if (node === null) return nullOf(type);
  switch (type.kind) {
    case 'list':
    case 'set':
      return sequenceFromNode(elementsOf(node), type);
    case 'map':
      return mapFromNode(membersOf(node), type);
    case 'tuple':
      return tupleFromNode(elementsOf(node), type);
    case 'object':
      return objectFromNode(membersOf(node), type);
    case 'dynamic':
      return dynamicFromNode(membersOf(node));
    case 'capsule':
      throw unsupportedTypeError(type);
    default:
      if (typeof node === 'string') return primitiveFromText(node, type);
      if (typeof node === 'boolean') return primitiveFromBool(node, type);
      if (isJsonNumber(node)) return primitiveFromNumber(node.number, type);
      throw new CtyError(`${type.kind} is required`);
  }
}

function elementsOf(node: JsonNode): readonly JsonNode[] {
  if (!Array.isArray(node)) throw new CtyError('missing expected [');
  return node as readonly JsonNode[];
}

function membersOf(node: JsonNode): ReadonlyMap<string, JsonNode> {
  if (!(node instanceof Map)) throw new CtyError('missing expected {');
  return node as ReadonlyMap<string, JsonNode>;
}

function sequenceFromNode(nodes: readonly JsonNode[], type: CollectionType): Value {
  const values: Value[] = [];
  try {
    for (const node of nodes) values.push(fromNode(node, type.element));
  } catch (error) {
    rethrowUnder(error, elementStep(type, values.length));
  }
  return sequence(type, values);
}

function mapFromNode(nodes: ReadonlyMap<string, JsonNode>, type: CollectionType): Value {
  const entries: [string, Value][] = [];
  for (const [key, node] of nodes) {
    try {
      entries.push([key, fromNode(node, type.element)]);
    } catch (error) {
      rethrowUnder(error, indexStep(key));
    }
  }
  return mapOfEntries(type, entries);
}

function tupleFromNode(nodes: readonly JsonNode[], type: TupleType): Value {
  const needed = type.elements.length;
  if (nodes.length > needed) throw new CtyError(`too many tuple elements (need ${needed})`);
  if (nodes.length < needed) throw new CtyError(`not enough tuple elements (need ${needed})`);
  const values: Value[] = [];
  try {
    for (const node of nodes) values.push(fromNode(node, type.elements[values.length] as Type));
  } catch (error) {
    rethrowUnder(error, indexStep(values.length));
  }
  return tuple(values);
}

function objectFromNode(nodes: ReadonlyMap<string, JsonNode>, type: ObjectType): Value {
  const values = new Array<Value | undefined>(type.names.length);
  for (const [key, node] of nodes) {
    const i = attributeIndex(type, key);
    try {
      values[i] = fromNode(node, type.types[i] as Type);
    } catch (error) {
      rethrowUnder(error, attrStep(key));
    }
  }
  return objectOf(type, withNulls(type, values));
}

function dynamicFromNode(nodes: ReadonlyMap<string, JsonNode>): Value {
  for (const key of nodes.keys()) {
    if (key !== 'type' && key !== 'value') throw unexpectedKey(key);
  }
  const type = nodes.get('type');
  const value = nodes.get('value');
  if (type === undefined) throw new CtyError('missing type in dynamically-typed value');
  if (value === undefined) throw new CtyError('missing value in dynamically-typed value');
  return fromNode(value, typeOfDynamic(type));
}

function unexpectedKey(key: string): CtyError {
  return new CtyError(`invalid key ${quoteText(key)} in dynamically-typed value`);
}

function unsupportedTypeError(type: Type & { readonly name: string }): CtyError {
  return new CtyError(`unsupported type ${type.name}`);
}
