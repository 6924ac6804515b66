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

/** A value as plugins get it. @throws CtyError where it does not fit the type */
export function toDynamic(v: Value, type: Type): DynamicValue {
  return { msgpack: encodeMsgpack(v, type) };
}

/** A value that a plugin gave, null where it gave none. @throws Error that names the path where it does not fit the type */
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
