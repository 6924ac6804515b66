import {
  convert,
  CtyError,
  indexStep,
  list,
  map,
  NULL,
  nullOf,
  object,
  objectOf,
  quoteText,
  set,
  tuple,
  unknownOf,
} from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { emptyBlockValue } from './empty-value.ts';
import { blockLayout } from './layout.ts';
import type { AttributeSlot, BlockSlot, Layout } from './layout.ts';
import type { BlockSchema } from './model.ts';

/**
 * Converts an object to a block's implied type (configschema `CoerceValue`): absent optional arguments become null,
 * absent blocks empty, arguments are converted. Unknown and null values get the correct type; marks are
 * preserved.
 *
 * @throws CtyError with the path of the value that cannot be converted
 */
export function coerceValue(b: BlockSchema, v: Value): Value {
  return coerceBlock(b, v, []);
}

function coerceBlock(b: BlockSchema, value: Value, path: Path): Value {
  const layout = blockLayout(b);
  if (value.isNull) return nullOf(layout.type);
  if (!value.isKnown) return unknownOf(layout.type);
  if (value.type === layout.type && !value.isMarked) return value;
  const type = value.type;
  if (type.kind !== 'object') throw new CtyError('an object is required', path);
  for (const name of type.names) {
    if (layout.type.indexOf(name) === undefined) {
      throw new CtyError(`unexpected attribute ${quoteText(name)}`, path);
    }
  }
  const values: Value[] = new Array<Value>(layout.type.names.length).fill(NULL);
  const has = (name: string) => type.indexOf(name) !== undefined;
  for (const slot of layout.attributes) {
    const inner = has(slot.name) ? value.attr(slot.name) : absentValue(slot, path);
    values[slot.index] = convertAt(inner, slot, path);
  }
  for (const slot of layout.blocks) {
    values[slot.index] = has(slot.name)
      ? coerceNested(slot, value.attr(slot.name), path)
      : emptyBlockValue(slot);
  }
  return build(layout, values);
}

// Converted values differ from the implied type only where the schema is dynamic, which objectOf allows.
function build(layout: Layout, values: readonly Value[]): Value {
  return objectOf(layout.type, values);
}

function absentValue(slot: AttributeSlot, path: Path): Value {
  const { computed, optional, required } = slot.schema;
  if (computed === true || optional === true) return nullOf(slot.type);
  throw new CtyError(
    required === true
      ? `attribute ${quoteText(slot.name)} is required`
      : `attribute ${quoteText(slot.name)} has none of required, optional, or computed set`,
    path,
  );
}

function convertAt(v: Value, slot: AttributeSlot, path: Path): Value {
  if (v.type === slot.type && slot.type === slot.constraint) return v;
  try {
    return convert(v, slot.constraint);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(error.message, [...path, slot.step, ...error.path]);
  }
}

function coerceNested(slot: BlockSlot, marked: Value, path: Path): Value {
  const { nesting, block } = slot.schema;
  const inside = [...path, slot.step];
  if (nesting === 'single' || nesting === 'group') return coerceBlock(block, marked, inside);
  const element = blockLayout(block).type;
  if (marked.isNull) return nullOf(slot.type);
  if (!marked.isKnown) return unknownOf(slot.type);
  const v = marked.isMarked ? marked.unmark() : marked;
  const message = {
    list: 'must be a list',
    set: 'cannot iterate over the given value',
    map: 'must be a map',
  }[nesting];
  const iterable = v.type.kind !== 'bool' && v.type.kind !== 'number' && v.type.kind !== 'string';
  if (!iterable || v.type.kind === 'capsule') throw new CtyError(message, path);
  const keyed = v.type.kind === 'map' || v.type.kind === 'object';
  if (nesting === 'map' && !keyed) {
    if (v.length === 0) return emptyBlockValue(slot).withSameMarks(marked);
    throw new CtyError(message, path);
  }
  const entries: (readonly [string, Value])[] = [];
  for (const [key, inner] of v.entries()) {
    const coerced = coerceBlock(block, inner, [...inside, indexStep(key)]);
    entries.push([nesting === 'map' ? key.asString() : '', coerced]);
  }
  if (entries.length === 0) return emptyBlockValue(slot).withSameMarks(marked);
  const values = entries.map((entry) => entry[1]);
  let result: Value;
  if (nesting === 'set') result = set(element, values);
  else if (nesting === 'list') {
    result = slot.type.kind === 'list' ? list(element, values) : tuple(values);
  } else if (slot.type.kind === 'map') {
    result = map(element, entries);
  } else {
    result = object(new Map(entries));
  }
  return result.withSameMarks(marked);
}
