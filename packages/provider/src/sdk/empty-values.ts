import { number, objectOf, type Value } from '@terrane/cty';
import type { CompiledObject } from './compile.ts';
import { elementAt, overElements } from './nested-elements.ts';

/**
 * Returns the planned object with previous empty values: the older SDK does not distinguish null from an empty string,
 * zero, false or an empty collection, so that none of these is a change of the other. Blocks in lists are compared by
 * position; for sets see `matchSets`.
 */
export function keepEmpty(compiled: CompiledObject, prior: Value, planned: Value): Value {
  if (prior === planned || !isKnownValue(prior) || !isKnownValue(planned)) return planned;
  const priorElements = prior.elements();
  const values = planned.elements().slice();
  let changed = false;
  const put = (index: number, value: Value): void => {
    changed ||= value !== values[index];
    values[index] = value;
  };
  for (const { slot, definition } of compiled.attributes) {
    const [before, value] = [priorElements[slot.index], values[slot.index]];
    if (before === undefined || value === undefined || definition.writeOnly === true) continue;
    if (isEmpty(before) && isEmpty(value)) put(slot.index, before);
  }
  for (const { slot, definition, inner } of compiled.blocks) {
    const [before, value] = [priorElements[slot.index], values[slot.index]];
    if (before === undefined || value === undefined || definition.nesting === 'set') continue;
    const keptElements = overElements(inner, definition.nesting, value, (element, key) => {
      const same = elementAt(definition.nesting, before, key);
      return same === undefined ? element : keepEmpty(inner, same, element);
    });
    put(slot.index, keptElements);
  }
  return changed ? objectOf(compiled.layout.type, values) : planned;
}

/** Returns true for null and for the values that the older SDK does not distinguish from null. */
export function isEmpty(value: Value): boolean {
  if (!value.isKnown) return false;
  if (value.isNull) return true;
  switch (value.type.kind) {
    case 'string':
      return value.asString() === '';
    case 'number':
      return value.rawEquals(number(0));
    case 'bool':
      return !value.asBool();
    case 'list':
    case 'set':
    case 'map':
      return value.length === 0;
    default:
      return false;
  }
}

function isKnownValue(value: Value): boolean {
  return value.isKnown && !value.isNull;
}
