import {
  asTraversal,
  evaluate,
  type Block,
  type Body,
  type BodySchema,
  type Expression,
  NativeBody,
  type NativeAttribute,
  type NativeBlock,
  type Range,
  type Source,
  type TraversalStep,
  variables,
} from '@terrane/hcl';
import type { Span } from './symbol.ts';

/** Nested blocks that are read in JSON, by the block that holds them. */
const NESTED: Readonly<Record<string, BodySchema>> = {
  check: {
    attributes: [],
    blocks: [{ type: 'data', labelNames: ['type', 'name'] }, { type: 'assert' }],
  },
  run: {
    attributes: [],
    blocks: [
      { type: 'variables' },
      { type: 'module' },
      { type: 'assert' },
      { type: 'plan_options' },
      { type: 'override_resource' },
      { type: 'override_data' },
      { type: 'override_module' },
    ],
  },
};

const NO_ARGUMENTS: ReadonlyMap<string, Expression> = new Map();

/** Returns the span of a range in the text of its file; ranges inside JSON strings are converted. */
export function spanOf(range: Range): Span {
  const { source } = range;
  if (source.container === undefined) return { start: range.start, end: range.end };
  return { start: offsetInFile(source, range.start), end: offsetInFile(source, range.end) };
}

/** Maps an offset in the value of a JSON string, which may have escapes, to an offset in the file. */
function offsetInFile(source: Source, offset: number): number {
  const { root } = source;
  const { text } = root;
  let at = root.offsetOfByte(source.position(0).byte);
  // References that are not templates are positioned at the quote.
  if (text[at] === '"') at++;
  for (let i = 0; i < offset; i++) at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
  return at;
}

/** An argument in either syntax. */
export interface NamedArgument {
  readonly name: string;
  readonly nameRange: Range;
  readonly range: Range;
  readonly expression: Expression;
  readonly attribute?: NativeAttribute;
}

/** Returns the arguments of a body. */
export function attributesOf(body: Body): readonly NamedArgument[] {
  if (body instanceof NativeBody)
    return Array.from(body.attributes.values(), (attribute) => {
      const { name, nameRange, range, expression } = attribute;
      return { name, nameRange, range, expression, attribute };
    });
  return [...body.justAttributes().attributes.values()];
}

/** Returns the expressions of the arguments of a body by name. */
export function argumentsOf(body: Body): ReadonlyMap<string, Expression> {
  const attributes = attributesOf(body);
  if (attributes.length === 0) return NO_ARGUMENTS;
  return new Map(attributes.map(({ name, expression }) => [name, expression]));
}

/** Returns the blocks in a block; in JSON, those that are known to be blocks. */
export function nestedBlocks(block: Block): readonly Block[] {
  if (block.body instanceof NativeBody) return block.body.blocks;
  const schema = NESTED[block.type];
  return schema === undefined ? [] : block.body.partialContent(schema).content.blocks;
}

/** Returns true for a block in native syntax. */
export function isNative(block: Block): block is NativeBlock {
  return block.body instanceof NativeBody;
}

/** Returns the span of a block; in JSON, that of its key. */
export function blockSpan(block: Block): Span {
  return spanOf(isNative(block) ? block.range : block.defRange);
}

/** The text of a constant string; undefined for other expressions. */
export function literalText(expression: Expression): string | undefined {
  if (variables(expression).length > 0) return undefined;
  if (
    expression.kind === 'literal' ||
    expression.kind === 'template' ||
    expression.kind === 'json'
  ) {
    const value = evaluate(expression, undefined, []);
    return value.type.kind === 'string' && value.isKnown && !value.isNull
      ? value.unmark().asString()
      : undefined;
  }
  return undefined;
}

/** Returns the name of a key of an object constructor, with or without quotes; undefined for other expressions. */
export function keyName(key: Expression): string | undefined {
  const plain = key.kind === 'objectKey' ? key.wrapped : key;
  const step = asTraversal(key)?.steps[0];
  return step?.kind === 'root' ? step.name : literalText(plain);
}

/** Returns the name of a root or attribute step. */
export function nameOf(step: TraversalStep | undefined): string | undefined {
  return step?.kind === 'root' || step?.kind === 'attr' ? step.name : undefined;
}

/** Returns the span of an attribute step's name; the range of the step includes the dot. */
export function stepSpan(step: TraversalStep & { readonly kind: 'attr' }): Span {
  const { start, end } = spanOf(step.range);
  return { start: Math.max(start, end - step.name.length), end };
}

/** The range of a label or a key without its quotes. */
export function unquoted(range: Range): Span {
  const { start, end } = spanOf(range);
  const text = range.source.root.text;
  const isQuoted = text[start] === '"';
  const isClosed = isQuoted && end - start > 1 && text[end - 1] === '"';
  return { start: isQuoted ? start + 1 : start, end: isClosed ? end - 1 : end };
}

/** Extends the names of module calls that lead to a module. */
export function joined(via: string, name: string): string {
  return via === '' ? name : `${via}.${name}`;
}
