import {
  attrStep,
  DYNAMIC,
  hasDynamic,
  listType,
  mapType,
  objectType,
  setType,
  withoutOptional,
} from '@terrane/cty';
import type { ObjectType, PathStep, Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema, NestedAttributes, NestedBlock } from './model.ts';

/** The schema of one attribute of a value's object type. */
export interface AttributeSlot {
  readonly name: string;
  /** position in the object type, the same for every value of the schema */
  readonly index: number;
  readonly schema: AttributeSchema;
  /** type of the values of objects */
  readonly type: Type;
  /** type constraint for configured values, in which optional nested attributes are optional */
  readonly constraint: Type;
  readonly step: PathStep;
}

/** The schema of one nested block type of a value's object type. */
export interface BlockSlot {
  readonly name: string;
  readonly index: number;
  readonly schema: NestedBlock;
  readonly type: Type;
  readonly step: PathStep;
}

/**
 * A schema (or the inside of nested attributes) laid out along its object type. Values hold their
 * attributes in the order of that type, so a walk over a value and its schema needs no look-ups.
 */
export interface Layout {
  readonly type: ObjectType;
  /** `type`, with the optional attributes of nested attributes marked */
  readonly constraint: ObjectType;
  readonly attributes: readonly AttributeSlot[];
  readonly blocks: readonly BlockSlot[];
  /** some attribute inside, at any depth, is sensitive */
  readonly sensitive: boolean;
  /** some attribute inside, at any depth, is write-only */
  readonly writeOnly: boolean;
}

const layouts = new WeakMap<BlockSchema | NestedAttributes, Layout>();
const nestedConstraints = new WeakMap<NestedAttributes, Type>();

/** Returns the layout of a block; cached per schema object. */
export function blockLayout(b: BlockSchema): Layout {
  let layout = layouts.get(b);
  if (layout === undefined) {
    layout = makeLayout(b.attributes, b.blocks, false);
    layouts.set(b, layout);
  }
  return layout;
}

/** Returns the layout of one object of nested attributes, regardless of the nesting. */
export function nestedLayout(n: NestedAttributes): Layout {
  let layout = layouts.get(n);
  if (layout === undefined) {
    layout = makeLayout(n.attributes, {}, true);
    layouts.set(n, layout);
  }
  return layout;
}

/** Returns the type constraint of nested attributes, with its optional attributes. */
export function nestedConstraint(n: NestedAttributes): Type {
  let type = nestedConstraints.get(n);
  if (type === undefined) {
    const object = nestedLayout(n).constraint;
    type = n.nesting === 'single' ? object : collection(n.nesting, object);
    nestedConstraints.set(n, type);
  }
  return type;
}

function collection(nesting: 'list' | 'set' | 'map', element: Type): Type {
  if (nesting === 'list') return listType(element);
  return nesting === 'set' ? setType(element) : mapType(element);
}

/** Returns the type constraint of an attribute: configured values are converted to it. */
export function attributeConstraint(a: AttributeSchema): Type {
  if (a.nested !== undefined) return nestedConstraint(a.nested);
  return a.type ?? DYNAMIC;
}

function blockConstraint(b: NestedBlock): Type {
  const object = blockLayout(b.block).constraint;
  if (b.nesting === 'single' || b.nesting === 'group') return object;
  // Blocks of one type may then differ in type, so they form a tuple or an object whose type depends on the value.
  if (b.nesting !== 'set' && hasDynamic(object)) return DYNAMIC;
  return collection(b.nesting, object);
}

function makeLayout(
  attributes: Readonly<Record<string, AttributeSchema>>,
  blocks: Readonly<Record<string, NestedBlock>>,
  optional: boolean,
): Layout {
  const types = new Map<string, Type>();
  const optionalNames: string[] = [];
  let sensitive = false;
  let writeOnly = false;
  for (const [name, schema] of Object.entries(attributes)) {
    types.set(name, attributeConstraint(schema));
    if (optional && (schema.optional === true || schema.computed === true)) {
      optionalNames.push(name);
    }
    const inner = schema.nested === undefined ? undefined : nestedLayout(schema.nested);
    sensitive ||= schema.sensitive === true || inner?.sensitive === true;
    writeOnly ||= schema.writeOnly === true || inner?.writeOnly === true;
  }
  for (const [name, schema] of Object.entries(blocks)) {
    // A duplicate name is an error of the schema, reported by validateSchema.
    if (types.has(name)) continue;
    types.set(name, blockConstraint(schema));
    const inner = blockLayout(schema.block);
    sensitive ||= inner.sensitive;
    writeOnly ||= inner.writeOnly;
  }
  const constraint = objectType(types, optionalNames);
  const type = withoutOptional(constraint) as ObjectType; // an object type remains one
  const attributeSlots: AttributeSlot[] = [];
  const blockSlots: BlockSlot[] = [];
  for (const [index, name] of type.names.entries()) {
    const slotType = type.types[index] ?? DYNAMIC;
    const attribute = attributes[name];
    const block = blocks[name];
    const step = attrStep(name);
    if (attribute !== undefined) {
      const slotConstraint = constraint.types[index] ?? DYNAMIC;
      attributeSlots.push({
        name,
        index,
        schema: attribute,
        type: slotType,
        constraint: slotConstraint,
        step,
      });
    } else if (block !== undefined) {
      blockSlots.push({ name, index, schema: block, type: slotType, step });
    }
  }
  return { type, constraint, attributes: attributeSlots, blocks: blockSlots, sensitive, writeOnly };
}
