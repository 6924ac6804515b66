import {
  convert,
  friendlyName,
  type Marks,
  NO_MARKS,
  object,
  STRING,
  quoteText,
  UNKNOWN,
  type Value,
} from '@terrane/cty';
import { errorDiagnostic, hasErrors } from '../diagnostic/diagnostic.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { faultMessage, reportFault } from '../evaluate/fault.ts';
import { isIterable } from '../evaluate/for.ts';
import { iterationScope, rootName } from '../evaluate/scope.ts';
import { startRange } from '../expression/start-range.ts';
import { asList, asTraversal } from '../expression/static.ts';
import type {
  Attribute,
  AttributesResult,
  Block,
  BlockSchema,
  Body,
  BodyContent,
  BodySchema,
  ContentResult,
  Diagnostic,
  Expression,
  PartialContentResult,
  Scope,
} from '../model.ts';
import type { Range } from '../source/source.ts';
import { nameSuggestion } from '../source/suggestion.ts';
import { NativeBody } from '../syntax/native-body.ts';
import { DYNAMIC_BLOCK, withDynamicBlocks } from './dynamic-schema.ts';
import { UnknownBody } from './unknown-body.ts';
import { withBody, withExpression } from './replaced-items.ts';

type Iterators = ReadonlyMap<string, Value>;

const NO_ITERATORS: Iterators = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_SCHEMAS: ReadonlyMap<string, BlockSchema> = new Map();

/**
 * Returns a body whose `dynamic` blocks are replaced by the generated blocks; `for_each` and labels are evaluated in
 * the scope when the content is requested. If `for_each` is unknown, a single block with `isUnknown` represents all
 * generated blocks. Marks of `for_each` are added to the values of the blocks.
 */
export function expandDynamic(body: Body, scope: Scope): Body {
  if (body instanceof NativeBody && !mayHaveDynamic(body)) {
    return body;
  }
  return new ExpandedBody(body, { scope, iterators: NO_ITERATORS, marks: NO_MARKS });
}

const dynamicBodies = new WeakMap<NativeBody, boolean>();
/** Returns true if a body has such blocks at any depth, or blocks that are one but for a typing error. */
function mayHaveDynamic(body: NativeBody): boolean {
  if (body.blocks.length === 0) return false;
  let result = dynamicBodies.get(body);
  if (result === undefined) {
    result = body.blocks.some(
      (block) =>
        nameSuggestion(block.type, [DYNAMIC_BLOCK.type]) !== undefined ||
        mayHaveDynamic(block.body),
    );
    dynamicBodies.set(body, result);
  }
  return result;
}

/** The iterator values of a generated block. */
interface Iteration {
  /** the scope with the iterators, for `for_each` and labels of nested `dynamic` blocks */
  readonly scope: Scope;
  readonly iterators: Iterators;
  readonly marks: Marks;
}

class ExpandedBody implements Body {
  readonly #original: Body;
  readonly #iteration: Iteration;
  // Items consumed by earlier calls of partialContent. They are recorded here, not removed from the original, because
  // that would lose the `dynamic` blocks of types that have not been requested yet.
  readonly #hiddenAttributes: ReadonlySet<string>;
  readonly #hiddenBlocks: ReadonlyMap<string, BlockSchema>;

  constructor(
    original: Body,
    iteration: Iteration,
    hiddenAttributes: ReadonlySet<string> = NO_NAMES,
    hiddenBlocks: ReadonlyMap<string, BlockSchema> = NO_SCHEMAS,
  ) {
    this.#original = original;
    this.#iteration = iteration;
    this.#hiddenAttributes = hiddenAttributes;
    this.#hiddenBlocks = hiddenBlocks;
  }

  get missingItemRange(): Range {
    return this.#original.missingItemRange;
  }

  get valueMarks(): Marks {
    return this.#iteration.marks;
  }

  content(schema: BodySchema): ContentResult {
    const raw = this.#original.content(this.#extended(schema));
    const diagnostics = [...raw.diagnostics];
    return { content: this.#expanded(schema, raw.content, false, diagnostics), diagnostics };
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const raw = this.#original.partialContent(this.#extended(schema));
    const diagnostics = [...raw.diagnostics];
    const content = this.#expanded(schema, raw.content, true, diagnostics);
    const attributes = new Set(this.#hiddenAttributes);
    for (const attribute of schema.attributes) {
      attributes.add(attribute.name);
    }
    const blocks = new Map(this.#hiddenBlocks);
    for (const block of schema.blocks) {
      blocks.set(block.type, block);
    }
    const remain = new ExpandedBody(this.#original, this.#iteration, attributes, blocks);
    return { content, remain, diagnostics };
  }

  justAttributes(): AttributesResult {
    const { attributes, diagnostics } = this.#original.justAttributes();
    return { attributes: this.#prepareAttributes(attributes), diagnostics };
  }

  #extended(schema: BodySchema): BodySchema {
    if (this.#hiddenAttributes.size === 0 && this.#hiddenBlocks.size === 0) {
      return withDynamicBlocks(schema);
    }
    return {
      attributes: [...schema.attributes, ...[...this.#hiddenAttributes].map((name) => ({ name }))],
      blocks: [...schema.blocks, DYNAMIC_BLOCK, ...this.#hiddenBlocks.values()],
    };
  }

  #expanded(
    schema: BodySchema,
    raw: BodyContent,
    partial: boolean,
    diagnostics: Diagnostic[],
  ): BodyContent {
    const blocks: Block[] = [];
    for (const block of raw.blocks) {
      if (block.type === 'dynamic') {
        this.#expandBlock(schema, block, partial, blocks, diagnostics);
      } else if (!this.#hiddenBlocks.has(block.type)) {
        const iteration = { ...this.#iteration, marks: NO_MARKS };
        blocks.push(withBody(block, expandIn(block.body, iteration)));
      }
    }
    const attributes = this.#prepareAttributes(raw.attributes);
    return { attributes, blocks, missingItemRange: this.missingItemRange };
  }

  #prepareAttributes(raw: ReadonlyMap<string, Attribute>): ReadonlyMap<string, Attribute> {
    const { iterators, marks } = this.#iteration;
    const wrap = iterators.size > 0 || marks !== NO_MARKS;
    if (!wrap && this.#hiddenAttributes.size === 0) {
      return raw;
    }
    const attributes = new Map<string, Attribute>();
    for (const [name, attribute] of raw) {
      if (this.#hiddenAttributes.has(name)) {
        continue;
      }
      const wrapped = attribute.expression;
      const { range } = wrapped;
      attributes.set(
        name,
        wrap
          ? withExpression(attribute, { kind: 'iteration', range, wrapped, iterators, marks })
          : attribute,
      );
    }
    return attributes;
  }

  #expandBlock(
    schema: BodySchema,
    block: Block,
    partial: boolean,
    blocks: Block[],
    diagnostics: Diagnostic[],
  ): void {
    const type = block.labels[0] ?? '';
    if (this.#hiddenBlocks.has(type)) {
      return;
    }
    const blockSchema = schema.blocks.find((candidate) => candidate.type === type);
    if (blockSchema === undefined) {
      if (!partial) {
        const detail = `Blocks of type ${quoteText(type)} are not expected here.`;
        const subject = block.labelRanges[0] ?? block.typeRange;
        diagnostics.push(errorDiagnostic('Unsupported block type', detail, subject));
      }
      return;
    }
    const generator = readGenerator(blockSchema, block, this.#iteration.scope, diagnostics);
    if (generator === undefined) {
      return;
    }
    const { marks } = generator.forEach;
    const forEach = generator.forEach.unmark();
    if (!forEach.isKnown) {
      const iteration = this.#childIteration(generator, UNKNOWN, UNKNOWN, marks);
      const generated = generate(generator, iteration.scope, diagnostics);
      if (generated !== undefined) {
        const body = new UnknownBody(expandIn(generated.body, iteration), marks);
        blocks.push({ ...generated, body });
      }
      return;
    }
    for (const [key, value] of forEach.entries()) {
      const iteration = this.#childIteration(generator, key, value, marks);
      const generated = generate(generator, iteration.scope, diagnostics);
      if (generated !== undefined) {
        blocks.push({ ...generated, body: expandIn(generated.body, iteration) });
      }
    }
  }

  #childIteration(generator: Generator, key: Value, value: Value, marks: Marks): Iteration {
    const iterators = new Map(this.#iteration.iterators);
    iterators.set(generator.iterator, object({ key, value }));
    return { scope: iterationScope(this.#iteration.scope, iterators), iterators, marks };
  }
}

function expandIn(body: Body, iteration: Iteration): Body {
  return new ExpandedBody(body, iteration);
}

/** A `dynamic` block, read but for its content. */
interface Generator {
  readonly block: Block;
  readonly type: string;
  readonly forEach: Value;
  readonly iterator: string;
  readonly labels: readonly Expression[];
  readonly content: Body;
}

function dynamicSchema(labelled: boolean): BodySchema {
  const labels = labelled ? [{ name: 'labels', required: true }] : [];
  return {
    attributes: [{ name: 'for_each', required: true }, { name: 'iterator' }, ...labels],
    blocks: [{ type: 'content' }],
  };
}

const WITH_LABELS: BodySchema = dynamicSchema(true);
const WITHOUT_LABELS: BodySchema = dynamicSchema(false);

function readGenerator(
  schema: BlockSchema,
  block: Block,
  scope: Scope,
  diagnostics: Diagnostic[],
): Generator | undefined {
  const labelCount = schema.labelNames?.length ?? 0;
  const result = block.body.content(labelCount > 0 ? WITH_LABELS : WITHOUT_LABELS);
  diagnostics.push(...result.diagnostics);
  if (hasErrors(result.diagnostics)) {
    return undefined;
  }
  const { attributes, blocks, missingItemRange } = result.content;
  const iterator = readIterator(attributes.get('iterator'), schema.type, diagnostics);
  if (iterator === undefined) {
    return undefined;
  }
  const forEach = readForEach(attributes.get('for_each'), scope, diagnostics);
  if (forEach === undefined) {
    return undefined;
  }
  const labels = readLabels(attributes.get('labels'), schema, labelCount, diagnostics);
  if (labels === undefined) {
    return undefined;
  }
  const [content, surplus] = blocks;
  if (content === undefined) {
    const detail =
      'A dynamic block must have a nested block of type "content" to describe the body of each generated block.';
    diagnostics.push(errorDiagnostic('Missing dynamic content block', detail, missingItemRange));
    return undefined;
  }
  if (surplus !== undefined) {
    const detail = 'Only one nested content block is allowed for each dynamic block.';
    const summary = 'Extraneous dynamic content block';
    diagnostics.push(errorDiagnostic(summary, detail, surplus.defRange));
    return undefined;
  }
  return { block, type: schema.type, forEach, iterator, labels, content: content.body };
}

function readIterator(
  attribute: Attribute | undefined,
  type: string,
  diagnostics: Diagnostic[],
): string | undefined {
  if (attribute === undefined) {
    return type;
  }
  const { expression } = attribute;
  const traversal = asTraversal(expression);
  if (traversal === undefined) {
    const detail =
      'A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.';
    diagnostics.push(errorDiagnostic('Invalid expression', detail, expression.range));
    return undefined;
  }
  if (traversal.steps.length !== 1) {
    const detail = 'Dynamic iterator must be a single variable name.';
    diagnostics.push(errorDiagnostic('Invalid dynamic iterator name', detail, traversal.range));
    return undefined;
  }
  return rootName(traversal);
}

function readForEach(
  attribute: Attribute | undefined,
  scope: Scope,
  diagnostics: Diagnostic[],
): Value | undefined {
  if (attribute === undefined) {
    return undefined;
  }
  const { expression } = attribute;
  const mark = diagnostics.length;
  const value = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics, mark)) {
    return undefined;
  }
  const origin = { subject: expression.range, expression, scope };
  const summary = 'Invalid dynamic for_each value';
  if (!isIterable(value) && value.type.kind !== 'dynamic') {
    const detail = `Cannot use a ${friendlyName(value.type)} value in for_each. An iterable collection is required.`;
    reportFault(diagnostics, summary, detail, origin);
    return undefined;
  }
  if (value.isNull) {
    reportFault(diagnostics, summary, 'Cannot use a null value in for_each.', origin);
    return undefined;
  }
  return value;
}

function readLabels(
  attribute: Attribute | undefined,
  schema: BlockSchema,
  labelCount: number,
  diagnostics: Diagnostic[],
): readonly Expression[] | undefined {
  if (attribute === undefined) {
    return [];
  }
  const { expression } = attribute;
  const labels = asList(expression);
  if (labels === undefined) {
    const detail = 'A static list expression is required.';
    diagnostics.push(errorDiagnostic('Invalid expression', detail, startRange(expression)));
    return undefined;
  }
  const detail = `Blocks of type ${quoteText(schema.type)} require ${labelCount} label(s).`;
  const surplus = labels[labelCount];
  if (surplus !== undefined) {
    diagnostics.push(errorDiagnostic('Extraneous dynamic block label', detail, surplus.range));
    return undefined;
  }
  if (labels.length < labelCount) {
    const summary = 'Insufficient dynamic block labels';
    diagnostics.push(errorDiagnostic(summary, detail, expression.range));
    return undefined;
  }
  return labels;
}

/** Returns a generated block with its labels evaluated; undefined if a label is invalid. */
function generate(
  generator: Generator,
  scope: Scope,
  diagnostics: Diagnostic[],
): Block | undefined {
  const labels: string[] = [];
  for (const expression of generator.labels) {
    const label = evaluateLabel(expression, scope, diagnostics);
    if (label === undefined) {
      return undefined;
    }
    labels.push(label);
  }
  const { block } = generator;
  return {
    type: generator.type,
    typeRange: block.labelRanges[0] ?? block.typeRange,
    labels,
    labelRanges: generator.labels.map((label) => label.range),
    defRange: block.defRange,
    body: generator.content,
  };
}

function evaluateLabel(
  expression: Expression,
  scope: Scope,
  diagnostics: Diagnostic[],
): string | undefined {
  const mark = diagnostics.length;
  const value = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics, mark)) {
    return undefined;
  }
  const report = (detail: string): undefined => {
    const origin = { subject: expression.range, expression, scope };
    reportFault(diagnostics, 'Invalid dynamic block label', detail, origin);
    return undefined;
  };
  let label: Value;
  try {
    label = convert(value, STRING);
  } catch (error) {
    return report(`Cannot use this value as a dynamic block label: ${faultMessage(error)}.`);
  }
  if (label.isNull) {
    return report('Cannot use a null value as a dynamic block label.');
  }
  if (!label.isKnown) {
    return report(
      'This value is not yet known. Dynamic block labels must be immediately-known values.',
    );
  }
  if (label.isMarked) {
    return report('This value has dynamic marks that make it unsuitable for use as a block label.');
  }
  return label.asString();
}
