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
  keysOf,
  sensitiveDiff,
} from './change.ts';
import { type Diff, joinActions, type PartAction } from './diff.ts';
import { isArray, isMap, jsonEqual, jsonKey, jsonKind } from './plain.ts';
import { pairSequences } from './sequence.ts';

/**
 * The diff of values without a declared type, by what they look like as JSON: dynamic attributes,
 * output values and JSON inside strings.
 */
export function jsonDiff(change: Change): Diff {
  const sensitive = sensitiveDiff(change, 'sensitive', jsonDiff);
  if (sensitive !== undefined) return { ...sensitive, replace: false };
  if (change.unknown === true) return unknownJson(change);

  const beforeKind = jsonKind(change.before);
  const afterKind = jsonKind(change.after);
  const deleted = afterKind === 'null' && !change.afterExplicit;
  const created = beforeKind === 'null' && !change.beforeExplicit;
  if (beforeKind === afterKind || created || deleted) {
    return ofKind(change, beforeKind === 'null' ? afterKind : beforeKind);
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

function unknownJson(change: Change): Diff {
  if (change.before === null) {
    return { action: 'create', replace: false, view: { kind: 'unknown', before: undefined } };
  }
  const before = jsonDiff(asDelete({ ...change, afterExplicit: true }));
  return { action: 'update', replace: false, view: { kind: 'unknown', before } };
}

function ofKind(change: Change, kind: ReturnType<typeof jsonKind>): Diff {
  switch (kind) {
    case 'object':
      return objectJson(change);
    case 'array':
      return arrayJson(change);
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

function objectJson(change: Change): Diff {
  let action = actionOfPresence(isMap(change.before), isMap(change.after));
  const attributes = new Map<string, Diff>();
  for (const key of keysOf(change, true)) {
    const child = childAt(change, key);
    const diff = jsonDiff(child.relevant.matchesPartial ? child : asNoOp(child));
    attributes.set(key, diff);
    action = joinActions(action, diff.action);
  }
  return { action, replace: false, view: { kind: 'object', attributes, nested: false } };
}

function arrayJson(change: Change): Diff {
  let action = actionOfPresence(isArray(change.before), isArray(change.after));
  const before = elementsOf(change.before);
  const after = elementsOf(change.after);
  const elements: Diff[] = [];
  pairSequences(
    before.map(jsonKey),
    after.map(jsonKey),
    (b, a) => isObject(before[b]) && isObject(after[a]),
    (b, a) => {
      const diff = jsonDiff(elementAt(change, b, a));
      elements.push(diff);
      action = joinActions(action, diff.action);
    },
  );
  return { action, replace: false, view: { kind: 'list', elements, context: true } };
}

function isObject(node: JsonNode | undefined): boolean {
  return node !== undefined && isMap(node);
}
