import type { FoundReferences } from '../decode/found-references.ts';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
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
  PartialContentResult,
} from '../model.ts';
import { quoteText } from '@terrane/cty';
import { Range, rangeBetween } from '../source/source.ts';
import { nameSuggestion, suggestedNames } from '../source/suggestion.ts';
import { AttributeList, type NativeAttribute } from './attribute-list.ts';
import { SchemaIndex } from './schema-index.ts';

/** A block of the native syntax. */
export interface NativeBlock extends Block {
  readonly body: NativeBody;
  readonly openBraceRange: Range;
  readonly closeBraceRange: Range;
  /** from the type to the closing brace */
  readonly range: Range;
}

const NONE: ReadonlySet<string> = new Set();
const NO_ATTRIBUTES: AttributeList = new AttributeList();
/** The list of diagnostics of bodies without errors. */
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/**
 * A body of the native syntax. Content is cached for the last requested schema, since a resource with many instances is
 * decoded repeatedly with the same schema.
 */
export class NativeBody implements Body {
  readonly attributes: AttributeList;
  readonly blocks: readonly NativeBlock[];
  readonly range: Range;
  /** for `referencesIn` only, which keeps here what it found */
  foundReferences: FoundReferences | undefined;
  // Items consumed by earlier calls of partialContent.
  readonly #hiddenAttributes: ReadonlySet<string>;
  readonly #hiddenBlocks: ReadonlySet<string>;
  #lastSchema: BodySchema | undefined;
  #lastContent: ContentResult | undefined;

  constructor(
    attributes: AttributeList,
    blocks: readonly NativeBlock[],
    range: Range,
    hiddenAttributes: ReadonlySet<string> = NONE,
    hiddenBlocks: ReadonlySet<string> = NONE,
  ) {
    this.attributes = attributes;
    this.blocks = blocks;
    this.range = range;
    this.#hiddenAttributes = hiddenAttributes;
    this.#hiddenBlocks = hiddenBlocks;
  }

  get missingItemRange(): Range {
    return new Range(this.range.source, this.range.start, this.range.start);
  }

  content(schema: BodySchema): ContentResult {
    if (this.#lastContent !== undefined && this.#lastSchema === schema) {
      return this.#lastContent;
    }
    const diagnostics: Diagnostic[] = [];
    const content = this.#take(schema, diagnostics);
    this.#reportUnexpected(schema, content.attributes, diagnostics);
    this.#lastSchema = schema;
    this.#lastContent = {
      content,
      diagnostics: diagnostics.length === 0 ? NO_DIAGNOSTICS : diagnostics,
    };
    return this.#lastContent;
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const diagnostics: Diagnostic[] = [];
    const content = this.#take(schema, diagnostics);
    return new PartialContent(
      this,
      schema,
      content,
      diagnostics.length === 0 ? NO_DIAGNOSTICS : diagnostics,
    );
  }

  /** Returns the body without the items that some content of it consumed. */
  without(schema: BodySchema, { attributes: consumed }: BodyContent): NativeBody {
    const hasBlocks = this.blocks.length > 0;
    if (consumed.size === 0 && !hasBlocks) return this;
    const attributes =
      consumed.size === 0
        ? this.#hiddenAttributes
        : new Set([...this.#hiddenAttributes, ...consumed.keys()]);
    const blocks = hasBlocks
      ? new Set([...this.#hiddenBlocks, ...schema.blocks.map(({ type }) => type)])
      : this.#hiddenBlocks;
    return new NativeBody(this.attributes, this.blocks, this.range, attributes, blocks);
  }

  justAttributes(): AttributesResult {
    const diagnostics: Diagnostic[] = [];
    const [block] = this.blocks;
    if (block !== undefined) {
      const summary = `Unexpected ${quoteText(block.type)} block`;
      diagnostics.push(errorDiagnostic(summary, 'Blocks are not allowed here.', block.typeRange));
    }
    if (this.#hiddenAttributes.size === 0) {
      return { attributes: this.attributes, diagnostics };
    }
    const attributes = new Map<string, Attribute>();
    for (const [name, attribute] of this.attributes) {
      if (!this.#hiddenAttributes.has(name)) {
        attributes.set(name, attribute);
      }
    }
    return { attributes, diagnostics };
  }

  #take(schema: BodySchema, diagnostics: Diagnostic[]): BodyContent {
    const index = SchemaIndex.of(schema);
    const attributes = this.#takeAttributes(index);
    for (let i = 0; i < index.required.length; i++) {
      const name = index.required[i] as string;
      if (!attributes.has(name)) {
        const detail = `The argument ${quoteText(name)} is required, but no definition was found.`;
        diagnostics.push(
          errorDiagnostic('Missing required argument', detail, this.missingItemRange),
        );
      }
    }
    const blocks = this.#takeBlocks(index, diagnostics);
    return new NativeContent(attributes, blocks, this);
  }

  /** Returns the attributes that a schema names, in its order. */
  #takeAttributes({ positions }: SchemaIndex): AttributeList {
    const { items } = this.attributes;
    if (items.length === 0 || positions.size === 0) return NO_ATTRIBUTES;
    let count = 0;
    let previous = -1;
    let isSorted = true;
    const hidden = this.#hiddenAttributes.size === 0 ? undefined : this.#hiddenAttributes;
    for (let i = 0; i < items.length; i++) {
      const { name } = items[i] as NativeAttribute;
      const position = positions.get(name);
      if (position === undefined || hidden?.has(name) === true) continue;
      isSorted &&= previous < position;
      previous = position;
      count++;
    }
    if (count === 0) return NO_ATTRIBUTES;
    // Nearly every body is one of these two.
    if (isSorted && count === items.length) return this.attributes;
    return this.#selectAttributes(positions, isSorted);
  }

  #selectAttributes(positions: ReadonlyMap<string, number>, isSorted: boolean): AttributeList {
    const positionOf = ({ name }: NativeAttribute): number => positions.get(name) ?? 0;
    const taken = this.attributes.items.filter(
      ({ name }) => positions.has(name) && !this.#hiddenAttributes.has(name),
    );
    if (!isSorted) taken.sort((a, b) => positionOf(a) - positionOf(b));
    return new AttributeList(taken);
  }

  #takeBlocks(index: SchemaIndex, diagnostics: Diagnostic[]): readonly NativeBlock[] {
    if (this.blocks.length === 0) {
      return this.blocks;
    }
    const requested = index.blocks;
    const blocks: NativeBlock[] = [];
    const hidden = this.#hiddenBlocks.size === 0 ? undefined : this.#hiddenBlocks;
    for (let i = 0; i < this.blocks.length; i++) {
      const block = this.blocks[i] as NativeBlock;
      const blockSchema = hidden?.has(block.type) === true ? undefined : requested.get(block.type);
      if (blockSchema !== undefined && checkLabels(block, blockSchema, diagnostics)) {
        blocks.push(block);
      }
    }
    return blocks;
  }

  #reportUnexpected(
    schema: BodySchema,
    consumed: ReadonlyMap<string, Attribute>,
    diagnostics: Diagnostic[],
  ): void {
    // Usually all attributes are consumed.
    if (consumed !== this.attributes) {
      for (const attribute of this.attributes.items) {
        const { name } = attribute;
        if (!consumed.has(name) && !this.#hiddenAttributes.has(name)) {
          const hint = argumentHint(name, schema, consumed);
          const detail = `An argument named ${quoteText(name)} is not expected here.${hint}`;
          diagnostics.push(errorDiagnostic('Unsupported argument', detail, attribute.nameRange));
        }
      }
    }
    if (this.blocks.length === 0) {
      return;
    }
    const knownTypes = SchemaIndex.of(schema).blocks;
    for (let i = 0; i < this.blocks.length; i++) {
      const block = this.blocks[i] as NativeBlock;
      if (!knownTypes.has(block.type) && !this.#hiddenBlocks.has(block.type)) {
        const hint = blockHint(block.type, schema);
        const detail = `Blocks of type ${quoteText(block.type)} are not expected here.${hint}`;
        diagnostics.push(errorDiagnostic('Unsupported block type', detail, block.typeRange));
      }
    }
  }
}

/** Partial content, whose remaining body is created when it is requested: most callers need only the content. */
class PartialContent implements PartialContentResult {
  readonly content: BodyContent;
  readonly diagnostics: readonly Diagnostic[];
  readonly #body: NativeBody;
  readonly #schema: BodySchema;
  #remain: Body | undefined;

  constructor(
    body: NativeBody,
    schema: BodySchema,
    content: BodyContent,
    diagnostics: readonly Diagnostic[],
  ) {
    this.content = content;
    this.diagnostics = diagnostics;
    this.#body = body;
    this.#schema = schema;
  }

  get remain(): Body {
    return (this.#remain ??= this.#body.without(this.#schema, this.content));
  }
}

/** Content of a body. The range for missing items is created when a diagnostic needs it. */
class NativeContent implements BodyContent {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: readonly NativeBlock[];
  readonly #body: NativeBody;

  constructor(
    attributes: ReadonlyMap<string, Attribute>,
    blocks: readonly NativeBlock[],
    body: NativeBody,
  ) {
    this.attributes = attributes;
    this.blocks = blocks;
    this.#body = body;
  }

  get missingItemRange(): Range {
    return this.#body.missingItemRange;
  }
}

function argumentHint(
  name: string,
  schema: BodySchema,
  consumed: ReadonlyMap<string, Attribute>,
): string {
  const free = suggestedNames(schema).attributes.filter((each) => !consumed.has(each));
  const suggestion = nameSuggestion(name, free);
  if (suggestion !== undefined) {
    return ` Did you mean ${quoteText(suggestion)}?`;
  }
  return schema.blocks.some((block) => block.type === name)
    ? ` Did you mean to define a block of type ${quoteText(name)}?`
    : '';
}

function blockHint(type: string, schema: BodySchema): string {
  const suggestion = nameSuggestion(type, suggestedNames(schema).blocks);
  if (suggestion !== undefined) {
    return ` Did you mean ${quoteText(suggestion)}?`;
  }
  return schema.attributes.some((attribute) => attribute.name === type)
    ? ` Did you mean to define argument ${quoteText(type)}? If so, use the equals sign to assign it a value.`
    : '';
}

function checkLabels(block: NativeBlock, schema: BlockSchema, diagnostics: Diagnostic[]): boolean {
  const names = schema.labelNames ?? [];
  const { type, labels } = block;
  if (labels.length === names.length) {
    return true;
  }
  const context = rangeBetween(block.typeRange, block.openBraceRange);
  if (labels.length > names.length) {
    const detail =
      names.length === 0
        ? `No labels are expected for ${type} blocks.`
        : `Only ${names.length} labels (${names.join(', ')}) are expected for ${type} blocks.`;
    const subject = block.labelRanges[names.length] ?? block.typeRange;
    const summary = `Extraneous label for ${type}`;
    diagnostics.push(errorDiagnostic(summary, detail, subject, { context }));
  } else {
    const detail = `All ${type} blocks must have ${names.length} labels (${names.join(', ')}).`;
    const summary = `Missing ${names[labels.length]} for ${type}`;
    diagnostics.push(errorDiagnostic(summary, detail, block.openBraceRange, { context }));
  }
  return false;
}
