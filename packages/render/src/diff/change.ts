import type { JsonNode } from '@terrane/cty';
import type { Diff, PartAction } from './diff.ts';
import { EVERYWHERE, type Matcher, NOWHERE } from './matcher.ts';
import { type Flags, isArray, isMap, jsonEqual } from './plain.ts';

/**
 * A value before and after, with its unknown and sensitive parts. "Explicit" distinguishes a configured null from an
 * absent value.
 */
export interface Change {
  readonly before: JsonNode;
  readonly after: JsonNode;
  readonly beforeExplicit: boolean;
  readonly afterExplicit: boolean;
  readonly unknown: Flags;
  readonly beforeSensitive: Flags;
  readonly afterSensitive: Flags;
  /** paths that force replacement */
  readonly replace: Matcher;
  /** paths that are worth showing */
  readonly relevant: Matcher;
  /**
   * True if the object cannot come from the legacy SDK, which does not distinguish empty and null strings; only set
   * below a block whose schema shows it.
   */
  readonly modern: boolean;
}

/** Returns the change of an object or output value. */
export function wholeChange(
  before: JsonNode,
  after: JsonNode,
  flags: {
    readonly unknown?: Flags;
    readonly beforeSensitive?: Flags;
    readonly afterSensitive?: Flags;
    readonly replace?: Matcher;
    readonly relevant?: Matcher;
  } = {},
): Change {
  return {
    before,
    after,
    beforeExplicit: false,
    afterExplicit: false,
    unknown: flags.unknown ?? false,
    beforeSensitive: flags.beforeSensitive ?? false,
    afterSensitive: flags.afterSensitive ?? false,
    replace: flags.replace ?? NOWHERE,
    relevant: flags.relevant ?? EVERYWHERE,
    modern: false,
  };
}

/** Returns a change without difference: the value before is also the value after. */
export function asNoOp(change: Change): Change {
  return {
    ...change,
    after: change.before,
    afterExplicit: change.beforeExplicit,
    unknown: false,
    afterSensitive: change.beforeSensitive,
    modern: false,
  };
}

/** Returns the change as a deletion. */
export function asDelete(change: Change, unknown: Flags = false): Change {
  return {
    ...change,
    after: null,
    afterExplicit: false,
    unknown,
    afterSensitive: false,
    modern: false,
  };
}

/** The value after appears. */
export function asCreate(change: Change): Change {
  return { ...change, before: null, beforeExplicit: false, beforeSensitive: false, modern: false };
}

/** The change of one attribute or map element. */
export function childAt(change: Change, key: string): Change {
  return child(change, key, nodeAt(change.before, key), nodeAt(change.after, key), true);
}

/**
 * Variant of {@link childAt} for attributes of objects and blocks: their nulls are never explicit, and hidden
 * attributes do not change. Undefined if the attribute is null before and after, and known: it is not part of a diff.
 */
export function attributeAt(change: Change, name: string): Change | undefined {
  const before = nodeAt(change.before, name) ?? null;
  const after = nodeAt(change.after, name) ?? null;
  if (before === null && after === null && flagAt(change.unknown, name) === false) return undefined;
  const attribute = child(change, name, before, after, false);
  return attribute.relevant.matchesPartial ? attribute : asNoOp(attribute);
}

function child(
  change: Change,
  key: string,
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  explicit: boolean,
): Change {
  return {
    before: before ?? null,
    after: after ?? null,
    beforeExplicit: explicit && before !== undefined,
    afterExplicit: explicit && after !== undefined,
    unknown: flagAt(change.unknown, key),
    beforeSensitive: flagAt(change.beforeSensitive, key),
    afterSensitive: flagAt(change.afterSensitive, key),
    replace: change.replace.child(key),
    relevant: change.relevant.child(key),
    modern: change.modern,
  };
}

function nodeAt(node: JsonNode, key: string): JsonNode | undefined {
  return node !== null && isMap(node) ? node.get(key) : undefined;
}

/**
 * Returns the change from one element of a sequence to another; a position past the end represents no element. Elements
 * never count as modern: positions come from provider data of both kinds.
 */
export function elementAt(change: Change, beforeIndex: number, afterIndex: number): Change {
  const befores = elementsOf(change.before);
  const before = befores[beforeIndex];
  const after = elementsOf(change.after)[afterIndex];
  const index = beforeIndex >= befores.length ? afterIndex : beforeIndex;
  return {
    before: before ?? null,
    after: after ?? null,
    beforeExplicit: before !== undefined,
    afterExplicit: after !== undefined,
    unknown: flagAtIndex(change.unknown, afterIndex),
    beforeSensitive: flagAtIndex(change.beforeSensitive, beforeIndex),
    afterSensitive: flagAtIndex(change.afterSensitive, afterIndex),
    replace: change.replace.child(index),
    relevant: change.relevant.child(index),
    modern: false,
  };
}

const NO_ELEMENTS: readonly JsonNode[] = [];

/** Returns the elements of an array; none for other nodes. */
export function elementsOf(node: JsonNode): readonly JsonNode[] {
  return isArray(node) ? node : NO_ELEMENTS;
}

function flagAt(flags: Flags, key: string): Flags {
  if (typeof flags === 'boolean') return false;
  return flags instanceof Map ? ((flags as ReadonlyMap<string, Flags>).get(key) ?? false) : false;
}

function flagAtIndex(flags: Flags, index: number): Flags {
  return Array.isArray(flags) ? ((flags as readonly Flags[])[index] ?? false) : false;
}

/** The keys of a map or object before and after. */
export function keysOf(change: Change, withFlags: boolean): ReadonlySet<string> {
  const keys = new Set<string>();
  if (isMap(change.before)) for (const key of change.before.keys()) keys.add(key);
  if (isMap(change.after)) for (const key of change.after.keys()) keys.add(key);
  if (withFlags) {
    for (const flags of [change.unknown, change.afterSensitive, change.beforeSensitive]) {
      if (flags instanceof Map) for (const key of flags.keys()) keys.add(key as string);
    }
  }
  return keys;
}

/** The action of a simple value. */
export function actionOf(change: Change): PartAction {
  const hasBefore = change.before !== null || change.beforeExplicit;
  const hasAfter = change.after !== null || change.afterExplicit;
  if (!hasBefore && hasAfter) return 'create';
  if (!hasAfter && hasBefore) return 'delete';
  const same =
    change.afterExplicit === change.beforeExplicit &&
    (change.afterSensitive === true) === (change.beforeSensitive === true) &&
    jsonEqual(change.before, change.after);
  return same ? 'no-op' : 'update';
}

/** Returns the action of a collection, object or block before its parts are compared. */
export function actionBeforeParts(change: Change): PartAction {
  if (change.before === null) return change.after === null ? 'no-op' : 'create';
  return change.after === null ? 'delete' : 'no-op';
}

/** Variant for collections with aligned parts: only collections count as present. */
export function actionOfPresence(before: boolean, after: boolean): PartAction {
  if (before === after) return 'no-op';
  return before ? 'delete' : 'create';
}

/** Returns true if a value is sensitive as a whole, before or after. */
export function isSensitive({ beforeSensitive, afterSensitive }: Change): boolean {
  return beforeSensitive === true || afterSensitive === true;
}

/**
 * Returns the diff of a value that is sensitive before or after (see {@link isSensitive}). The inner diff is computed
 * from its schema as if it were not sensitive, so that its action is correct.
 */
export function sensitiveDiff<Schema>(
  change: Change,
  kind: 'sensitive' | 'sensitive-block',
  compute: (change: Change, schema: Schema) => Diff,
  schema: Schema,
): Diff {
  const beforeSensitive = change.beforeSensitive === true;
  const afterSensitive = change.afterSensitive === true;
  const plainChange = { ...change, beforeSensitive: false, afterSensitive: false, modern: false };
  const inner = compute(plainChange, schema);
  const absent =
    change.before === null &&
    !change.beforeExplicit &&
    change.after === null &&
    !change.afterExplicit;
  const action =
    inner.action === 'no-op' && beforeSensitive !== afterSensitive && !absent
      ? 'update'
      : inner.action;
  return {
    action,
    replace: change.replace.matches,
    view: { kind, inner, beforeSensitive, afterSensitive },
  };
}

/**
 * Returns the diff of a value that is unknown after. The value before is rendered as a deletion; `childUnknown`
 * specifies which of its parts become unknown.
 */
export function unknownDiff<Schema>(
  change: Change,
  childUnknown: Flags,
  compute: (before: Change, schema: Schema) => Diff,
  schema: Schema,
): Diff {
  if (change.before === null && !change.beforeExplicit) {
    const { matches: replace } = change.replace;
    return { action: 'create', replace, view: { kind: 'unknown', before: undefined } };
  }
  // The value after the change exists, although it is unknown.
  const explicit: Change = { ...change, afterExplicit: true };
  const before =
    change.before === null ? undefined : compute(asDelete(explicit, childUnknown), schema);
  return {
    action: actionOf(explicit),
    replace: change.replace.matches,
    view: { kind: 'unknown', before },
  };
}
