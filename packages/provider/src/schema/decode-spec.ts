import type { Spec } from '@terrane/hcl';
import { emptyValue } from './empty-value.ts';
import { blockLayout } from './layout.ts';
import type { BlockSlot } from './layout.ts';
import type { BlockSchema } from './model.ts';

const specs = new WeakMap<BlockSchema, Spec>();
const LABEL_NAMES: readonly string[] = ['key'];

/**
 * Returns the decoding specification of a block for `decodeBody` (configschema `DecoderSpec`). It is created once per
 * schema object, so that caches keyed by specification work.
 */
export function decodeSpec(b: BlockSchema): Spec {
  let spec = specs.get(b);
  if (spec === undefined) {
    const layout = blockLayout(b);
    const attributes = new Map<string, Spec>();
    for (const slot of layout.attributes) {
      const { required = false, nested } = slot.schema;
      const attribute = { kind: 'attr', name: slot.name, type: slot.constraint, required } as const;
      attributes.set(slot.name, nested === undefined ? attribute : { ...attribute, nested: true });
    }
    for (const slot of layout.blocks) attributes.set(slot.name, nestedSpec(slot));
    spec = { kind: 'object', attributes, ...(b.computed === true && { computed: true }) };
    specs.set(b, spec);
  }
  return spec;
}

function nestedSpec(slot: BlockSlot): Spec {
  const { nesting, block, minItems: min = 0, maxItems: max = 0 } = slot.schema;
  const type = slot.name;
  const nested = decodeSpec(block);
  switch (nesting) {
    case 'single':
      return { kind: 'block', type, required: min === 1, nested };
    case 'group': {
      const primary: Spec = { kind: 'block', type, required: min === 1, nested };
      return { kind: 'default', primary, fallback: emptyValue(block) };
    }
    case 'list': {
      const kind = slot.type.kind === 'list' ? 'blockList' : 'blockTuple';
      return { kind, type, min, max, nested };
    }
    case 'set':
      return { kind: 'blockSet', type, min, max, nested };
    case 'map': {
      const kind = slot.type.kind === 'map' ? 'blockMap' : 'blockObject';
      return { kind, type, labelNames: LABEL_NAMES, nested };
    }
  }
}
