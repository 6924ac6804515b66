import {
  CtyError,
  decodeMsgpack,
  encodeMsgpack,
  formatPath,
  nullOf,
  valueFromJson,
} from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import type { DynamicValue } from '../wire/messages.ts';

/** Encodes a value for plugins. @throws CtyError if it does not fit the type */
export function toDynamic(v: Value, type: Type): DynamicValue {
  return { msgpack: encodeMsgpack(v, type) };
}

/** Decodes a value of a plugin; null if absent. @throws Error that names the path if it does not fit the type */
export function fromDynamic(value: DynamicValue | null | undefined, type: Type): Value {
  const { msgpack, json } = value ?? {};
  try {
    if (msgpack !== undefined && msgpack.length > 0) return decodeMsgpack(msgpack, type);
    if (json !== undefined && json.length > 0) {
      return valueFromJson(Buffer.from(json).toString(), type);
    }
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const at = formatPath(error.path);
    throw new Error(at === '' ? error.message : `${at}: ${error.message}`, { cause: error });
  }
  return nullOf(type);
}
