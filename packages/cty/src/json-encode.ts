import { conforms } from './conformance.ts';
import { convert } from './convert/conversion.ts';
import { CtyError, rethrowUnder } from './cty-error.ts';
import { JsonWriter } from './json-writer.ts';
import { MARKED_BIT } from './marks.ts';
import type { Num } from './number.ts';
import { formatNumber } from './number-text.ts';
import { attrStep, indexStep } from './path.ts';
import {
  type CollectionType,
  DYNAMIC,
  type ObjectType,
  type TupleType,
  type Type,
} from './type.ts';
import { typeToJsonText } from './type-json.ts';
import { friendlyName } from './type-name.ts';
import { UNKNOWN_SELF, type Value } from './value.ts';

/** Options of {@link valueToJson}. */
export interface JsonOptions {
  /** Escape `<`, `>` and `&` as Go's encoder does by default. Default true. */
  readonly escapeHtml?: boolean;
}

/**
 * Encodes a value as compact JSON text that {@link valueFromJson} decodes to an equal value of the same type. Values of
 * dynamic type are written as `{"value":…,"type":…}`. A value that does not conform to the type is converted first.
 * Throws CtyError for unknown and marked values, infinities and capsules.
 */
export function valueToJson(v: Value, type: Type, options: JsonOptions = {}): string {
  const conforming = conforms(v.type, type) ? v : convert(v, type);
  const writer = new JsonWriter(options.escapeHtml ?? true);
  write(conforming, type, writer);
  return writer.result();
}

function write(v: Value, type: Type, out: JsonWriter): void {
  if ((v.flags & (MARKED_BIT | UNKNOWN_SELF)) !== 0) rejectMarkedOrUnknown(v);
  if (type === DYNAMIC && v.type !== DYNAMIC) {
    out.raw('{"value":');
    write(v, v.type, out);
    out.raw(typeMember(v.type));
    return;
  }
  const { payload } = v;
  if (payload === null) {
    out.raw('null');
    return;
  }
  switch (type.kind) {
    case 'string':
      out.string(payload as string);
      return;
    case 'number':
      out.raw(numberText(payload as Num));
      return;
    case 'bool':
      out.raw(payload === true ? 'true' : 'false');
      return;
    case 'list':
    case 'set':
    case 'tuple':
      writeSequence(v, type, out);
      return;
    case 'map':
      writeMap(payload as ReadonlyMap<string, Value>, type.element, out);
      return;
    case 'object':
      writeObject(v, type, out);
      return;
    default:
      throw new CtyError(`cannot JSON-serialize ${friendlyName(type)}`);
  }
}

/** The end of the JSON text of a value of dynamic type, by the type of the value. */
const typeMembers = new WeakMap<Type, string>();

function typeMember(type: Type): string {
  let text = typeMembers.get(type);
  if (text === undefined) {
    text = `,"type":${typeToJsonText(type)}}`;
    typeMembers.set(type, text);
  }
  return text;
}

/** Throws if the value itself, not only a part of it, is marked or unknown. */
function rejectMarkedOrUnknown(v: Value): void {
  if (v.isMarked) throw new CtyError('value has marks, so it cannot be serialized as JSON');
  if (!v.isKnown) throw new CtyError('value is not known');
}

function numberText(n: Num): string {
  if (n === Infinity || n === -Infinity) throw new CtyError('cannot serialize infinity as JSON');
  return formatNumber(n);
}

function writeSequence(v: Value, type: CollectionType | TupleType, out: JsonWriter): void {
  const elements = v.payload as readonly Value[];
  out.raw('[');
  let i = 0;
  try {
    for (; i < elements.length; i++) {
      if (i > 0) out.raw(',');
      const elementType = type.kind === 'tuple' ? (type.elements[i] as Type) : type.element;
      write(elements[i] as Value, elementType, out);
    }
  } catch (error) {
    rethrowUnder(error, indexStep(v.type.kind === 'set' ? (elements[i] as Value) : i));
  }
  out.raw(']');
}

function writeMap(elements: ReadonlyMap<string, Value>, type: Type, out: JsonWriter): void {
  let before = '{';
  for (const [key, element] of elements) {
    out.raw(before);
    out.string(key);
    out.raw(':');
    before = ',';
    try {
      write(element, type, out);
    } catch (error) {
      rethrowUnder(error, indexStep(key));
    }
  }
  out.raw(elements.size === 0 ? '{}' : '}');
}

/** The JSON text before the value of each attribute (separator, name and colon), by object type. */
const keyTexts = new WeakMap<ObjectType, readonly string[]>();

function keyTextsOf(type: ObjectType): readonly string[] {
  let keys = keyTexts.get(type);
  if (keys === undefined) {
    keys = type.names.map((name, i) => {
      return `${i === 0 ? '{' : ','}${JSON.stringify(name.toWellFormed())}:`;
    });
    keyTexts.set(type, keys);
  }
  return keys;
}

function writeObject(v: Value, type: ObjectType, out: JsonWriter): void {
  const keys = keyTextsOf(type);
  // A type with dynamic or optional attributes is not the value's own, but the names are the same in the same order.
  const values = v.payload as readonly Value[];
  let i = 0;
  try {
    for (; i < keys.length; i++) {
      out.raw(keys[i] as string);
      write(values[i] as Value, type.types[i] as Type, out);
    }
  } catch (error) {
    rethrowUnder(error, attrStep(type.names[i] as string));
  }
  out.raw(keys.length === 0 ? '{}' : '}');
}
