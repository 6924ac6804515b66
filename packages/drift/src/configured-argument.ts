import { type Path, pathStartsWith, type Value, valueAt } from '@terrane/cty';
import type { Module } from '@terrane/engine';
import { type Body, bodySchemaOf } from '@terrane/hcl';
import {
  attributeByPath,
  type AttributeSchema,
  type BlockSchema,
  decodeSpec,
  memberOf,
  type Schema,
} from '@terrane/provider';
import { locationOf } from './location.ts';
import type { DriftLocation } from './model.ts';
import { pathOf } from './reference-index.ts';

/** A `resource` block. */
type Resource = NonNullable<ReturnType<Module['resources']['get']>>;

/**
 * Returns the location of the argument that sets the value at a path; undefined if the configuration does not set it.
 *
 * @param config the evaluated configuration, which distinguishes arguments that are null; undefined if it is not known
 */
export function configuredArgument(
  path: Path,
  resource: Resource | undefined,
  schema: Schema | undefined,
  config: Value | undefined,
): DriftLocation | undefined {
  if (resource === undefined || schema === undefined) return undefined;
  const attribute = deepestAttribute(schema.block, path);
  if (attribute?.computed === true && attribute.optional !== true) return undefined;
  if (config !== undefined && !isSet(config, path)) return undefined;
  return argumentLocation(resource.body, schema.block, path);
}

/** Returns true if `ignore_changes` covers the value at a path. */
export function isIgnoredByConfiguration(path: Path, resource: Resource | undefined): boolean {
  if (resource === undefined) return false;
  return (
    resource.ignoreAllChanges ||
    resource.ignoreChanges.some(({ steps }) => pathStartsWith(path, pathOf(steps)))
  );
}

function deepestAttribute(block: BlockSchema, path: Path): AttributeSchema | undefined {
  for (let length = path.length; length > 0; length--) {
    const attribute = attributeByPath(block, path.slice(0, length));
    if (attribute !== undefined) return attribute;
  }
  return undefined;
}

/** Returns false if the configuration is null or without blocks at the path or one of its parents. */
function isSet(config: Value, path: Path): boolean {
  for (let length = 1; length <= path.length; length++) {
    const part = valueAt(config, path.slice(0, length))?.unmark();
    // The configuration may set a collection that has no such element.
    if (part === undefined) return length > 1;
    if (!part.isKnown) return true;
    if (part.isNull) return false;
    const { kind } = part.type;
    const isEmpty = (kind === 'list' || kind === 'set') && part.length === 0;
    if (isEmpty && length < path.length) return false;
  }
  return true;
}

function argumentLocation(body: Body, block: BlockSchema, path: Path): DriftLocation | undefined {
  const [first, ...rest] = path;
  if (first?.kind !== 'attr') return undefined;
  const schema = bodySchemaOf(decodeSpec(block));
  const { content } = body.partialContent({
    attributes: schema.attributes,
    blocks: [...schema.blocks, { type: 'dynamic', labelNames: ['type'] }],
  });
  const attribute = content.attributes.get(first.name);
  if (attribute !== undefined) return locationOf(attribute.nameRange);
  const nested = memberOf(block.blocks, first.name);
  if (nested === undefined) return undefined;
  const inner = rest[0]?.kind === 'index' ? rest.slice(1) : rest;
  for (const { type, labels, body: innerBody, defRange } of content.blocks) {
    if (type === 'dynamic' && labels[0] === first.name) return locationOf(defRange);
    if (type !== first.name) continue;
    if (inner.length === 0) return locationOf(defRange);
    const location = argumentLocation(innerBody, nested.block, inner);
    if (location !== undefined) return location;
  }
  return undefined;
}
