// Computed values: unknown while planning, and derived from the path of the attribute when applying, so that every run
// has the same result.
import {
  bool,
  formatPath,
  list,
  map,
  nullOf,
  number,
  objectOf,
  rebuilt,
  set,
  str,
  transform,
  tuple,
  unknownOf,
} from '@terrane/cty';
import type { ObjectType, Path, Type, Value } from '@terrane/cty';
import type {
  AttributeSchema,
  BlockSchema,
  NestedAttributes,
  NestedBlock,
} from '@terrane/provider';

/** An object with some attributes replaced. */
export function withAttributes(v: Value, changes: Readonly<Record<string, Value>>): Value {
  // Only objects are given here.
  const type = v.type as ObjectType;
  return objectOf(
    type,
    type.names.map((name) => changes[name] ?? v.attr(name)),
  );
}

/** Replaces computed attributes without a value by unknown values, at any depth. */
export function unknownComputed(block: BlockSchema, v: Value): Value {
  return replaced(block, v, (attribute, each) =>
    each.isNull && attribute.computed === true ? unknownOf(each.type) : each,
  );
}

/** Replaces write-only values by null, because plans do not contain them. */
export function withoutWriteOnly(block: BlockSchema, v: Value): Value {
  return replaced(block, v, (attribute, each) =>
    attribute.writeOnly === true ? nullOf(attribute.type ?? each.type) : each,
  );
}

type Replace = (attribute: AttributeSchema, v: Value) => Value;

function replaced(block: BlockSchema, v: Value, replace: Replace): Value {
  if (v.isNull || !v.isKnown) return v;
  const changes: Record<string, Value> = {};
  for (const [name, attribute] of Object.entries(block.attributes)) {
    changes[name] = inAttribute(attribute, replace(attribute, v.attr(name)), replace);
  }
  for (const [name, { nesting, block: inner }] of Object.entries(block.blocks)) {
    const nested = v.attr(name);
    changes[name] =
      nested.isNull || !nested.isKnown
        ? nested
        : inside(nested, nesting, (each) => replaced(inner, each, replace));
  }
  return withAttributes(v, changes);
}

function inAttribute({ nested }: AttributeSchema, v: Value, replace: Replace): Value {
  if (nested === undefined || v.isNull || !v.isKnown) return v;
  const inner = { attributes: nested.attributes, blocks: {} };
  return inside(v, nested.nesting, (each) => replaced(inner, each, replace));
}

function inside(
  v: Value,
  nesting: NestedBlock['nesting'] | NestedAttributes['nesting'],
  each: (v: Value) => Value,
): Value {
  if (nesting === 'single' || nesting === 'group') return each(v);
  return rebuilt(v, v.elements().map(each));
}

/** Replaces unknown values by known ones. */
export function known(v: Value): Value {
  return transform(v, (path, part) => (part.isKnown ? part : valueAt(path, part.type)));
}

function valueAt(path: Path, type: Type): Value {
  const place = formatPath(path);
  switch (type.kind) {
    case 'string':
      return str(`made${place}`);
    case 'number':
      return number(place.length);
    case 'bool':
      return bool(place.length % 2 === 0);
    case 'list':
      return list(type.element, [valueAt(path, type.element)]);
    case 'set':
      return set(type.element, [valueAt(path, type.element)]);
    case 'map':
      return map(type.element, [['k', valueAt(path, type.element)]]);
    case 'tuple':
      return tuple(type.elements.map((each) => valueAt(path, each)));
    case 'object':
      return objectOf(
        type,
        type.types.map((each) => valueAt(path, each)),
      );
    default:
      return str(`any${place}`);
  }
}
