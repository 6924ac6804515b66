import type { ObjectType, Type } from '@terrane/cty';
import { withoutOptional } from '@terrane/cty';
import { attributeConstraint, blockLayout } from './layout.ts';
import type { AttributeSchema, BlockSchema } from './model.ts';

/**
 * Returns the object type of a block's values (configschema `ImpliedType`): one attribute for each argument and each
 * nested block type. Lists and maps of blocks with a dynamically typed argument are of dynamic type. Cached per schema
 * object.
 */
export function impliedType(b: BlockSchema): ObjectType {
  return blockLayout(b).type;
}

/** The type of the value of one argument. */
export function attributeType(a: AttributeSchema): Type {
  return a.nested === undefined ? attributeConstraint(a) : withoutOptional(attributeConstraint(a));
}
