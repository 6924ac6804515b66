import {
  convert,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  list,
  map,
  nullOf,
  object,
  objectOf,
  type ObjectType,
  quoteText,
  set,
  tuple,
  type Type,
  UNKNOWN,
  unify,
  unknownOf,
  type Value,
  withoutOptional,
} from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { faultMessage, reportFault } from '../evaluate/fault.ts';
import type { Block, Body, BodyContent, Diagnostic, Scope } from '../model.ts';
import { type Range, rangeBetween } from '../source/source.ts';
import { withBlocksAsAttributes } from './blocks-as-attributes.ts';
import {
  type AttrSpec,
  type BlockCollectionSpec,
  type BlockKeyedSpec,
  type BlockSpec,
  bodySchemaOf,
  impliedType,
  type ObjectSpec,
  type Spec,
} from './spec.ts';

/**
 * Decodes a body by a spec. `dynamic` blocks must have been expanded. Errors are reported, and the affected values are
 * unknown, of the correct type if it is known.
 */
export function decodeBody(
  body: Body,
  spec: Spec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  return decode(bodyForSpec(body, spec), spec, scope, diagnostics);
}

/** The body as `decodeBody` reads it by the spec: blocks are attributes where the spec has such attributes. */
export function bodyForSpec(body: Body, spec: Spec): Body {
  return withBlocksAsAttributes(body, spec, decodeBody);
}

function decode(
  body: Body,
  spec: Spec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const result = body.content(bodySchemaOf(spec));
  if (result.diagnostics.length > 0) diagnostics.push(...result.diagnostics);
  return decodeContent(result.content, spec, scope, diagnostics);
}

function decodeContent(
  content: BodyContent,
  spec: Spec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  switch (spec.kind) {
    case 'object':
      return decodeObject(content, spec, scope, diagnostics);
    case 'attr':
      return decodeAttribute(content, spec, scope, diagnostics);
    case 'block':
      return decodeSingleBlock(content, spec, scope, diagnostics);
    case 'blockList':
    case 'blockTuple':
    case 'blockSet':
      return decodeBlocks(content, spec, scope, diagnostics);
    case 'blockMap':
    case 'blockObject':
      return decodeKeyedBlocks(content, spec, scope, diagnostics);
    case 'default': {
      const value = decodeContent(content, spec.primary, scope, diagnostics);
      return value.isNull ? spec.fallback : value;
    }
  }
}

/** A member of an object spec. */
interface ObjectMember {
  readonly spec: Spec;
  /** the position of its value in the type */
  readonly position: number;
  /** the name and the value of an attribute that a body lacks, as it does most of them; undefined for blocks */
  readonly absent: { readonly name: string; readonly value: Value } | undefined;
}

/** The members of an object spec, with their positions in its type. */
interface ObjectLayout {
  readonly type: ObjectType;
  readonly members: readonly ObjectMember[];
}

/** Layouts by spec; undefined if a name is not normalised, so that the values determine the type. */
const layouts = new WeakMap<ObjectSpec, ObjectLayout | { readonly type: undefined }>();

function layoutOf(spec: ObjectSpec): ObjectLayout | { readonly type: undefined } {
  let layout = layouts.get(spec);
  if (layout === undefined) {
    const type = impliedType(spec);
    const names = type.kind === 'object' ? type.names : [];
    const members = Array.from(spec.attributes, ([name, child]) => ({
      spec: child,
      position: names.indexOf(name),
      absent:
        child.kind === 'attr' ? { name: child.name, value: absentAttribute(child) } : undefined,
    }));
    const isExact =
      members.length === names.length && members.every(({ position }) => position >= 0);
    layout = type.kind === 'object' && isExact ? { type, members } : { type: undefined };
    layouts.set(spec, layout);
  }
  return layout;
}

function decodeObject(
  content: BodyContent,
  spec: ObjectSpec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const layout = layoutOf(spec);
  if (layout.type === undefined) {
    const attributes = new Map<string, Value>();
    for (const [name, child] of spec.attributes) {
      attributes.set(name, decodeContent(content, child, scope, diagnostics));
    }
    return object(attributes);
  }
  const { type, members } = layout;
  const { attributes } = content;
  const values = new Array<Value>(members.length);
  for (let i = 0; i < members.length; i++) {
    const { spec: child, position, absent } = members[i] as ObjectMember;
    values[position] =
      absent === undefined || attributes.has(absent.name)
        ? decodeContent(content, child, scope, diagnostics)
        : absent.value;
  }
  return objectOf(type, values);
}

function absentAttribute({ type }: AttrSpec): Value {
  return nullOf(withoutOptional(type));
}

function decodeAttribute(
  content: BodyContent,
  spec: AttrSpec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const attribute = content.attributes.get(spec.name);
  if (attribute === undefined) {
    return absentAttribute(spec);
  }
  const { expression } = attribute;
  const value = evaluate(expression, scope, diagnostics);
  if (value.type === spec.type) {
    return value;
  }
  try {
    return convert(value, spec.type);
  } catch (error) {
    const detail = `Inappropriate value for attribute ${quoteText(spec.name)}: ${faultMessage(error)}.`;
    const context = rangeBetween(attribute.nameRange, expression.range);
    const origin = { subject: expression.range, context, expression, scope };
    reportFault(diagnostics, 'Incorrect attribute value type', detail, origin);
    return unknownOf(withoutOptional(spec.type));
  }
}

function blocksOfType(content: BodyContent, type: string): readonly Block[] {
  return content.blocks.filter((block) => block.type === type);
}

function decodeSingleBlock(
  content: BodyContent,
  spec: BlockSpec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const [block, other] = blocksOfType(content, spec.type);
  if (block === undefined) {
    if (spec.required) {
      const detail = `A block of type ${quoteText(spec.type)} is required here.`;
      const summary = `Missing ${spec.type} block`;
      diagnostics.push(errorDiagnostic(summary, detail, content.missingItemRange));
    }
    return nullOf(withoutOptional(impliedType(spec.nested)));
  }
  if (other !== undefined) {
    const detail = `Only one block of type ${quoteText(spec.type)} is allowed. Previous definition was at ${block.defRange}.`;
    diagnostics.push(errorDiagnostic(`Duplicate ${spec.type} block`, detail, other.defRange));
  }
  return decode(block.body, spec.nested, scope, diagnostics);
}

function decodeBlocks(
  content: BodyContent,
  spec: BlockCollectionSpec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const blocks = blocksOfType(content, spec.type);
  const values: Value[] = [];
  for (const { body } of blocks) {
    const value = decode(body, spec.nested, scope, diagnostics);
    if (body.isUnknown === true) {
      return unknownOf(withoutOptional(impliedType(spec)));
    }
    values.push(body.valueMarks === undefined ? value : value.withMarks(body.valueMarks));
  }
  checkCount(content, spec, blocks, diagnostics);
  if (spec.kind === 'blockTuple') {
    return values.length === 0 ? EMPTY_TUPLE_VALUE : tuple(values);
  }
  const make = spec.kind === 'blockList' ? list : set;
  if (values.length === 0) {
    return make(impliedType(spec.nested), []);
  }
  return makeUniform(spec, values, blocks, make, diagnostics);
}

function checkCount(
  content: BodyContent,
  spec: BlockCollectionSpec,
  blocks: readonly Block[],
  diagnostics: Diagnostic[],
): void {
  const { type, min, max } = spec;
  if (blocks.length < min) {
    const detail = `At least ${min} ${quoteText(type)} blocks are required.`;
    const summary = `Insufficient ${type} blocks`;
    diagnostics.push(errorDiagnostic(summary, detail, content.missingItemRange));
    return;
  }
  const surplus = max > 0 ? blocks[max] : undefined;
  if (surplus !== undefined) {
    const detail = `No more than ${max} ${quoteText(type)} blocks are allowed`;
    const subject = placeOfBlock(surplus, spec.nested);
    diagnostics.push(errorDiagnostic(`Too many ${type} blocks`, detail, subject));
  }
}

/** Returns the range reported for a decoded block: its header, or the attribute or block it consists of. */
function placeOfBlock(block: Block, nested: Spec): Range {
  switch (nested.kind) {
    case 'object':
      return block.body.missingItemRange;
    case 'default':
      return placeOfBlock(block, nested.primary);
    case 'attr': {
      const { content } = block.body.partialContent(bodySchemaOf(nested));
      return content.attributes.get(nested.name)?.expression.range ?? content.missingItemRange;
    }
    case 'block':
    case 'blockList':
    case 'blockTuple':
    case 'blockSet':
    case 'blockMap':
    case 'blockObject': {
      const { content } = block.body.partialContent(bodySchemaOf(nested));
      const [first] = blocksOfType(content, nested.type);
      return first === undefined ? content.missingItemRange : placeOfBlock(first, nested.nested);
    }
  }
}

/** Elements of a list or set must be of one type; they differ where attributes are dynamic. */
function makeUniform(
  spec: BlockCollectionSpec,
  values: Value[],
  blocks: readonly Block[],
  make: (element: Type, values: readonly Value[]) => Value,
  diagnostics: Diagnostic[],
): Value {
  const [first] = values;
  if (first !== undefined && values.every((value) => value.type === first.type)) {
    return make(first.type, values);
  }
  const summary = `Unconsistent argument types in ${spec.type} blocks`;
  const report = (detail: string, block: Block | undefined): Value => {
    if (block !== undefined) {
      const subject = placeOfBlock(block, spec.nested);
      diagnostics.push(errorDiagnostic(summary, detail, subject));
    }
    return UNKNOWN;
  };
  const type = unify(
    values.map((value) => value.type),
    true,
  );
  if (type === undefined) {
    const detail = 'Corresponding attributes in all blocks of this type must be the same.';
    return report(detail, blocks[0]);
  }
  for (const [i, value] of values.entries()) {
    try {
      values[i] = convert(value, type);
    } catch (error) {
      const detail = `Block with index ${i} has inconsistent argument types: ${faultMessage(error)}.`;
      return report(detail, blocks[i]);
    }
  }
  return make(type, values);
}

/** Values by labels: nested maps, one level per label. */
type Keyed = Map<string, Keyed | Value>;

function decodeKeyedBlocks(
  content: BodyContent,
  spec: BlockKeyedSpec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const root: Keyed = new Map();
  for (const block of blocksOfType(content, spec.type)) {
    const { body } = block;
    if (body.isUnknown === true) {
      return unknownOf(withoutOptional(impliedType(spec)));
    }
    const value = decode(body, spec.nested, scope, diagnostics);
    const marked = body.valueMarks === undefined ? value : value.withMarks(body.valueMarks);
    addKeyed(root, block, spec, marked, diagnostics);
  }
  const depth = spec.labelNames.length;
  if (spec.kind === 'blockObject') {
    return root.size === 0 ? EMPTY_OBJECT_VALUE : keyedObject(root, depth);
  }
  return root.size === 0
    ? map(impliedType(spec.nested), [])
    : keyedMap(root, depth, impliedType(spec.nested));
}

function addKeyed(
  root: Keyed,
  block: Block,
  spec: BlockKeyedSpec,
  value: Value,
  diagnostics: Diagnostic[],
): void {
  const labels = block.labels.slice(0, spec.labelNames.length);
  const last = labels.pop() ?? '';
  let target = root;
  for (const label of labels) {
    let next = target.get(label);
    if (!(next instanceof Map)) {
      next = new Map();
      target.set(label, next);
    }
    target = next;
  }
  if (target.has(last)) {
    const labelsText = block.labels.map((label) => ` ${quoteText(label)}`).join('');
    const detail = `A block for ${spec.type}${labelsText} was already defined. The ${spec.type} labels must be unique.`;
    diagnostics.push(errorDiagnostic(`Duplicate ${spec.type} block`, detail, block.defRange));
    return;
  }
  target.set(last, value);
}

function keyedObject(keyed: Keyed, depth: number): Value {
  const attributes = new Map<string, Value>();
  for (const [key, value] of keyed) {
    attributes.set(key, value instanceof Map ? keyedObject(value, depth - 1) : value);
  }
  return object(attributes);
}

function keyedMap(keyed: Keyed, depth: number, element: Type): Value {
  const entries: (readonly [string, Value])[] = [];
  let type = element;
  for (const [key, item] of keyed) {
    const value = item instanceof Map ? keyedMap(item, depth - 1, element) : item;
    type = value.type;
    entries.push([key, value]);
  }
  return map(type, entries);
}
