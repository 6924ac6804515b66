import { compareText } from '@terrane/cty';
import {
  CtyError,
  SENSITIVE_MARKS,
  nullOf,
  pathKey,
  transform,
  valueFromJson,
  valueToJson,
  type Path,
  type Type,
  type Value,
} from '@terrane/cty';
import { valueFromFlatmap } from './flatmap.ts';
import { withoutForeignAttributes } from './foreign-attributes.ts';
import type { StoredObject } from './model.ts';

/**
 * Decodes a stored object, with sensitive parts marked. `type` is the implied type of the schema that the attributes
 * are decoded by. Attributes that the type does not have, as a newer version of the provider stored them, are omitted.
 * Throws CtyError for other mismatches.
 */
export function decodeStored(object: StoredObject, type: Type): Value {
  const value =
    object.attributesFlat === undefined
      ? valueFromStoredJson(object.attributesJson ?? '{}', type)
      : valueFromFlatmap(object.attributesFlat, type);
  if (object.sensitivePaths.length === 0) return value;
  return value.markWithPaths(
    object.sensitivePaths.map((path) => ({ path, marks: SENSITIVE_MARKS })),
  );
}

function valueFromStoredJson(json: string, type: Type): Value {
  try {
    return valueFromJson(json, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const supportedAttributes = withoutForeignAttributes(json, type);
    if (supportedAttributes === undefined) throw error;
    return valueFromJson(supportedAttributes, type);
  }
}

/**
 * Encodes a value of the implied type `type` for the state. Sensitive marks become paths. Other marks are dropped
 * and unknown parts become null, because the state can represent neither.
 * @throws CtyError if the value is not of the type
 */
export function encodeStored(
  value: Value,
  type: Type,
  rest: Omit<StoredObject, 'attributesJson' | 'attributesFlat' | 'sensitivePaths'>,
): StoredObject {
  let plain = value;
  let sensitivePaths = NO_PATHS;
  if (value.containsMarked()) {
    const unmarked = value.unmarkDeepWithPaths();
    plain = unmarked.value;
    sensitivePaths = unmarked.paths
      .filter(({ marks }) => marks.has('sensitive'))
      .map(({ path }) => path)
      .sort((a, b) => compareText(pathKey(a), pathKey(b)));
  }
  if (!plain.isWhollyKnown()) {
    plain = transform(plain, (_path, part) => (part.isKnown ? part : nullOf(part.type)));
  }
  const { status, schemaVersion, dependencies, createBeforeDestroy, provider } = rest;
  // A literal without a spread has no properties outside of the object: a state holds one for each instance.
  const object: Mutable<StoredObject> = {
    status,
    schemaVersion,
    attributesJson: valueToJson(plain, type),
    sensitivePaths,
    dependencies,
    createBeforeDestroy,
    provider,
  };
  if (rest.private !== undefined) object.private = rest.private;
  if (rest.skipDestroy !== undefined) object.skipDestroy = rest.skipDestroy;
  if (rest.identityJson !== undefined) object.identityJson = rest.identityJson;
  if (rest.identitySchemaVersion !== undefined)
    object.identitySchemaVersion = rest.identitySchemaVersion;
  return object;
}

/** Returns true if the stored JSON names all null attributes; other programs may omit them. */
export function namesNulls(json: string, state: Value): boolean {
  if (state.type.kind !== 'object' || state.isNull) return true;
  const { names } = state.type;
  const values = state.elements();
  let keys: readonly string[] | undefined;
  // Attributes mostly have the order of the type, so the search for one begins after the one before.
  let after = 0;
  for (let i = 0; i < names.length; i++) {
    if (values[i]?.isNull !== true) continue;
    keys ??= keysOf(names);
    const key = keys[i] ?? '';
    after = endOfNull(json, key, after) ?? endOfNull(json, key, 0) ?? -1;
    if (after === -1) return false;
  }
  return true;
}

/** Returns the end of the first null member of a name from a position on; `key` is the quoted name with its colon. */
function endOfNull(json: string, key: string, from: number): number | undefined {
  for (let at = json.indexOf(key, from); at !== -1; at = json.indexOf(key, at + 1)) {
    const value = at + key.length;
    if (json.startsWith('null', value) || json.startsWith(' null', value)) return value;
  }
  return undefined;
}

/** The keys by the names of a type, which all types with the same names share. */
const keysByNames = new WeakMap<readonly string[], readonly string[]>();

/** Returns the names as keys of JSON members, with their colons. */
function keysOf(names: readonly string[]): readonly string[] {
  let keys = keysByNames.get(names);
  if (keys === undefined) keysByNames.set(names, (keys = names.map((name) => `"${name}":`)));
  return keys;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The list of most objects. */
const NO_PATHS: readonly Path[] = [];
