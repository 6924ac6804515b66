import { errorAt, type Item, type Node, type ObjectNode, type Place } from './node.ts';

/** Decodes a value of an expected type. */
export type Shape<T> = (name: string, node: Given, before: T | undefined) => T;

/** A value, or several items with the same key, without that key. */
type Given = Node | { readonly kind: 'items'; readonly items: readonly Item[] } | ItemNode;

/** An item whose remaining keys are not decoded yet. */
interface ItemNode {
  readonly kind: 'item';
  readonly item: Item;
}

/** Names of value kinds in messages: those of the Go types in HCL 1. */
const GO_TYPES: Readonly<Record<Given['kind'], string>> = {
  literal: '*ast.LiteralType',
  list: '*ast.ListType',
  object: '*ast.ObjectType',
  items: '*ast.ObjectList',
  item: '*ast.ObjectItem',
};

function placeOf(node: Given): Place | undefined {
  if (node.kind === 'items') return node.items[0]?.keys[0]?.place;
  return node.kind === 'item' ? node.item.keys[0]?.place : node.place;
}

/** true or false; a word in quotes is neither */
export const bool: Shape<boolean> = (name, node) => {
  if (node.kind === 'literal' && node.type === 'bool') return node.value === 'true';
  throw errorAt(placeOf(node), `${name}: unknown type ${GO_TYPES[node.kind]}`);
};

/** a string or a number as written */
export const string: Shape<string> = (name, node) => {
  if (node.kind === 'literal' && node.type !== 'bool' && node.type !== 'float') return node.value;
  throw errorAt(placeOf(node), `${name}: unknown type for string ${GO_TYPES[node.kind]}`);
};

/** an integer, optionally in quotes */
export const integer: Shape<number> = (name, node) => {
  if (node.kind === 'literal' && (node.type === 'number' || node.type === 'string')) {
    const value = /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(node.value) ? Number(node.value) : NaN;
    if (!Number.isNaN(value)) return value;
    throw errorAt(
      placeOf(node),
      `strconv.ParseInt: parsing ${JSON.stringify(node.value)}: invalid syntax`,
    );
  }
  throw errorAt(placeOf(node), `${name}: unknown type ${GO_TYPES[node.kind]}`);
};

/** Decodes the elements of a list; an object is a list of one. Repeated lists are concatenated. */
export function list<T>(element: Shape<T>): Shape<readonly T[]> {
  return (name, node, before) => {
    const elements: T[] = [...(before ?? [])];
    for (const [index, each] of elementsOf(node).entries()) {
      elements.push(element(`${name}[${index}]`, each, undefined));
    }
    return elements;
  };
}

function elementsOf(node: Given): readonly Given[] {
  switch (node.kind) {
    case 'list':
      return node.elements;
    case 'object':
      return [node];
    case 'items':
      return node.items.map((item) => ({ kind: 'item', item }));
    default:
      throw errorAt(placeOf(node), `unknown slice type: ${GO_TYPES[node.kind]}`);
  }
}

function itemsOf(node: Given, onOther: () => Error): readonly Item[] {
  switch (node.kind) {
    case 'object':
    case 'items':
      return node.items;
    case 'item':
      return [node.item];
    default:
      throw onOther();
  }
}

/** Decodes values by key. Repeated keys are merged. */
export function map<T>(value: Shape<T>): Shape<ReadonlyMap<string, T>> {
  return (name, node, before) => {
    const items = itemsOf(node, () =>
      errorAt(placeOf(node), `${name}: not an object type for map (${GO_TYPES[node.kind]})`),
    );
    const entries = new Map(before);
    const decodedKeys = new Set<string>();
    for (const item of items) {
      const key = item.keys[0]?.text;
      if (key === undefined) throw errorAt(undefined, `${name}: map must have string keys`);
      if (decodedKeys.has(key)) continue;
      let element: Given = item.value;
      if (item.keys.length > 1) {
        element = { kind: 'items', items: withKey(items, key) };
        decodedKeys.add(key);
      }
      entries.set(key, value(`${name}.${key}`, element, entries.get(key)));
    }
    return entries;
  };
}

/** The items with this key in front, without it; case does not count. */
function withKey(items: readonly Item[], key: string): readonly Item[] {
  const lowerCaseKey = key.toLowerCase();
  return items
    .filter(({ keys }) => keys[0]?.text.toLowerCase() === lowerCaseKey)
    .map((item) => ({ ...item, keys: item.keys.slice(1) }));
}

/** Decodes fields by their decoders; absent ones are undefined, unknown ones are ignored. */
export function struct<T extends object>(fields: {
  readonly [K in keyof T]-?: Shape<Exclude<T[K], undefined>>;
}): Shape<Partial<T>> {
  return (name, node) => {
    const object = node.kind === 'item' ? node.item.value : node;
    const items = itemsOf(object, () =>
      errorAt(placeOf(object), `${name}: not an object type for struct (${GO_TYPES[object.kind]})`),
    );
    const result: Partial<T> = {};
    for (const field of Object.keys(fields) as (keyof T & string)[]) {
      const matches = withKey(items, field);
      const shape = fields[field];
      const labelled = matches.filter(({ keys }) => keys.length > 0);
      const path = `${name}.${field}`;
      let value: Exclude<T[typeof field], undefined> | undefined;
      if (labelled.length > 0) value = shape(path, { kind: 'items', items: labelled }, value);
      for (const match of matches) {
        if (match.keys.length === 0) value = shape(path, asItems(match.value), value);
      }
      if (value !== undefined) result[field] = value;
    }
    return result;
  };
}

function asItems(node: Node): Given {
  return node.kind === 'object' ? { kind: 'items', items: node.items } : node;
}

/** Decodes any value to plain data; objects that HCL 1 represents as lists of one remain objects. */
export const anyValue: Shape<unknown> = (name, node, before) => {
  switch (node.kind) {
    case 'literal':
      if (node.type === 'bool') return node.value === 'true';
      return node.type === 'number' || node.type === 'float' ? Number(node.value) : node.value;
    case 'list':
      return node.elements.map((each, index) => anyValue(`${name}[${index}]`, each, undefined));
    default: {
      const entries = map(anyValue)(name, node, undefined);
      const earlier: unknown = typeof before === 'object' && before !== null ? before : {};
      return Object.assign({}, earlier, Object.fromEntries(entries));
    }
  }
};

/** Decodes an object. Throws a LegacySyntaxError. */
export function decode<T>(shape: Shape<T>, node: Pick<ObjectNode, 'items'>): T {
  return shape('root', { kind: 'items', items: node.items }, undefined);
}
