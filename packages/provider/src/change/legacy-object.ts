import { hasDynamic, list, map, NULL, nullOf, objectOf, set, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { emptyBlockValue } from '../schema/empty-value.ts';
import { blockLayout } from '../schema/layout.ts';
import type { BlockSlot } from '../schema/layout.ts';
import type { BlockSchema } from '../schema/model.ts';

/**
 * Repairs an object of a provider on the legacy SDK (objchange `NormalizeObjectFromLegacySDK`): a nested block is never
 * null or unknown itself, but empty, or one block of unknown values. Values that need no repair are returned unchanged.
 * The object must be unmarked.
 */
export function normalizeLegacyObject(b: BlockSchema, v: Value): Value {
  const layout = blockLayout(b);
  if (v.isNull) return nullOf(layout.type);
  if (v.isKnown && layout.blocks.length === 0) return v;
  const values = v.isKnown ? v.elements().slice() : layout.type.types.map((t) => unknownOf(t));
  let changed = !v.isKnown;
  for (const slot of layout.blocks) {
    const inner = values[slot.index] ?? NULL;
    const repaired = normalizeBlocks(slot, inner);
    if (repaired === inner) continue;
    values[slot.index] = repaired;
    changed = true;
  }
  return changed ? objectOf(layout.type, values) : v;
}

function normalizeBlocks(slot: BlockSlot, v: Value): Value {
  const { nesting, block } = slot.schema;
  const element = blockLayout(block).type;
  // The legacy SDK has neither dynamic types nor maps of blocks, so a schema with them belongs to another SDK.
  if (nesting === 'map' || hasDynamic(element)) return v;
  if (nesting === 'single' || nesting === 'group') {
    if (!v.isKnown) return unknownBlock(block);
    if (v.isNull && nesting === 'group') return emptyBlockValue(slot);
    return v.isNull ? v : normalizeLegacyObject(block, v);
  }
  const collect = nesting === 'list' ? list : set;
  if (!v.isKnown) return collect(element, [unknownBlock(block)]);
  if (v.isNull) return emptyBlockValue(slot);
  const elements = v.elements();
  const repaired = elements.map((inner) => normalizeLegacyObject(block, inner));
  return repaired.every((inner, i) => inner === elements[i]) ? v : collect(element, repaired);
}

/** Returns a block that represents an unknown number of blocks: all its arguments are unknown. */
function unknownBlock(b: BlockSchema): Value {
  const layout = blockLayout(b);
  const values = new Array<Value>(layout.type.names.length).fill(NULL);
  for (const slot of layout.attributes) values[slot.index] = unknownOf(slot.type);
  for (const slot of layout.blocks) {
    const { nesting, block } = slot.schema;
    const element = blockLayout(block).type;
    if (nesting === 'map') values[slot.index] = map(element, []);
    else if (nesting === 'list') values[slot.index] = list(element, [unknownBlock(block)]);
    else if (nesting === 'set') values[slot.index] = set(element, [unknownBlock(block)]);
    else values[slot.index] = unknownBlock(block);
  }
  return objectOf(layout.type, values);
}
