import { type BigFloat, bitLength } from './big-float.ts';
import { conforms } from './conformance.ts';
import { convert } from './convert/conversion.ts';
import { CtyError, rethrowUnder } from './cty-error.ts';
import { MsgpackWriter } from './msgpack-writer.ts';
import { type Num, numToFloat, numToInt } from './number.ts';
import { formatNumber } from './number-text.ts';
import { attrStep, indexStep } from './path.ts';
import { safePrefix } from './prefix.ts';
import { DYNAMIC, isCollection, NUMBER, type ObjectType, STRING, type Type } from './type.ts';
import { typeToJsonText } from './type-json.ts';
import type { Bound, Refinement } from './unknown.ts';
import type { Value } from './value.ts';

/** Extension types of unknown values: without and with refinements. */
const UNKNOWN_EXTENSION = 0;
/** The type of extension that unknown values with refinements are written as. */
export const REFINED_EXTENSION = 12;

/** Keys of the refinement map. */
export const REFINEMENT_KEYS = {
  nullness: 1,
  prefix: 2,
  min: 3,
  max: 4,
  minLength: 5,
  maxLength: 6,
} as const;

const MAX_PREFIX_BYTES = 256;
const UNKNOWN_BODY = new Uint8Array([0]);
const encoder = new TextEncoder();

/**
 * The value in MessagePack as the plugin protocol has it (cty's encoding): objects as maps with all attributes, unknown
 * values as extension 0, or 12 with their refinements, values where the type is dynamic as a pair of the type's JSON and
 * the value. A value that does not conform to the type is converted first. Marks and capsules throw CtyError.
 */
export function encodeMsgpack(v: Value, type: Type): Uint8Array {
  const conforming = conforms(v.type, type) ? v : convert(v, type);
  shared.reset();
  write(shared, conforming, type);
  return shared.result();
}

/** Encoding is synchronous and does not call itself, so one buffer serves all; making one costs more than filling it. */
const shared = new MsgpackWriter();

/** Values in MessagePack, one after the other in a buffer, which a large number of values shares. */
export class MsgpackBuffer {
  readonly #writer: MsgpackWriter;

  /** @param size initial size in bytes; the buffer grows as required */
  constructor(size: number) {
    this.#writer = new MsgpackWriter(size);
  }

  /** The written bytes, and unused ones after them. Valid until the next value is appended. */
  get bytes(): Uint8Array {
    return this.#writer.buffer;
  }

  /** The number of written bytes. */
  get length(): number {
    return this.#writer.length;
  }

  /** Appends a value of exactly this type. */
  append(v: Value, type: Type): void {
    write(this.#writer, v, type);
  }
}

function write(writer: MsgpackWriter, v: Value, type: Type): void {
  if (v.isMarked) throw new CtyError('value has marks, so it cannot be serialized');
  if (type === DYNAMIC && v.type !== DYNAMIC) {
    writer.arrayHeader(2);
    writer.binary(encoder.encode(typeToJsonText(v.type)));
    write(writer, v, v.type);
    return;
  }
  if (!v.isKnown) {
    writeUnknown(writer, v);
    return;
  }
  const { payload } = v;
  if (payload === null) {
    writer.nil();
    return;
  }
  switch (type.kind) {
    case 'string':
      writer.string(payload as string);
      return;
    case 'number':
      writeNumber(writer, payload as Num);
      return;
    case 'bool':
      writer.bool(payload as boolean);
      return;
    case 'list':
    case 'set':
      writeSequence(writer, v, () => type.element);
      return;
    case 'tuple':
      writeSequence(writer, v, (i) => type.elements[i] as Type);
      return;
    case 'map':
      writeMap(writer, payload as ReadonlyMap<string, Value>, type.element);
      return;
    case 'object':
      writeObject(writer, v, type);
      return;
    default:
      throw new CtyError('capsule types not supported for msgpack encoding');
  }
}

function writeSequence(writer: MsgpackWriter, v: Value, typeOf: (i: number) => Type): void {
  const elements = v.payload as readonly Value[];
  writer.arrayHeader(elements.length);
  let i = 0;
  try {
    for (; i < elements.length; i++) write(writer, elements[i] as Value, typeOf(i));
  } catch (error) {
    rethrowUnder(error, indexStep(v.type.kind === 'set' ? (elements[i] as Value) : i));
  }
}

function writeMap(writer: MsgpackWriter, elements: ReadonlyMap<string, Value>, type: Type): void {
  writer.mapHeader(elements.size);
  for (const [key, element] of elements) {
    writer.string(key);
    try {
      write(writer, element, type);
    } catch (error) {
      rethrowUnder(error, indexStep(key));
    }
  }
}

/** Encoded attribute names by object type: a schema's names are written again and again. */
const encodedNames = new WeakMap<ObjectType, readonly Uint8Array[]>();

function namesOf(type: ObjectType): readonly Uint8Array[] {
  let names = encodedNames.get(type);
  if (names === undefined) {
    names = type.names.map((name) => {
      const writer = new MsgpackWriter();
      writer.string(name);
      return writer.result();
    });
    encodedNames.set(type, names);
  }
  return names;
}

function writeObject(writer: MsgpackWriter, v: Value, type: ObjectType): void {
  const names = namesOf(type);
  writer.mapHeader(names.length);
  // A type with dynamic or optional attributes is not the value's own, but the names are the same in the same order.
  const values = v.payload as readonly Value[];
  let i = 0;
  try {
    for (; i < names.length; i++) {
      writer.raw(names[i] as Uint8Array);
      write(writer, values[i] as Value, type.types[i] as Type);
    }
  } catch (error) {
    rethrowUnder(error, attrStep(type.names[i] as string));
  }
}

function writeNumber(writer: MsgpackWriter, n: Num): void {
  if (typeof n === 'number') {
    if (Number.isFinite(n)) writer.integer(n);
    else writer.double(n);
    return;
  }
  const integer = numToInt(n);
  if (integer !== undefined) {
    if (BigInt.asIntN(64, integer) === integer) writer.bigInteger(integer);
    else writer.string(formatNumber(n));
  } else if (isExactDouble(n)) writer.double(numToFloat(n));
  else writer.string(formatNumber(n));
}

function isExactDouble(n: BigFloat): boolean {
  const bits = bitLength(n.mantissa < 0n ? -n.mantissa : n.mantissa);
  return bits <= 53 && n.exponent >= -1074 && n.exponent + bits <= 1024;
}

function writeUnknown(writer: MsgpackWriter, v: Value): void {
  const { refinement } = v;
  const body = refinement === undefined ? undefined : refinementBody(v.type, refinement);
  if (body === undefined) writer.extension(UNKNOWN_EXTENSION, UNKNOWN_BODY);
  else writer.extension(REFINED_EXTENSION, body);
}

function refinementBody(type: Type, r: Refinement): Uint8Array | undefined {
  const writer = new MsgpackWriter();
  let count = 0;
  const key = (k: number): void => {
    count++;
    writer.integer(k);
  };
  if (r.notNull === true) {
    key(REFINEMENT_KEYS.nullness);
    writer.bool(false);
  }
  if (type === NUMBER) {
    if (r.min !== undefined) {
      key(REFINEMENT_KEYS.min);
      writeBound(writer, r.min);
    }
    if (r.max !== undefined) {
      key(REFINEMENT_KEYS.max);
      writeBound(writer, r.max);
    }
  } else if (type === STRING && r.prefix !== undefined && r.prefix !== '') {
    key(REFINEMENT_KEYS.prefix);
    writer.string(limitedPrefix(r.prefix));
  } else if (isCollection(type)) {
    if (r.minLength !== undefined && r.minLength > 0) {
      key(REFINEMENT_KEYS.minLength);
      writer.integer(r.minLength);
    }
    if (r.maxLength !== undefined) {
      key(REFINEMENT_KEYS.maxLength);
      writer.integer(r.maxLength);
    }
  }
  if (count === 0) return undefined;
  const body = new MsgpackWriter();
  body.mapHeader(count);
  body.raw(writer.result());
  return body.result();
}

function writeBound(writer: MsgpackWriter, bound: Bound): void {
  writer.arrayHeader(2);
  writeNumber(writer, bound.value);
  writer.bool(bound.inclusive);
}

/** Decoders reject refinements over 1024 bytes, so cty truncates long prefixes. */
function limitedPrefix(prefix: string): string {
  const bytes = encoder.encode(prefix);
  if (bytes.length <= MAX_PREFIX_BYTES) return prefix;
  const truncated = new TextDecoder().decode(bytes.subarray(0, MAX_PREFIX_BYTES - 1));
  return safePrefix(truncated.replace(/\ufffd+$/, ''));
}
