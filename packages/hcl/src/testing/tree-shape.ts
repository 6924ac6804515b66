import { Value } from '@terrane/cty';
import { showValue } from './show-value.ts';

/** Returns a syntax tree without positions, for comparisons. */
export function treeShape(node: unknown): unknown {
  if (node instanceof Value) return showValue(node);
  if (node instanceof Map) return [...node.values()].map(treeShape);
  if (Array.isArray(node)) return node.map(treeShape);
  if (typeof node !== 'object' || node === null) return node;
  const fields = Object.entries(node).filter(
    ([name]) => !/range$|^(?:hidden|last[SC]|labelRanges$|item$)/i.test(name),
  );
  return Object.fromEntries(fields.map(([name, value]) => [name, treeShape(value)]));
}
