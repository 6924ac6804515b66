import type { JsonNode } from '@terrane/cty';
import {
  actionOfPresence,
  asCreate,
  asDelete,
  asNoOp,
  type Change,
  childAt,
  elementAt,
  elementsOf,
  isSensitive,
  keysOf,
  sensitiveDiff,
} from './change.ts';
import { type Diff, joinActions, type PartAction } from './diff.ts';
import { isArray, isMap, jsonEqual, jsonKey, jsonKind } from './plain.ts';
import { pairSequences } from './sequence.ts';

/** Pairs array elements by content rather than by order. */
export interface ArrayPairing {
  /** both sides, with a single value converted to a list if it represents one */
  readonly lists: (before: JsonNode, after: JsonNode) => readonly [JsonNode, JsonNode];
  /** Pairs the elements of the array under a name, in display order; returns false to use the default. */
  readonly pair: (
    name: string,
    before: readonly JsonNode[],
    after: readonly JsonNode[],
    pair: (beforeIndex: number, afterIndex: number) => void,
  ) => boolean;
}

interface Position {
  readonly pairing: ArrayPairing | undefined;
  readonly name: string;
}

/**
 * Returns the diff of values without a declared type, by their JSON form: dynamic attributes, output values and JSON in
 * strings. `name` is the name of the attribute, if any.
 */
export function jsonDiff(jsonChange: Change, pairing?: ArrayPairing, name = ''): Diff {
  if (isSensitive(jsonChange)) {
    const sensitive = sensitiveDiff(jsonChange, 'sensitive', plainJsonDiff, { pairing, name });
    return { ...sensitive, replace: false };
  }
  const change = pairing === undefined ? jsonChange : withLists(jsonChange, pairing);
  if (change.unknown === true) return unknownJson(change);

  const beforeKind = jsonKind(change.before);
  const afterKind = jsonKind(change.after);
  const deleted = afterKind === 'null' && !change.afterExplicit;
  const created = beforeKind === 'null' && !change.beforeExplicit;
  if (beforeKind === afterKind || created || deleted) {
    return ofKind(change, beforeKind === 'null' ? afterKind : beforeKind, pairing, name);
  }
  return {
    action: 'update',
    replace: false,
    view: {
      kind: 'type-change',
      before: ofKind(asDelete(change), beforeKind),
      after: ofKind(asCreate(change), afterKind),
    },
  };
}

function plainJsonDiff(change: Change, { pairing, name }: Position): Diff {
  return jsonDiff(change, pairing, name);
}

function withLists(change: Change, pairing: ArrayPairing): Change {
  const [before, after] = pairing.lists(change.before, change.after);
  return { ...change, before, after };
}

function unknownJson(change: Change): Diff {
  if (change.before === null) {
    return { action: 'create', replace: false, view: { kind: 'unknown', before: undefined } };
  }
  const before = jsonDiff(asDelete({ ...change, afterExplicit: true }));
  return { action: 'update', replace: false, view: { kind: 'unknown', before } };
}

function ofKind(
  change: Change,
  kind: ReturnType<typeof jsonKind>,
  pairing?: ArrayPairing,
  name = '',
): Diff {
  switch (kind) {
    case 'object':
      return objectJson(change, pairing);
    case 'array':
      return arrayJson(change, pairing, name);
    case 'null':
    case 'bool':
    case 'number':
    case 'string':
      return {
        action: primitiveAction(change),
        replace: false,
        view: {
          kind: 'primitive',
          before: change.before,
          after: change.after,
          text: kind === 'string',
        },
      };
  }
}

function primitiveAction(change: Change): PartAction {
  const beforeMissing = change.before === null && !change.beforeExplicit;
  const afterMissing = change.after === null && !change.afterExplicit;
  if (beforeMissing && !afterMissing) return 'create';
  if (!beforeMissing && afterMissing) return 'delete';
  return jsonEqual(change.before, change.after) ? 'no-op' : 'update';
}

function objectJson(change: Change, pairing: ArrayPairing | undefined): Diff {
  let action = actionOfPresence(isMap(change.before), isMap(change.after));
  const attributes = new Map<string, Diff>();
  for (const key of keysOf(change, true)) {
    const child = childAt(change, key);
    const diff = jsonDiff(child.relevant.matchesPartial ? child : asNoOp(child), pairing, key);
    attributes.set(key, diff);
    action = joinActions(action, diff.action);
  }
  return { action, replace: false, view: { kind: 'object', attributes, nested: false } };
}

function arrayJson(change: Change, pairing: ArrayPairing | undefined, name: string): Diff {
  let action = actionOfPresence(isArray(change.before), isArray(change.after));
  const before = elementsOf(change.before);
  const after = elementsOf(change.after);
  const elements: Diff[] = [];
  const pair = (b: number, a: number): void => {
    const diff = jsonDiff(elementAt(change, b, a), pairing);
    elements.push(diff);
    action = joinActions(action, diff.action);
  };
  if (pairing?.pair(name, before, after, pair) !== true) {
    pairSequences(
      before.map(jsonKey),
      after.map(jsonKey),
      (b, a) => isObject(before[b]) && isObject(after[a]),
      pair,
    );
  }
  return { action, replace: false, view: { kind: 'list', elements, context: true } };
}

function isObject(node: JsonNode | undefined): boolean {
  return node !== undefined && isMap(node);
}
