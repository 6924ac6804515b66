import type { JsonNode } from '@terrane/cty';
import type { ArrayPairing } from './json-diff.ts';
import { isArray, isMap, jsonKey } from './plain.ts';

/**
 * Returns true if JSON is a policy as AWS and those who follow it have them: statements that allow or deny.
 */
export function isPolicy(node: JsonNode): boolean {
  if (!isMap(node)) return false;
  const statements = node.get('Statement') ?? null;
  const each = isArray(statements) ? statements : [statements];
  return each.length > 0 && each.every((statement) => isMap(statement) && statement.has('Effect'));
}

/**
 * Pairs the parts of policies: statements by their `Sid`, and actions, resources and principals by value, since their
 * order is irrelevant; a single one need not be in a list.
 */
export const POLICY_PAIRING: ArrayPairing = {
  lists: (before, after) => {
    if (typeof before === 'string' && isStrings(after)) return [[before], after];
    if (typeof after === 'string' && isStrings(before)) return [before, [after]];
    return [before, after];
  },
  pair: (name, before, after, pair) => {
    if (name === 'Statement') pairByKey(before, after, sidOf, pair);
    else if (isStrings(before) && isStrings(after)) pairByKey(before, after, () => undefined, pair);
    else return false;
    return true;
  },
};

function isStrings(node: JsonNode): node is readonly string[] {
  return isArray(node) && node.every((element) => typeof element === 'string');
}

function sidOf(node: JsonNode): string | undefined {
  const sid = isMap(node) ? node.get('Sid') : undefined;
  return typeof sid === 'string' && sid !== '' ? sid : undefined;
}

/**
 * Pairs equal elements, then elements with equal keys, then objects without key by position; the others are added or
 * removed.
 */
function pairByKey(
  before: readonly JsonNode[],
  after: readonly JsonNode[],
  keyOf: (node: JsonNode) => string | undefined,
  pair: (beforeIndex: number, afterIndex: number) => void,
): void {
  const partners: (number | undefined)[] = after.map(() => undefined);
  const isPaired = before.map(() => false);
  const match = (key: (node: JsonNode) => string | undefined): void => {
    const open = new Map<string, number[]>();
    before.forEach((node, i) => {
      const elementKey = isPaired[i] === true ? undefined : key(node);
      if (elementKey === undefined) return;
      const positions = open.get(elementKey);
      if (positions === undefined) open.set(elementKey, [i]);
      else positions.push(i);
    });
    after.forEach((node, i) => {
      if (partners[i] !== undefined) return;
      const position = open.get(key(node) ?? '\0')?.shift();
      if (position === undefined) return;
      partners[i] = position;
      isPaired[position] = true;
    });
  };
  match(jsonKey);
  match(keyOf);
  match((node) => (isMap(node) && keyOf(node) === undefined ? 'without key' : undefined));

  let next = 0;
  const addRemovedUpTo = (end: number): void => {
    for (; next < end; next++) if (isPaired[next] !== true) pair(next, after.length);
  };
  after.forEach((_, i) => {
    const partner = partners[i];
    if (partner !== undefined) addRemovedUpTo(partner);
    pair(partner ?? before.length, i);
  });
  addRemovedUpTo(before.length);
}
