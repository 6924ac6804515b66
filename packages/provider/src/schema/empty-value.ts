import {
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  list,
  map,
  NULL,
  nullOf,
  objectOf,
  set,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { blockLayout } from './layout.ts';
import type { BlockSlot } from './layout.ts';
import type { BlockSchema } from './model.ts';

const emptyValues = new WeakMap<BlockSchema, Value>();

/**
 * Returns the value of an empty block: all arguments null, no nested blocks (configschema `EmptyValue`). Cached per
 * schema object.
 */
export function emptyValue(b: BlockSchema): Value {
  let value = emptyValues.get(b);
  if (value === undefined) {
    const layout = blockLayout(b);
    const values: Value[] = new Array<Value>(layout.type.names.length).fill(NULL);
    for (const slot of layout.attributes) values[slot.index] = nullOf(slot.type);
    for (const slot of layout.blocks) values[slot.index] = emptyBlockValue(slot);
    value = objectOf(layout.type, values);
    emptyValues.set(b, value);
  }
  return value;
}

/** Returns the value of a nested block type without any blocks. */
export function emptyBlockValue(slot: BlockSlot): Value {
  const { nesting, block } = slot.schema;
  const element = blockLayout(block).type;
  switch (nesting) {
    case 'single':
      return nullOf(element);
    case 'group':
      return emptyValue(block);
    case 'list':
      return slot.type.kind === 'list' ? list(element, []) : EMPTY_TUPLE_VALUE;
    case 'map':
      return slot.type.kind === 'map' ? map(element, []) : EMPTY_OBJECT_VALUE;
    case 'set':
      return set(element, []);
  }
}
