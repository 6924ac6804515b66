import { nullOf, objectOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type { CompiledObject } from './compile.ts';
import { isEmpty } from './empty-values.ts';
import { elementAt, overElements } from './nested-elements.ts';

/**
 * Returns the planned object in which each set element that equals a prior element in its configured values keeps the
 * computed values of that element. Terraform also proposes such elements, but before defaults are applied: an element
 * with a default looks new to it. With `older`, null and empty values are equal, as in the older SDK.
 */
export function matchSets(
  compiled: CompiledObject,
  prior: Value,
  planned: Value,
  older: boolean,
): Value {
  if (prior === planned || !isThere(prior) || !isThere(planned)) return planned;
  const priorElements = prior.elements();
  const values = planned.elements().slice();
  let changed = false;
  for (const { index, nesting, inner } of nestedParts(compiled)) {
    const [before, value] = [priorElements[index], values[index]];
    if (before === undefined || value === undefined) continue;
    const next = matchNested(inner, nesting, before, value, older);
    changed ||= next !== value;
    values[index] = next;
  }
  return changed ? objectOf(compiled.layout.type, values) : planned;
}

function matchNested(
  inner: CompiledObject,
  nesting: string,
  prior: Value,
  planned: Value,
  older: boolean,
): Value {
  if (prior === planned || !isThere(prior) || !isThere(planned)) return planned;
  if (nesting === 'set') return matchSet(inner, prior, planned, older);
  return overElements(inner, nesting, planned, (element, key) => {
    const priorElement = elementAt(nesting, prior, key);
    return priorElement === undefined ? element : matchSets(inner, priorElement, element, older);
  });
}

function matchSet(inner: CompiledObject, prior: Value, planned: Value, older: boolean): Value {
  if (planned.type.kind !== 'set' || planned.rawEquals(prior)) return planned;
  const keys = planned.elements().map((element) => essence(inner, element, older).hash());
  const unmatched = new Map<number, Value[]>();
  for (const element of prior.elements()) {
    const key = essence(inner, element, older).hash();
    unmatched.set(key, [...(unmatched.get(key) ?? []), element]);
  }
  const take = (key: number, fits: (was: Value) => boolean): Value | undefined => {
    const candidates = unmatched.get(key) ?? [];
    const at = candidates.findIndex(fits);
    return at === -1 ? undefined : candidates.splice(at, 1)[0];
  };
  const elements = planned.elements();
  // An unchanged element is not available as the counterpart of another one.
  const same = elements.map((element, i) => take(keys[i] ?? 0, (was) => was.rawEquals(element)));
  return overElements(inner, 'set', planned, (element, _, i) => {
    if (same[i] !== undefined) return element;
    return take(keys[i] ?? 0, (was) => saysTheSame(inner, element, was, older)) ?? element;
  });
}

/** Returns an element without computed values: elements with equal configured values have an equal essence. */
function essence(compiled: CompiledObject, element: Value, older: boolean): Value {
  if (!isThere(element)) return element;
  const values = element.elements().slice();
  for (const { slot, definition } of compiled.attributes) {
    const { index, type } = slot;
    const value = values[index];
    if (definition.computed === true || definition.nested !== undefined)
      values[index] = nullOf(type);
    else if (older && value !== undefined && isEmpty(value)) values[index] = nullOf(type);
  }
  // The number of blocks is not significant; their content is compared later.
  for (const { slot } of compiled.blocks) values[slot.index] = nullOf(slot.type);
  return objectOf(compiled.layout.type, values);
}

/** Returns true if planned and prior object are equal, except for computed values that are not configured. */
function saysTheSame(
  compiled: CompiledObject,
  planned: Value,
  was: Value,
  older: boolean,
): boolean {
  if (!isThere(planned) || !isThere(was)) return planned.rawEquals(was);
  const [now, before] = [planned.elements(), was.elements()];
  const nested = new Set<number>();
  for (const { index, nesting, inner } of nestedParts(compiled)) {
    nested.add(index);
    const [a, b] = [now[index], before[index]];
    if (a === undefined || b === undefined || !nestedSame(inner, nesting, a, b, older))
      return false;
  }
  return compiled.attributes.every(({ slot, definition }) => {
    const [a, b] = [now[slot.index], before[slot.index]];
    if (a === undefined || b === undefined) return false;
    if (nested.has(slot.index) || a.rawEquals(b)) return true;
    return (definition.computed === true && a.isNull) || (older && isEmpty(a) && isEmpty(b));
  });
}

function nestedSame(
  inner: CompiledObject,
  nesting: string,
  planned: Value,
  was: Value,
  older: boolean,
): boolean {
  if (planned.rawEquals(was)) return true;
  if (!isThere(planned) || !isThere(was)) return older && isEmpty(planned) && isEmpty(was);
  if (nesting === 'single' || nesting === 'group') return saysTheSame(inner, planned, was, older);
  if (planned.length !== was.length) return false;
  if (nesting !== 'set') {
    return [...planned.entries()].every(([key, element]) => {
      const before = elementAt(nesting, was, key);
      return before !== undefined && saysTheSame(inner, element, before, older);
    });
  }
  const unmatched = was.elements().slice();
  return planned.elements().every((element) => {
    const at = unmatched.findIndex((before) => saysTheSame(inner, element, before, older));
    if (at >= 0) unmatched.splice(at, 1);
    return at >= 0;
  });
}

interface NestedPart {
  readonly index: number;
  readonly nesting: string;
  readonly inner: CompiledObject;
}

const parts = new WeakMap<CompiledObject, readonly NestedPart[]>();

function nestedParts(compiled: CompiledObject): readonly NestedPart[] {
  let existing = parts.get(compiled);
  if (existing === undefined) {
    existing = [
      ...compiled.attributes.flatMap(({ slot, definition, inner }) =>
        inner === undefined || definition.nested === undefined
          ? []
          : [{ index: slot.index, nesting: definition.nested.nesting, inner }],
      ),
      ...compiled.blocks.map(({ slot, definition, inner }) => ({
        index: slot.index,
        nesting: definition.nesting,
        inner,
      })),
    ];
    parts.set(compiled, existing);
  }
  return existing;
}

function isThere(value: Value): boolean {
  return value.isKnown && !value.isNull;
}
