import { indexStep } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { blockLayout, nestedLayout } from './layout.ts';
import type { Layout } from './layout.ts';
import type { AttributeSchema, BlockSchema, NestedAttributes } from './model.ts';

type Flag = 'sensitive' | 'writeOnly';

/** Returns true if some argument of the block, at any depth, is sensitive. */
export function containsSensitive(b: BlockSchema): boolean {
  return blockLayout(b).sensitive;
}

/** Returns true if some argument of the block, at any depth, is write-only. */
export function containsWriteOnly(b: BlockSchema): boolean {
  return blockLayout(b).writeOnly;
}

/**
 * Returns the paths into `v` that the schema declares sensitive (configschema `SensitivePaths`). Null and unknown
 * blocks have none. Marks on `v` are ignored.
 */
export function sensitivePaths(b: BlockSchema, v: Value): Path[] {
  const layout = blockLayout(b);
  const paths: Path[] = [];
  if (layout.sensitive) blockPaths('sensitive', layout, v, [], paths);
  return paths;
}

/** Paths into `v` that the schema declares write-only (configschema `WriteOnlyPaths`). */
export function writeOnlyPaths(b: BlockSchema, v: Value): Path[] {
  const layout = blockLayout(b);
  const paths: Path[] = [];
  if (layout.writeOnly) blockPaths('writeOnly', layout, v, [], paths);
  return paths;
}

function blockPaths(flag: Flag, layout: Layout, marked: Value, base: Path, out: Path[]): void {
  const v = marked.isMarked ? marked.unmark() : marked;
  if (v.isNull || !v.isKnown) return;
  for (const slot of layout.attributes) {
    if (slot.schema[flag] === true) out.push([...base, slot.step]);
  }
  const values = v.elements();
  for (const slot of layout.attributes) {
    const nested = relevant(slot.schema, flag);
    const inner = nested && values[slot.index];
    if (inner) nestedPaths(flag, nested, inner, [...base, slot.step], out);
  }
  for (const slot of layout.blocks) {
    const inside = blockLayout(slot.schema.block);
    const blockValue = values[slot.index];
    if (!inside[flag] || blockValue === undefined) continue;
    const path = [...base, slot.step];
    const inner = blockValue.isMarked ? blockValue.unmark() : blockValue;
    if (inner.isNull || !inner.isKnown) continue;
    if (slot.schema.nesting === 'single' || slot.schema.nesting === 'group') {
      blockPaths(flag, inside, inner, path, out);
    } else {
      for (const [key, element] of inner.entries()) {
        blockPaths(flag, inside, element, [...path, indexStep(key)], out);
      }
    }
  }
}

function relevant(schema: AttributeSchema, flag: Flag): NestedAttributes | undefined {
  return schema.nested && nestedLayout(schema.nested)[flag] ? schema.nested : undefined;
}

function nestedPaths(
  flag: Flag,
  nested: NestedAttributes,
  marked: Value,
  base: Path,
  out: Path[],
): void {
  const v = marked.isMarked ? marked.unmark() : marked;
  if (v.isNull || !v.isKnown) return;
  if (nested.nesting === 'single') {
    nestedObjectPaths(flag, nested, v, base, out);
    return;
  }
  for (const [key, element] of v.entries()) {
    nestedObjectPaths(flag, nested, element, [...base, indexStep(key)], out);
  }
}

function nestedObjectPaths(
  flag: Flag,
  nested: NestedAttributes,
  marked: Value,
  base: Path,
  out: Path[],
): void {
  const v = marked.isMarked ? marked.unmark() : marked;
  if (v.isNull) return;
  // An unknown element has the paths of its own attributes nevertheless, but no nested ones.
  const values = v.isKnown ? v.elements() : [];
  for (const slot of nestedLayout(nested).attributes) {
    if (slot.schema[flag] === true) {
      out.push([...base, slot.step]);
      continue;
    }
    const inside = relevant(slot.schema, flag);
    const inner = inside && values[slot.index];
    if (inside && inner) nestedPaths(flag, inside, inner, [...base, slot.step], out);
  }
}
