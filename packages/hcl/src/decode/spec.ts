import {
  DYNAMIC,
  EMPTY_OBJECT,
  listType,
  mapType,
  objectType,
  setType,
  type Type,
  type Value,
} from '@terrane/cty';
import type { AttributeSchema, BlockSchema, BodySchema } from '../model.ts';

/** A specification for decoding a body into a value. */
export type Spec =
  | ObjectSpec
  | AttrSpec
  | BlockSpec
  | BlockCollectionSpec
  | BlockKeyedSpec
  | DefaultSpec;

/** An object with an attribute for each spec; all specs decode the same body. */
export interface ObjectSpec {
  readonly kind: 'object';
  readonly attributes: ReadonlyMap<string, Spec>;
  /** The provider may create nested blocks that are not written, which no schema of the old kind allows. */
  readonly computed?: boolean;
}

/** An attribute, converted to a type; null if it is missing. */
export interface AttrSpec {
  readonly kind: 'attr';
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  /**
   * true if the schema describes the attributes of a nested object. Such an attribute is never written as blocks, and
   * shows that the schema is not a legacy one, for which that is allowed.
   */
  readonly nested?: boolean;
}

/** The single block of a type; null if it is missing. */
export interface BlockSpec {
  readonly kind: 'block';
  readonly type: string;
  readonly required: boolean;
  readonly nested: Spec;
}

/** All blocks of a type, in order; as a tuple if their types may differ. `max` 0 means no limit. */
export interface BlockCollectionSpec {
  readonly kind: 'blockList' | 'blockTuple' | 'blockSet';
  readonly type: string;
  readonly min: number;
  readonly max: number;
  readonly nested: Spec;
}

/** All blocks of a type by label, with one level of map or object per label. */
export interface BlockKeyedSpec {
  readonly kind: 'blockMap' | 'blockObject';
  readonly type: string;
  readonly labelNames: readonly string[];
  readonly nested: Spec;
}

/** `fallback` if `primary` is null. */
export interface DefaultSpec {
  readonly kind: 'default';
  readonly primary: Spec;
  readonly fallback: Value;
}

const types = new WeakMap<Spec, Type>();
const schemas = new WeakMap<Spec, BodySchema>();

/** Returns the type of the values of a spec; dynamic if it depends on the body. */
export function impliedType(spec: Spec): Type {
  let type = types.get(spec);
  if (type === undefined) {
    type = makeType(spec);
    types.set(spec, type);
  }
  return type;
}

function makeType(spec: Spec): Type {
  switch (spec.kind) {
    case 'object': {
      if (spec.attributes.size === 0) {
        return EMPTY_OBJECT;
      }
      const attributes = new Map<string, Type>();
      for (const [name, child] of spec.attributes) {
        attributes.set(name, impliedType(child));
      }
      return objectType(attributes);
    }
    case 'attr':
      return spec.type;
    case 'block':
      return impliedType(spec.nested);
    case 'blockList':
      return listType(impliedType(spec.nested));
    case 'blockSet':
      return setType(impliedType(spec.nested));
    case 'blockMap':
      return spec.labelNames.reduce<Type>((type) => mapType(type), impliedType(spec.nested));
    case 'blockTuple':
    case 'blockObject':
      return DYNAMIC;
    case 'default':
      return impliedType(spec.primary);
  }
}

/** Returns the schema that extracts the items of a spec from a body; always the same object. */
export function bodySchemaOf(spec: Spec): BodySchema {
  let schema = schemas.get(spec);
  if (schema === undefined) {
    const attributes: AttributeSchema[] = [];
    const blocks: BlockSchema[] = [];
    collectSchema(spec, attributes, blocks);
    schema = { attributes, blocks };
    schemas.set(spec, schema);
  }
  return schema;
}

function collectSchema(spec: Spec, attributes: AttributeSchema[], blocks: BlockSchema[]): void {
  switch (spec.kind) {
    case 'object':
      for (const child of spec.attributes.values()) {
        collectSchema(child, attributes, blocks);
      }
      return;
    case 'attr':
      attributes.push({ name: spec.name, required: spec.required });
      return;
    case 'block':
    case 'blockList':
    case 'blockTuple':
    case 'blockSet':
      blocks.push({ type: spec.type });
      return;
    case 'blockMap':
    case 'blockObject':
      blocks.push({ type: spec.type, labelNames: spec.labelNames });
      return;
    case 'default':
      collectSchema(spec.primary, attributes, blocks);
  }
}

/** The attributes and block types that a spec uses, with their specs. */
export interface SpecMembers {
  readonly blocks: ReadonlyMap<string, Spec>;
  readonly attributes: ReadonlyMap<string, AttrSpec>;
}

const members = new WeakMap<Spec, SpecMembers>();

/** Returns the attributes of a spec, and the specs of its blocks by type. */
export function membersOf(spec: Spec): SpecMembers {
  let result = members.get(spec);
  if (result === undefined) {
    const blocks = new Map<string, Spec>();
    const attributes = new Map<string, AttrSpec>();
    collectMembers(spec, blocks, attributes);
    result = { blocks, attributes };
    members.set(spec, result);
  }
  return result;
}

function collectMembers(
  spec: Spec,
  blocks: Map<string, Spec>,
  attributes: Map<string, AttrSpec>,
): void {
  switch (spec.kind) {
    case 'object':
      for (const child of spec.attributes.values()) {
        collectMembers(child, blocks, attributes);
      }
      return;
    case 'attr':
      attributes.set(spec.name, spec);
      return;
    case 'default':
      collectMembers(spec.primary, blocks, attributes);
      return;
    case 'block':
    case 'blockList':
    case 'blockTuple':
    case 'blockSet':
    case 'blockMap':
    case 'blockObject':
      blocks.set(spec.type, spec.nested);
  }
}
