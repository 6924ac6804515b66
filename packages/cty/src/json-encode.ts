import { conforms } from './conformance.ts';
import { convert } from './convert/conversion.ts';
import { CtyError, rethrowUnder } from './cty-error.ts';
import { jsonText } from './json-text.ts';
import type { Num } from './number.ts';
import { formatNumber } from './number-text.ts';
import { attrStep, indexStep } from './path.ts';
import { DYNAMIC, type ObjectType, type Type } from './type.ts';
import { typeToJsonText } from './type-json.ts';
import { friendlyName } from './type-name.ts';
import type { Value } from './value.ts';

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
  // Use `join`, because V8 keeps the parts of a concatenated string in memory.
  const parts: string[] = [];
  write(conforming, type, options.escapeHtml ?? true, parts);
  return parts.join('');
}

/** Appends the fragments of a value's text. */
function write(v: Value, type: Type, escapeHtml: boolean, out: string[]): void {
  if (v.isMarked) throw new CtyError('value has marks, so it cannot be serialized as JSON');
  if (!v.isKnown) throw new CtyError('value is not known');
  if (type === DYNAMIC && v.type !== DYNAMIC) {
    out.push('{"value":');
    write(v, v.type, escapeHtml, out);
    out.push(`,"type":${typeToJsonText(v.type)}}`);
    return;
  }
  if (v.isNull) {
    out.push('null');
    return;
  }
  switch (type.kind) {
    case 'string':
      out.push(jsonText(v.payload as string, escapeHtml));
      return;
    case 'number':
      out.push(numberText(v.payload as Num));
      return;
    case 'bool':
      out.push(v.payload === true ? 'true' : 'false');
      return;
    case 'list':
    case 'set':
      writeSequence(v, () => type.element, escapeHtml, out);
      return;
    case 'tuple':
      writeSequence(v, (i) => type.elements[i] as Type, escapeHtml, out);
      return;
    case 'map':
      writeMap(v.payload as ReadonlyMap<string, Value>, type.element, escapeHtml, out);
      return;
    case 'object':
      writeObject(v, type, escapeHtml, out);
      return;
    default:
      throw new CtyError(`cannot JSON-serialize ${friendlyName(type)}`);
  }
}

function numberText(n: Num): string {
  if (n === Infinity || n === -Infinity) throw new CtyError('cannot serialize infinity as JSON');
  return formatNumber(n);
}

function writeSequence(
  v: Value,
  typeOf: (i: number) => Type,
  escapeHtml: boolean,
  out: string[],
): void {
  const elements = v.payload as readonly Value[];
  out.push('[');
  let i = 0;
  try {
    for (; i < elements.length; i++) {
      if (i > 0) out.push(',');
      write(elements[i] as Value, typeOf(i), escapeHtml, out);
    }
  } catch (error) {
    rethrowUnder(error, indexStep(v.type.kind === 'set' ? (elements[i] as Value) : i));
  }
  out.push(']');
}

function writeMap(
  elements: ReadonlyMap<string, Value>,
  type: Type,
  escapeHtml: boolean,
  out: string[],
): void {
  let before = '{';
  for (const [key, element] of elements) {
    out.push(before, jsonText(key, escapeHtml), ':');
    before = ',';
    try {
      write(element, type, escapeHtml, out);
    } catch (error) {
      rethrowUnder(error, indexStep(key));
    }
  }
  out.push(elements.size === 0 ? '{}' : '}');
}

/** Attribute names as JSON keys with their colons, by object type: a schema's names are written again and again. */
const keyTexts = new WeakMap<ObjectType, readonly string[]>();

function keysOf(type: ObjectType): readonly string[] {
  let keys = keyTexts.get(type);
  if (keys === undefined) {
    keys = type.names.map((name) => `${jsonText(name, true)}:`);
    keyTexts.set(type, keys);
  }
  return keys;
}

function writeObject(v: Value, type: ObjectType, escapeHtml: boolean, out: string[]): void {
  const keys = escapeHtml ? keysOf(type) : type.names.map((name) => `${jsonText(name, false)}:`);
  // A type with dynamic or optional attributes is not the value's own, but the names are the same in the same order.
  const values = v.payload as readonly Value[];
  out.push('{');
  let i = 0;
  try {
    for (; i < keys.length; i++) {
      if (i > 0) out.push(',');
      out.push(keys[i] as string);
      write(values[i] as Value, type.types[i] as Type, escapeHtml, out);
    }
  } catch (error) {
    rethrowUnder(error, attrStep(type.names[i] as string));
  }
  out.push('}');
}
