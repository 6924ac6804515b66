import { NULL, nullOf, objectOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { keepOne } from './codec.ts';
import type { CompiledAttribute, CompiledObject } from './compile.ts';
import { elementAt, overElements } from './nested-elements.ts';

/** Keeps the previous values of an object that are semantically equal to the new ones. */
export function keepMeaning(object: CompiledObject, before: Value, after: Value): Value {
  return object.keeps ? keepIn(object, before, after, keepOfAttribute) : after;
}

/**
 * Variant of `keepMeaning` for plans: a planned attribute must equal its configuration or its prior value as a whole,
 * so that the prior value is kept only if all of the attribute is equivalent.
 */
export function keepMeaningOfPlan(object: CompiledObject, prior: Value, planned: Value): Value {
  return keepIn(object, prior, planned, (attribute, before, after) => {
    if (attribute.definition.keepInPlans !== true) return after;
    return keepOfAttribute(attribute, before, after).rawEquals(before) ? before : after;
  });
}

type KeepAttribute = (attribute: CompiledAttribute, before: Value, after: Value) => Value;

const keepOfAttribute: KeepAttribute = ({ definition }, before, after) =>
  definition.keep === undefined ? after : keepOne(definition.keep, before, after);

function keepIn(object: CompiledObject, before: Value, after: Value, keep: KeepAttribute): Value {
  if (before === after || !object.keeps) return after;
  if (before.isNull || after.isNull || !before.isKnown || !after.isKnown) return after;
  const priorElements = before.elements();
  const values = after.elements().slice();
  let changed = false;
  const put = (index: number, value: Value): void => {
    changed ||= values[index] !== value;
    values[index] = value;
  };
  for (const attribute of object.attributes) {
    const { index, type } = attribute.slot;
    const [a, b] = [priorElements[index] ?? nullOf(type), values[index] ?? NULL];
    const { nested } = attribute.definition;
    const inner =
      attribute.inner && nested ? keepNested(attribute.inner, nested.nesting, a, b, keep) : b;
    put(index, keep(attribute, a, inner));
  }
  for (const { slot, definition, inner } of object.blocks) {
    const [a, b] = [priorElements[slot.index] ?? nullOf(slot.type), values[slot.index] ?? NULL];
    put(slot.index, keepNested(inner, definition.nesting, a, b, keep));
  }
  return changed ? objectOf(object.layout.type, values) : after;
}

function keepNested(
  inner: CompiledObject,
  nesting: string,
  before: Value,
  after: Value,
  keep: KeepAttribute,
): Value {
  if (!inner.keeps || before === after || before.isNull || !before.isKnown) return after;
  if (nesting === 'set') return keepSet(inner, before, after, keep);
  return overElements(inner, nesting, after, (element, key) => {
    const priorElement = elementAt(nesting, before, key);
    return priorElement === undefined ? element : keepIn(inner, priorElement, element, keep);
  });
}

/** Elements of sets have no position: each is compared with the unmatched previous ones. */
function keepSet(inner: CompiledObject, before: Value, after: Value, keep: KeepAttribute): Value {
  const open = before.elements().slice();
  return overElements(inner, 'set', after, (element) => {
    const same = open.findIndex((was) => was.rawEquals(element));
    const at =
      same === -1
        ? open.findIndex((was) => keepIn(inner, was, element, keep).rawEquals(was))
        : same;
    return at === -1 ? element : (open.splice(at, 1)[0] ?? element);
  });
}
