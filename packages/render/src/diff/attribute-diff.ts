import { DYNAMIC, type Type } from '@terrane/cty';
import type { AttributeSchema, NestedAttributes } from '@terrane/provider';
import {
  actionBeforeParts,
  actionOf,
  actionOfPresence,
  asNoOp,
  attributeAt,
  type Change,
  childAt,
  elementAt,
  elementsOf,
  isSensitive,
  keysOf,
  sensitiveDiff,
  unknownDiff,
} from './change.ts';
import { type Diff, joinActions, type PartAction } from './diff.ts';
import { jsonDiff } from './json-diff.ts';
import { EVERYWHERE } from './matcher.ts';
import { type Flags, isArray, isMap, jsonKey } from './plain.ts';
import { pairSequences, pairSets } from './sequence.ts';

/** The diff of one attribute of a block or of a nested attribute. */
export function attributeDiff(change: Change, attribute: AttributeSchema): Diff {
  if (attribute.nested !== undefined) return nestedDiff(change, attribute.nested);
  return attribute.type === undefined ? jsonDiff(change) : typedDiff(change, attribute.type);
}

/** The diff of a write-only attribute: it never has a value, so it only follows what holds it. */
export function writeOnlyDiff(change: Change, holder: PartAction): Diff {
  return {
    action: holder === 'update' ? 'no-op' : holder,
    replace: change.replace.matches,
    view: {
      kind: 'write-only',
      sensitive: change.beforeSensitive === true || change.afterSensitive === true,
    },
  };
}

/** The diff of a value of a declared type. */
export function typedDiff(typedChange: Change, type: Type): Diff {
  const change = typedChange.modern ? typedChange : emptyAsNull(typedChange);
  if (isSensitive(change)) return sensitiveDiff(change, 'sensitive', typedDiff, type);
  if (change.unknown === true) return unknownDiff(change, false, typedDiff, type);
  switch (type.kind) {
    case 'dynamic':
    case 'capsule':
      return jsonDiff(change);
    case 'bool':
    case 'number':
    case 'string':
      return {
        action: actionOf(change),
        replace: change.replace.matches,
        view: {
          kind: 'primitive',
          before: change.before,
          after: change.after,
          text: type.kind === 'string',
        },
      };
    case 'object':
      return objectDiff(change, type.names, type.types);
    case 'map':
      return mapDiff(change, type.element);
    case 'list':
      return listDiff(change, type.element);
    case 'tuple':
      return tupleDiff(change, type.elements);
    case 'set':
      return setDiff(change, (element) => typedDiff(element, type.element), false);
  }
}

/**
 * Returns the diff of an output value. Its type is ignored; but if it is sensitive or becomes unknown, empty strings
 * count as null, as in attributes.
 */
export function outputDiff(change: Change): Diff {
  if (isSensitive(change)) return sensitiveDiff(change, 'sensitive', typedDiff, DYNAMIC);
  return change.unknown === true
    ? unknownDiff(change, false, typedDiff, DYNAMIC)
    : jsonDiff(change);
}

// The old SDK does not distinguish an empty string from null and may return either.
function emptyAsNull(change: Change): Change {
  if (change.before !== '' && change.after !== '') return change;
  return {
    ...change,
    before: change.before === '' ? null : change.before,
    after: change.after === '' ? null : change.after,
  };
}

function objectDiff(change: Change, names: readonly string[], types: readonly Type[]): Diff {
  let action = actionBeforeParts(change);
  const attributes = new Map<string, Diff>();
  names.forEach((name, i) => {
    const type = types[i];
    const child = attributeAt(change, name);
    if (type === undefined || child === undefined) return;
    const diff = typedDiff(child, type);
    if (isNothing(diff, child)) return;
    attributes.set(name, diff);
    action = joinActions(action, diff.action);
  });
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'object', attributes, nested: false },
  };
}

/** Null before and after: not even counted as unchanged. */
function isNothing(diff: Diff, child: Change): boolean {
  return diff.action === 'no-op' && child.before === null && child.after === null;
}

function mapDiff(change: Change, element: Type): Diff {
  let action = actionOfPresence(isMap(change.before), isMap(change.after));
  const elements = new Map<string, Diff>();
  for (const key of keysOf(change, true)) {
    const diff = typedDiff(relevantChild(change, key), element);
    elements.set(key, diff);
    action = joinActions(action, diff.action);
  }
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'map', elements, nested: false },
  };
}

/** Returns the change of a map element; unchanged if it is not relevant. */
export function relevantChild(change: Change, key: string): Change {
  const child = childAt(change, key);
  return child.relevant.matchesPartial ? child : asNoOp(child);
}

/** Returns the change of an element at a position; unchanged if it is not relevant. */
function relevantElement(change: Change, index: number): Change {
  const child = elementAt(change, index, index);
  return child.relevant.matchesPartial ? child : asNoOp(child);
}

function listDiff(change: Change, element: Type): Diff {
  let action = actionOfPresence(isArray(change.before), isArray(change.after));
  const objects = element.kind === 'object';
  const elements: Diff[] = [];
  pairSequences(
    elementsOf(change.before).map(jsonKey),
    elementsOf(change.after).map(jsonKey),
    () => objects,
    (before, after) => {
      // All elements of a relevant list are relevant, because positions shift between before and after.
      const child = { ...elementAt(change, before, after), relevant: EVERYWHERE };
      const diff = typedDiff(child, element);
      elements.push(diff);
      action = joinActions(action, diff.action);
    },
  );
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'list', elements, context: true },
  };
}

function tupleDiff(change: Change, types: readonly Type[]): Diff {
  let action = actionBeforeParts(change);
  const elements = types.map((type, i) => {
    const diff = typedDiff(relevantElement(change, i), type);
    action = joinActions(action, diff.action);
    return diff;
  });
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'list', elements, context: true },
  };
}

function setDiff(change: Change, compute: (element: Change) => Diff, nested: boolean): Diff {
  const { elements, action } = setElements(change, compute);
  return { action, replace: change.replace.matches, view: { kind: 'set', elements, nested } };
}

/** The diffs of the elements of a set, in the order in which they are shown. */
export function setElements(
  change: Change,
  compute: (element: Change) => Diff,
): { readonly elements: readonly Diff[]; readonly action: PartAction } {
  let action = actionBeforeParts(change);
  const elements: Diff[] = [];
  pairSets(
    elementsOf(change.before).map(
      (node, i) => sensitivity(change.beforeSensitive, i) + jsonKey(node),
    ),
    elementsOf(change.after).map((node, i) =>
      indexFlag(change.unknown, i) === true
        ? undefined
        : sensitivity(change.afterSensitive, i) + jsonKey(node),
    ),
    (before, after) => {
      const diff = compute({ ...elementAt(change, before, after), relevant: EVERYWHERE });
      elements.push(diff);
      action = joinActions(action, diff.action);
    },
  );
  return { elements, action };
}

function sensitivity(flags: Flags, index: number): string {
  return indexFlag(flags, index) === true ? 's' : '';
}

function indexFlag(flags: Flags, index: number): Flags {
  return Array.isArray(flags) ? ((flags as readonly Flags[])[index] ?? false) : false;
}

// ---------- nested attributes ----------

const SINGLE = new WeakMap<NestedAttributes, NestedAttributes>();

/** The schema of one element of a nested attribute. */
function singleOf(nested: NestedAttributes): NestedAttributes {
  let single = SINGLE.get(nested);
  if (single === undefined) {
    single = { nesting: 'single', attributes: nested.attributes };
    SINGLE.set(nested, single);
  }
  return single;
}

const ALL_UNKNOWN = new WeakMap<object, Flags>();

/** Returns flags that mark every attribute as unknown. */
export function allUnknown(attributes: Readonly<Record<string, AttributeSchema>>): Flags {
  let flags = ALL_UNKNOWN.get(attributes);
  if (flags === undefined) {
    flags = new Map(Object.keys(attributes).map((name) => [name, true]));
    ALL_UNKNOWN.set(attributes, flags);
  }
  return flags;
}

function nestedDiff(change: Change, nested: NestedAttributes): Diff {
  if (isSensitive(change)) return sensitiveDiff(change, 'sensitive', nestedDiff, nested);
  if (change.unknown === true)
    return unknownDiff(change, allUnknown(nested.attributes), nestedDiff, nested);
  switch (nested.nesting) {
    case 'single':
      return nestedObjectDiff(change, nested);
    case 'map':
      return nestedMapDiff(change, nested);
    case 'list':
      return nestedListDiff(change, nested);
    case 'set':
      return setDiff(change, (element) => nestedDiff(element, singleOf(nested)), true);
  }
}

function nestedObjectDiff(change: Change, nested: NestedAttributes): Diff {
  let action = actionBeforeParts(change);
  const attributes = new Map<string, Diff>();
  const writeOnly: string[] = [];
  for (const [name, attribute] of Object.entries(nested.attributes)) {
    if (attribute.writeOnly === true) {
      writeOnly.push(name);
      continue;
    }
    const child = attributeAt(change, name);
    if (child === undefined) continue;
    const diff = attributeDiff(child, attribute);
    if (isNothing(diff, child)) continue;
    attributes.set(name, diff);
    action = joinActions(action, diff.action);
  }
  for (const name of writeOnly)
    attributes.set(name, writeOnlyDiff(relevantChild(change, name), action));
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'object', attributes, nested: true },
  };
}

function nestedMapDiff(change: Change, nested: NestedAttributes): Diff {
  let action = actionOfPresence(isMap(change.before), isMap(change.after));
  const elements = new Map<string, Diff>();
  for (const key of keysOf(change, false)) {
    const diff = nestedDiff(relevantChild(change, key), singleOf(nested));
    elements.set(key, diff);
    action = joinActions(action, diff.action);
  }
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'map', elements, nested: true },
  };
}

function nestedListDiff(change: Change, nested: NestedAttributes): Diff {
  const { elements, action } = listElements(change, (element) =>
    nestedDiff(element, singleOf(nested)),
  );
  return {
    action,
    replace: change.replace.matches,
    view: { kind: 'list', elements, context: false },
  };
}

/** The diffs of elements that are compared position by position. */
export function listElements(
  change: Change,
  compute: (element: Change) => Diff,
): { readonly elements: readonly Diff[]; readonly action: PartAction } {
  let action = actionBeforeParts(change);
  const length = Math.max(elementsOf(change.before).length, elementsOf(change.after).length);
  const elements: Diff[] = [];
  for (let i = 0; i < length; i++) {
    const diff = compute(relevantElement(change, i));
    elements.push(diff);
    action = joinActions(action, diff.action);
  }
  return { elements, action };
}
