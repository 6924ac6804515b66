import type { Field, Type as MessageType } from 'protobufjs';
import { FieldReader } from './lazy-message.ts';

/** The nesting limit of blocks and attributes; protobuf decoders reject more than a hundred levels. */
const MAX_DEPTH = 100;

/** The wire type that carries a field of a scalar type; messages, strings and bytes are length-delimited. */
const SCALARS: Readonly<Record<string, number>> = { bool: 0, int32: 0, int64: 0 };
const LENGTH_DELIMITED = 2;

/**
 * Verifies that a message and all nested messages can be decoded, without building objects for them. Fields named
 * `type` of the type `bytes` contain the JSON form of a type; `onType` is called with each of them.
 *
 * @throws Error if the bytes are malformed, and any error that `onType` throws
 */
export function verifyMessage(
  message: MessageType,
  bytes: Uint8Array,
  messageType: (name: string) => MessageType,
  onType: (bytes: Uint8Array) => void,
): void {
  const fieldsOf = new Map<MessageType, (VerifiedField | undefined)[]>();
  const walk = (type: MessageType, body: Uint8Array, depth: number): void => {
    if (depth > MAX_DEPTH) throw new Error('a message is nested too deeply');
    let fields = fieldsOf.get(type);
    if (fields === undefined) {
      fields = verifiedFields(type, messageType);
      fieldsOf.set(type, fields);
    }
    const reader = new FieldReader(body);
    while (reader.at < body.length) {
      const { number, wireType, value } = reader.next();
      const field = fields[number];
      if (field === undefined) continue;
      if (field.wireType !== wireType) {
        throw new Error(`field ${field.name} of a message has the wire type ${wireType}`);
      }
      if (value === undefined) continue;
      if (field.isType) onType(value);
      else if (field.isMap) walkEntry(field, value, depth);
      else if (field.message !== undefined) walk(field.message, value, depth + 1);
    }
  };
  const walkEntry = ({ message: type }: VerifiedField, entry: Uint8Array, depth: number): void => {
    const reader = new FieldReader(entry);
    while (reader.at < entry.length) {
      const { number, value } = reader.next();
      if (number === 2 && value !== undefined && type !== undefined) walk(type, value, depth + 1);
    }
  };
  walk(message, bytes, 0);
}

interface VerifiedField {
  readonly name: string;
  readonly wireType: number;
  readonly isType: boolean;
  readonly isMap: boolean;
  /** the message that it holds; undefined for scalars */
  readonly message: MessageType | undefined;
}

/** Describes the fields of a message, by their numbers. */
function verifiedFields(
  type: MessageType,
  messageType: (name: string) => MessageType,
): (VerifiedField | undefined)[] {
  const described: (VerifiedField | undefined)[] = [];
  for (const field of Object.values(type.fields)) {
    described[field.id] = {
      name: field.name,
      wireType: field.map ? LENGTH_DELIMITED : (SCALARS[field.type] ?? LENGTH_DELIMITED),
      isType: field.name === 'type' && field.type === 'bytes',
      isMap: field.map,
      message: isMessage(field) ? messageType(field.type) : undefined,
    };
  }
  return described;
}

function isMessage({ type }: Field): boolean {
  return SCALARS[type] === undefined && type !== 'string' && type !== 'bytes';
}
