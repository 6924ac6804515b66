import { CtyError } from './cty-error.ts';
import { jsonText } from './json-text.ts';
import { objectType } from './object-type.ts';
import {
  BOOL,
  collectionType,
  DYNAMIC,
  NUMBER,
  type ObjectType,
  STRING,
  tupleType,
  type Type,
} from './type.ts';

/**
 * Returns the type as JSON data: `"string"`, `["list","string"]`, `["object",{"a":"number"},["a"]]` (the last part
 * names optional attributes, if any), `["tuple",[…]]`, `"dynamic"`. Throws CtyError for capsule types.
 */
export function typeToJson(t: Type): unknown {
  switch (t.kind) {
    case 'list':
    case 'set':
    case 'map':
      return [t.kind, typeToJson(t.element)];
    case 'tuple':
      return ['tuple', t.elements.map(typeToJson)];
    case 'object': {
      const attributes = Object.fromEntries(
        t.names.map((name, i) => [name, typeToJson(t.types[i] as Type)]),
      );
      return t.optional.size > 0 ? ['object', attributes, [...t.optional]] : ['object', attributes];
    }
    case 'capsule':
      throw new CtyError(`type not allowed: ${t.name}`);
    default:
      return t.kind;
  }
}

const texts = new WeakMap<Type, string>();

/** {@link typeToJson} as text, attributes in code point order, with Go's escapes. Cached. */
export function typeToJsonText(t: Type): string {
  let text = texts.get(t);
  if (text === undefined) {
    text = makeText(t);
    texts.set(t, text);
  }
  return text;
}

function makeText(t: Type): string {
  switch (t.kind) {
    case 'list':
    case 'set':
    case 'map':
      return `["${t.kind}",${typeToJsonText(t.element)}]`;
    case 'tuple':
      return `["tuple",[${t.elements.map(typeToJsonText).join(',')}]]`;
    case 'object':
      return objectText(t);
    case 'capsule':
      throw new CtyError(`type not allowed: ${t.name}`);
    default:
      return `"${t.kind}"`;
  }
}

function objectText(t: ObjectType): string {
  const attributes = t.names.map((name, i) => {
    return `${jsonText(name, true)}:${typeToJsonText(t.types[i] as Type)}`;
  });
  const optional =
    t.optional.size === 0
      ? ''
      : `,[${[...t.optional].map((name) => jsonText(name, true)).join(',')}]`;
  return `["object",{${attributes.join(',')}}${optional}]`;
}

/** The type that JSON data as of {@link typeToJson} describes. Objects may be records or Maps. Throws CtyError. */
export function typeFromJson(json: unknown): Type {
  if (typeof json === 'string') return primitiveFromJson(json);
  if (!Array.isArray(json)) throw new CtyError('invalid type description');
  const [kind, inner, optional] = json as readonly unknown[];
  const expected = kind === 'object' && optional !== undefined ? 3 : 2;
  if (typeof kind !== 'string') throw new CtyError('invalid complex type kind name');
  if (json.length > expected) throw new CtyError('unexpected extra data in type description');
  switch (kind) {
    case 'list':
    case 'set':
    case 'map':
      return collectionType(kind, typeFromJson(inner));
    case 'tuple':
      if (!Array.isArray(inner)) throw new CtyError('invalid tuple type description');
      return tupleType(inner.map(typeFromJson));
    case 'object':
      return objectFromJson(inner, optional);
    default:
      throw new CtyError('invalid complex type kind name');
  }
}

function primitiveFromJson(name: string): Type {
  switch (name) {
    case 'bool':
      return BOOL;
    case 'number':
      return NUMBER;
    case 'string':
      return STRING;
    case 'dynamic':
      return DYNAMIC;
    default:
      throw new CtyError(`invalid primitive type name ${JSON.stringify(name)}`);
  }
}

function objectFromJson(inner: unknown, optional: unknown): Type {
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
    throw new CtyError('invalid object type description');
  }
  const pairs: Iterable<readonly [unknown, unknown]> =
    inner instanceof Map ? inner : Object.entries(inner);
  const attributes = new Map<string, Type>();
  for (const [name, type] of pairs) attributes.set(String(name), typeFromJson(type));
  if (optional === undefined) return objectType(attributes);
  const names = Array.isArray(optional) ? (optional as readonly unknown[]) : undefined;
  if (!names?.every((name) => typeof name === 'string' && attributes.has(name))) {
    throw new CtyError('invalid optional attributes in object type description');
  }
  return objectType(attributes, names as readonly string[]);
}
