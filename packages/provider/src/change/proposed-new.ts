import {
  list,
  map,
  NULL,
  nullOf,
  object,
  objectOf,
  set,
  tuple,
  unknownOf,
  valueAt,
  walk,
} from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { attributeByPath, nestedAttributeByPath } from '../schema/attribute-by-path.ts';
import { emptyValue } from '../schema/empty-value.ts';
import { blockLayout, nestedLayout } from '../schema/layout.ts';
import type { AttributeSlot, BlockSlot, Layout } from '../schema/layout.ts';
import type { AttributeSchema, BlockSchema, NestedAttributes } from '../schema/model.ts';
import { sameUnrefined } from './same-unrefined.ts';

/** A schema of objects: the inside of a block or of nested attributes. */
type ObjectSchema =
  | { readonly kind: 'block'; readonly block: BlockSchema }
  | { readonly kind: 'nested'; readonly nested: NestedAttributes };

/**
 * Returns the object that Terraform proposes to a provider (objchange `ProposedNew`): the configured values, and the
 * prior values of computed arguments that are not configured. Blocks and nested attributes are matched by index, by key
 * or, in sets, by the elements that the same configuration could have produced. With a null `prior`, computed arguments
 * are null; the provider makes them unknown.
 *
 * Both values must conform to the block's implied type and carry no marks; `prior` must be wholly known.
 */
export function proposedNew(b: BlockSchema, prior: Value, config: Value): Value {
  if (prior.isNull) return config.isNull ? prior : merge(b, emptyValue(b), config);
  return merge(b, prior, config);
}

/**
 * Returns the planned object of a data source whose read is deferred to apply (objchange `PlannedDataResourceObject`):
 * the configuration, with unknown values for the attributes that the provider computes.
 */
export function plannedDataResource(b: BlockSchema, config: Value): Value {
  return merge(b, unknownOf(blockLayout(b).type), config);
}

function merge(b: BlockSchema, prior: Value, config: Value): Value {
  if (config.isNull || !config.isKnown) return prior;
  const layout = blockLayout(b);
  const values = mergeAttributes(layout, prior, config);
  if (layout.blocks.length > 0) {
    const written = config.elements();
    for (const slot of layout.blocks) {
      values[slot.index] = mergeBlocks(slot, innerOf(prior, slot), written[slot.index] ?? NULL);
    }
  }
  return objectOf(layout.type, values);
}

/** Returns the part of a prior object for a slot, also if the object itself is null or unknown. */
function innerOf(prior: Value, slot: AttributeSlot | BlockSlot): Value {
  if (prior.isNull) return nullOf(slot.type);
  if (!prior.isKnown || prior.type.kind !== 'object') return unknownOf(slot.type);
  return prior.elements()[slot.index] ?? nullOf(slot.type);
}

function mergeAttributes(layout: Layout, prior: Value, config: Value): Value[] {
  const values: Value[] = config.elements().slice();
  const { attributes } = layout;
  const isWhole = !prior.isNull && prior.isKnown && prior.type.kind === 'object';
  const priorParts = isWhole ? prior.elements() : undefined;
  // By index: the iterators of so many short lists cost as much as the rest.
  for (let i = 0; i < attributes.length; i++) {
    const slot = attributes[i];
    if (slot === undefined) continue;
    const written = values[slot.index] ?? NULL;
    const { computed, nested } = slot.schema;
    if (computed === true && written.isNull) {
      const before = priorParts?.[slot.index] ?? innerOf(prior, slot);
      if (!cameFromConfig(slot.schema, before)) values[slot.index] = before;
    } else if (nested !== undefined) {
      values[slot.index] = mergeNested(nested, innerOf(prior, slot), written);
    }
  }
  return values;
}

/**
 * Returns true if a prior object must have been configured, because it has a value for an attribute that cannot be
 * computed. Removing it from the configuration then removes the object, although its attribute is optional and
 * computed.
 */
function cameFromConfig(schema: AttributeSchema, before: Value): boolean {
  const nested = schema.nested;
  if (schema.optional !== true || nested === undefined) return false;
  let hasConfigured = false;
  walk(before, (path, v) => {
    if (hasConfigured) return false;
    if (v.isNull) return true;
    const attribute = nestedAttributeByPath(nested, path);
    if (attribute !== undefined && attribute.computed !== true) hasConfigured = true;
    return !hasConfigured;
  });
  return hasConfigured;
}

function mergeBlocks(slot: BlockSlot, prior: Value, config: Value): Value {
  if (!config.isKnown) return config;
  const { nesting, block } = slot.schema;
  if (nesting === 'single' && config.isNull) return config;
  return mergeNesting(nesting, { kind: 'block', block }, prior, config);
}

function mergeNesting(
  nesting: BlockSlot['schema']['nesting'],
  schema: ObjectSchema,
  prior: Value,
  config: Value,
): Value {
  switch (nesting) {
    case 'single':
    case 'group':
      return mergeObject(schema, prior, config);
    case 'list':
      return mergeList(schema, prior, config);
    case 'map':
      return mergeMap(schema, prior, config);
    case 'set':
      return mergeSet(schema, prior, config);
  }
}

function mergeNested(nested: NestedAttributes, prior: Value, config: Value): Value {
  if (!config.isKnown || config.isNull) return config;
  return mergeNesting(nested.nesting, { kind: 'nested', nested }, prior, config);
}

function mergeObject(schema: ObjectSchema, prior: Value, config: Value): Value {
  if (schema.kind === 'block') return proposedNew(schema.block, prior, config);
  if (config.isNull) return config;
  const layout = nestedLayout(schema.nested);
  // The attributes of an unknown element are unknown.
  if (!config.isKnown)
    return objectOf(
      layout.type,
      layout.type.types.map((t) => unknownOf(t)),
    );
  return objectOf(layout.type, mergeAttributes(layout, prior, config));
}

function objectTypeOf(schema: ObjectSchema): Type {
  const layout = schema.kind === 'block' ? blockLayout(schema.block) : nestedLayout(schema.nested);
  return layout.type;
}

function mergeList(schema: ObjectSchema, prior: Value, config: Value): Value {
  if (config.isNull || config.length === 0) return config;
  const written = config.elements();
  let result: Value[];
  if (!prior.isKnown) {
    const before = unknownOf(objectTypeOf(schema));
    result = written.map((element) => mergeObject(schema, before, element));
  } else {
    const before = prior.isNull ? [] : prior.elements();
    result = written.map((element, i) => {
      const match = before[i];
      return match === undefined ? element : mergeObject(schema, match, element);
    });
  }
  if (config.type.kind !== 'list') return tuple(result);
  return list(result[0]?.type ?? config.type.element, result);
}

function mergeMap(schema: ObjectSchema, prior: Value, config: Value): Value {
  if (config.isNull || !config.isKnown || config.length === 0) return config;
  const before = prior.isKnown && !prior.isNull ? prior : undefined;
  const result: (readonly [string, Value])[] = [];
  for (const [keyValue, element] of config.entries()) {
    const key = keyValue.asString();
    const match = before?.get(key);
    result.push([key, match === undefined ? element : mergeObject(schema, match, element)]);
  }
  if (config.type.kind !== 'map') return object(new Map(result));
  return map(result[0]?.[1].type ?? config.type.element, result);
}

function mergeSet(schema: ObjectSchema, prior: Value, config: Value): Value {
  if (config.isNull || !config.isKnown || config.length === 0) return config;
  const element = objectTypeOf(schema);
  // Elements without a match are merged with null, so that the configured values are used.
  const nullElement = nullOf(element);
  const candidates: (Value | undefined)[] =
    prior.isKnown && !prior.isNull ? prior.elements().slice() : [];
  const byHash = exactMatches(candidates);
  const result: Value[] = [];
  for (const written of config.elements()) {
    const at = matchOf(schema, candidates, byHash, written);
    const match = at === -1 ? undefined : candidates[at];
    if (at !== -1) candidates[at] = undefined;
    result.push(mergeObject(schema, match ?? nullElement, written));
  }
  return set(result[0]?.type ?? element, result);
}

function exactMatches(candidates: readonly (Value | undefined)[]): Map<number, number[]> {
  const byHash = new Map<number, number[]>();
  for (const [i, candidate] of candidates.entries()) {
    if (candidate === undefined) continue;
    const hash = candidate.hash();
    const same = byHash.get(hash);
    if (same === undefined) byHash.set(hash, [i]);
    else same.push(i);
  }
  return byHash;
}

/**
 * Returns the index of the first unused prior element that the configured element could have produced, or -1. If no
 * attribute can be computed, only an equal element matches and it is found by its hash, so that large sets need no
 * pairwise comparison.
 */
function matchOf(
  schema: ObjectSchema,
  candidates: readonly (Value | undefined)[],
  byHash: ReadonlyMap<number, readonly number[]>,
  written: Value,
): number {
  if (written.isWhollyKnown() && !canCompute(schema)) {
    for (const i of byHash.get(written.hash()) ?? []) {
      if (candidates[i]?.rawEquals(written)) return i;
    }
    return -1;
  }
  return candidates.findIndex(
    (candidate) => candidate !== undefined && couldComeFrom(schema, candidate, written),
  );
}

const computing = new WeakMap<BlockSchema | NestedAttributes, boolean>();

function canCompute(schema: ObjectSchema): boolean {
  const key = schema.kind === 'block' ? schema.block : schema.nested;
  let answer = computing.get(key);
  if (answer === undefined) {
    answer =
      Object.values(key.attributes).some(attributeComputes) ||
      (schema.kind === 'block' &&
        Object.values(schema.block.blocks).some((inner) =>
          canCompute({ kind: 'block', block: inner.block }),
        ));
    computing.set(key, answer);
  }
  return answer;
}

function attributeComputes(a: AttributeSchema): boolean {
  if (a.computed === true) return true;
  return a.nested !== undefined && canCompute({ kind: 'nested', nested: a.nested });
}

/** Returns true if a prior element equals the configured one, except for computed values that are not configured. */
function couldComeFrom(schema: ObjectSchema, prior: Value, config: Value): boolean {
  if (sameUnrefined(config, prior)) return true;
  let valid = true;
  walk(prior, (path, before) => {
    if (!valid) return false;
    const written = valueAt(config, path);
    if (written === undefined) {
      valid = false;
      return false;
    }
    if (sameUnrefined(written, before)) return false;
    // Elements of nested sets have no identity to match them by.
    if (written.type.kind === 'set') {
      valid = false;
      return false;
    }
    const attribute =
      schema.kind === 'block'
        ? attributeByPath(schema.block, path)
        : nestedAttributeByPath(schema.nested, path);
    if (attribute === undefined || attribute.nested !== undefined) return true;
    if (attribute.computed !== true || !written.isNull) valid = false;
    return false;
  });
  return valid;
}
