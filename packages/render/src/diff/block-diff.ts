import { hasDynamic, type Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema, NestedBlock } from '@terrane/provider';
import {
  allUnknown,
  attributeDiff,
  listElements,
  relevantChild,
  setElements,
  writeOnlyDiff,
} from './attribute-diff.ts';
import {
  actionBeforeParts,
  actionOfPresence,
  asNoOp,
  attributeAt,
  type Change,
  childAt,
  isSensitive,
  keysOf,
  sensitiveDiff,
  unknownDiff,
} from './change.ts';
import { type BlockGroup, type Diff, joinActions, type PartAction } from './diff.ts';
import { isMap } from './plain.ts';

/** Returns the diff of an object or of a nested block. */
export function blockDiff(blockChange: Change, block: BlockSchema): Diff {
  if (isSensitive(blockChange))
    return sensitiveDiff(blockChange, 'sensitive-block', blockDiff, block);
  if (blockChange.unknown === true)
    return unknownDiff(blockChange, allUnknown(block.attributes), blockDiff, block);

  const parts = partsOf(block);
  const change =
    blockChange.modern || !parts.isModern ? blockChange : { ...blockChange, modern: true };
  let action = actionBeforeParts(change);
  const attributes = new Map<string, Diff>();
  for (const { name, attribute } of parts.attributes) {
    const child = attributeAt(change, name);
    if (child === undefined) continue;
    const diff = attributeDiff(child, attribute);
    if (diff.action === 'no-op' && child.before === null && child.after === null) continue;
    attributes.set(name, diff);
    action = joinActions(action, diff.action);
  }

  const groups = new Map<string, BlockGroup>();
  for (const { name, nested } of parts.blocks) {
    const plainChild = childAt(change, name);
    const child = plainChild.relevant.matchesPartial ? plainChild : asNoOp(plainChild);
    const group = groupDiff(child, nested);
    const absent = child.before === null && child.after === null && !group.unknown;
    if (group.action === 'no-op' && absent) continue;
    groups.set(name, group);
    action = joinActions(action, group.action);
  }

  for (const name of parts.writeOnly) attributes.set(name, writeOnlyDiff(change, action));
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'block', attributes, groups },
  };
}

function groupDiff(change: Change, nested: NestedBlock): BlockGroup {
  const { blocks, action } = blocksOf(change, nested);
  return {
    blocks,
    action,
    single: nested.nesting === 'single' || nested.nesting === 'group',
    replace: change.replace.matches,
    beforeSensitive: change.beforeSensitive === true,
    afterSensitive: change.afterSensitive === true,
    unknown: change.unknown === true,
  };
}

function blocksOf(
  change: Change,
  nested: NestedBlock,
): { readonly blocks: BlockGroup['blocks']; readonly action: PartAction } {
  const compute = (inner: Change): Diff => blockDiff(inner, nested.block);
  switch (nested.nesting) {
    case 'single':
    case 'group': {
      const diff = compute(change);
      return { blocks: [{ label: undefined, diff }], action: diff.action };
    }
    case 'list':
    case 'set': {
      const { elements, action } =
        nested.nesting === 'set' ? setElements(change, compute) : listElements(change, compute);
      return { blocks: elements.map((diff) => ({ label: undefined, diff })), action };
    }
    case 'map': {
      let action = actionOfPresence(isMap(change.before), isMap(change.after));
      const blocks = [...keysOf(change, false)].map((label) => {
        const diff = compute(relevantChild(change, label));
        action = joinActions(action, diff.action);
        return { label, diff };
      });
      return { blocks, action };
    }
  }
}

/** The parts of a block schema, in the order of the schema. */
export interface BlockParts {
  /** all attributes that have values */
  readonly attributes: readonly { readonly name: string; readonly attribute: AttributeSchema }[];
  readonly writeOnly: readonly string[];
  readonly blocks: readonly { readonly name: string; readonly nested: NestedBlock }[];
  /** true if the block has a feature that the legacy SDK cannot express */
  readonly isModern: boolean;
}

/** Parts by schema: all objects of a resource type have the same. */
const PARTS = new WeakMap<BlockSchema, BlockParts>();

/** Returns the parts of a block schema. */
export function partsOf(block: BlockSchema): BlockParts {
  let parts = PARTS.get(block);
  if (parts === undefined) {
    const attributes = Object.entries(block.attributes);
    const blocks = Object.entries(block.blocks);
    parts = {
      attributes: attributes
        .filter(([, attribute]) => attribute.writeOnly !== true)
        .map(([name, attribute]) => ({ name, attribute })),
      writeOnly: attributes.flatMap(([name, { writeOnly }]) => (writeOnly === true ? [name] : [])),
      blocks: blocks.map(([name, nested]) => ({ name, nested })),
      isModern:
        blocks.some(([, { nesting }]) => nesting === 'map' || nesting === 'group') ||
        attributes.some(
          ([, { nested, type }]) =>
            nested !== undefined || (type !== undefined && isModernType(type)),
        ),
    };
    PARTS.set(block, parts);
  }
  return parts;
}

function isModernType(type: Type): boolean {
  if (hasDynamic(type)) return true;
  switch (type.kind) {
    case 'tuple':
    case 'object':
      return true;
    case 'list':
    case 'set':
    case 'map': {
      const inner = type.element;
      const nested = inner.kind === 'list' || inner.kind === 'set' || inner.kind === 'map';
      return nested && !isPrimitive(inner.element);
    }
    default:
      return false;
  }
}

function isPrimitive(type: Type): boolean {
  return type.kind === 'bool' || type.kind === 'number' || type.kind === 'string';
}
