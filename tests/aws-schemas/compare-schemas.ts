import type { AttributeSchema, BlockSchema, NestedBlock } from '@terrane/provider';
import { type Type, typeToString } from '@terrane/cty';
import { type PublishedObjects, type PublishedPart, UNSEEN } from './published-schema.ts';

/**
 * Returns the differences between a schema of Terrane and the published one, as sentences.
 *
 * The package does not tell what is sensitive, write-only or deprecated, versions, how many blocks there may be other
 * than one, which of single blocks and single nested arguments something is, and what sets inside other
 * collections are. All else has to be the same.
 */
export function compareSchemas(
  ours: BlockSchema,
  published: readonly PublishedPart[],
  at: string,
): readonly string[] {
  const names = new Set(published.map(({ name }) => name));
  const ourNames = [...Object.keys(ours.attributes), ...Object.keys(ours.blocks)];
  return [
    ...ourNames.filter((name) => !names.has(name)).map((name) => `${at}.${name} is not published`),
    ...published.flatMap((part) => comparePart(ours, part, `${at}.${part.name}`)),
  ];
}

function comparePart(ours: BlockSchema, part: PublishedPart, at: string): readonly string[] {
  const attribute = ours.attributes[part.name];
  if (attribute !== undefined) return compareAttribute(attribute, part, at);
  const block = ours.blocks[part.name];
  return block === undefined ? [`${at} is missing`] : compareBlock(block, part, at);
}

function compareAttribute(ours: AttributeSchema, part: PublishedPart, at: string): string[] {
  const flags = differing(at, flagsOf(ours), flagsOf(part));
  const { shape } = part;
  if (shape.kind === 'objects') {
    if (shape.form === 'block') return [`${at} is an argument and published as a block`];
    return [...flags, ...compareObjects(ours, shape, at)];
  }
  if (ours.type === undefined) return [...flags, `${at} is published as ${shape.type}`];
  return [...flags, ...compareType(ours.type, shape.type, at)];
}

function flagsOf(part: AttributeSchema | PublishedPart): string {
  const names = ['required', 'optional', 'computed'] as const;
  return names.filter((name) => part[name] === true).join(' and ') || 'nothing';
}

function compareType(ours: Type, published: string, at: string): string[] {
  if (published === UNSEEN) return [];
  return differing(at, asSeen(typeToString(ours)), asSeen(published));
}

/** Sets inside other collections look as lists. */
function asSeen(type: string): string {
  return type.replaceAll('(set(', '(list(');
}

function compareObjects(ours: AttributeSchema, shape: PublishedObjects, at: string): string[] {
  const { nested, type } = ours;
  if (nested !== undefined) {
    const inside = { attributes: nested.attributes, blocks: {} };
    return [
      ...differing(at, nested.nesting, shape.nesting),
      ...compareSchemas(inside, shape.parts, at),
    ];
  }
  return type === undefined ? [`${at} has no type`] : compareObjectType(type, shape, at);
}

/** Objects that are values have names and types, and are written as a whole. */
function compareObjectType(ours: Type, shape: PublishedObjects, at: string): string[] {
  const nesting = ours.kind === 'object' ? 'single' : ours.kind;
  const object = 'element' in ours ? ours.element : ours;
  if (object.kind !== 'object') return [`${at} is ${typeToString(ours)} and published as objects`];
  const parts = new Map(shape.parts.map((part) => [part.name, part]));
  const extra = object.names.filter((name) => !parts.has(name));
  return [
    ...differing(at, nesting, shape.nesting),
    ...extra.map((name) => `${at}.${name} is not published`),
    ...shape.parts.flatMap(({ name, shape: inside }) => {
      const type = object.types[object.indexOf(name) ?? -1];
      if (type === undefined) return [`${at}.${name} is missing`];
      return inside.kind === 'objects'
        ? compareObjectType(type, inside, `${at}.${name}`)
        : compareType(type, inside.type, `${at}.${name}`);
    }),
  ];
}

function compareBlock(ours: NestedBlock, part: PublishedPart, at: string): readonly string[] {
  const { shape } = part;
  if (shape.kind === 'value') return [`${at} is a block and published as ${shape.type}`];
  if (shape.form === 'attribute') return [`${at} is a block and published as an argument`];
  if (part.computed && shape.form === 'either')
    return [`${at} is a block and published as computed`];
  const nesting = ours.nesting === 'group' ? 'single' : ours.nesting;
  const required = (ours.minItems ?? 0) > 0;
  const single = (items: number | undefined): string => (items === 1 ? 'at most one' : 'several');
  return [
    ...differing(at, nesting, shape.nesting),
    ...differing(at, required ? 'required' : 'optional', part.required ? 'required' : 'optional'),
    ...(nesting === 'single' ? [] : differing(at, single(ours.maxItems), single(shape.maxItems))),
    ...compareSchemas(ours.block, shape.parts, at),
  ];
}

function differing(at: string, ours: string, published: string): string[] {
  return ours === published ? [] : [`${at} is ${ours} and published as ${published}`];
}
