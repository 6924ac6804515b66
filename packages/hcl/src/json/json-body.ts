import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type {
  Attribute,
  AttributesResult,
  Block,
  BlockSchema,
  Body,
  BodySchema,
  ContentResult,
  Diagnostic,
  PartialContentResult,
} from '../model.ts';
import { quoteText } from '@terrane/cty';
import { type Range, rangeBetween } from '../source/source.ts';
import { nameSuggestion, suggestedNames } from '../source/suggestion.ts';
import { jsonExpression } from './json-expression.ts';
import type { JsonProperty, JsonSyntaxNode } from './nodes.ts';

const WRONG_TYPE = 'Incorrect JSON value type';
const NONE: ReadonlySet<string> = new Set();

/** A body of the JSON syntax: whether a property is an attribute or blocks, the schema decides. */
export class JsonBody implements Body {
  readonly node: JsonSyntaxNode;
  // Names consumed by earlier calls of partialContent.
  readonly #hidden: ReadonlySet<string>;

  constructor(node: JsonSyntaxNode, hidden: ReadonlySet<string> = NONE) {
    this.node = node;
    this.#hidden = hidden;
  }

  get missingItemRange(): Range {
    return this.node.kind === 'object' ? this.node.closeRange : this.node.startRange;
  }

  content(schema: BodySchema): ContentResult {
    const { content, used, diagnostics } = this.#take(schema);
    const properties = collectProperties(this.node, undefined, diagnostics);
    const names = suggestedNames(schema);
    const free = names.attributes.filter((name) => !used.has(name));
    const suggestions = [...free, ...names.blocks];
    for (const property of properties) {
      if (property.name !== '//' && !used.has(property.name)) {
        const suggestion = nameSuggestion(property.name, suggestions);
        const hint = suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
        const detail = `No argument or block type is named ${quoteText(property.name)}.${hint}`;
        diagnostics.push(
          errorDiagnostic('Extraneous JSON object property', detail, property.nameRange, {
            context: property.nameRange,
          }),
        );
      }
    }
    return { content, diagnostics };
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const { content, used, diagnostics } = this.#take(schema);
    return { content, remain: new JsonBody(this.node, used), diagnostics };
  }

  justAttributes(): AttributesResult {
    const attributes = new Map<string, Attribute>();
    const diagnostics: Diagnostic[] = [];
    if (this.node.kind !== 'object') {
      const detail = 'A JSON object is required here, setting the arguments for this block.';
      diagnostics.push(errorDiagnostic(WRONG_TYPE, detail, this.node.startRange));
      return { attributes, diagnostics };
    }
    for (const property of this.node.properties) {
      const { name } = property;
      if (name === '//' || this.#hidden.has(name)) {
        continue;
      }
      const existing = attributes.get(name);
      if (existing === undefined) {
        attributes.set(name, toAttribute(property));
      } else {
        const detail = `The argument ${quoteText(name)} was already set at ${existing.range}.`;
        const summary = 'Duplicate attribute definition';
        diagnostics.push(errorDiagnostic(summary, detail, property.nameRange));
      }
    }
    return { attributes, diagnostics };
  }

  #take(schema: BodySchema): ContentResult & {
    readonly used: ReadonlySet<string>;
    readonly diagnostics: Diagnostic[];
  } {
    const diagnostics: Diagnostic[] = [];
    const used = new Set(this.#hidden);
    const attributes = new Map<string, Attribute>();
    const blocks: Block[] = [];
    const attributeNames = new Set(schema.attributes.map((attribute) => attribute.name));
    const blockSchemas = new Map(schema.blocks.map((block) => [block.type, block]));
    for (const property of collectProperties(this.node, undefined, diagnostics)) {
      const { name } = property;
      if (this.#hidden.has(name)) {
        continue;
      }
      if (attributeNames.has(name)) {
        addAttribute(property, attributes, diagnostics);
        used.add(name);
        continue;
      }
      const blockSchema = blockSchemas.get(name);
      if (blockSchema !== undefined) {
        unpackBlock(property, blockSchema, blocks, diagnostics);
        used.add(name);
      }
    }
    for (const { name, required } of schema.attributes) {
      if (required === true && !attributes.has(name)) {
        const detail = `The argument ${quoteText(name)} is required, but no definition was found.`;
        const summary = 'Missing required argument';
        diagnostics.push(errorDiagnostic(summary, detail, this.missingItemRange));
      }
    }
    const content = { attributes, blocks, missingItemRange: this.missingItemRange };
    return { content, used, diagnostics };
  }
}

function propertyRange(property: JsonProperty): Range {
  return rangeBetween(property.nameRange, property.value.range);
}

function toAttribute(property: JsonProperty): Attribute {
  return {
    name: property.name,
    expression: jsonExpression(property.value),
    range: propertyRange(property),
    nameRange: property.nameRange,
  };
}

function addAttribute(
  property: JsonProperty,
  attributes: Map<string, Attribute>,
  diagnostics: Diagnostic[],
): void {
  const existing = attributes.get(property.name);
  if (existing === undefined) {
    attributes.set(property.name, toAttribute(property));
    return;
  }
  const detail = `The argument ${quoteText(property.name)} was already set at ${existing.range}.`;
  diagnostics.push(
    errorDiagnostic('Duplicate argument', detail, property.nameRange, {
      context: property.nameRange,
    }),
  );
}

/** Labels are nested objects; under them one object is a block, and an array is several. */
function unpackBlock(
  property: JsonProperty,
  schema: BlockSchema,
  blocks: Block[],
  diagnostics: Diagnostic[],
): void {
  const names = schema.labelNames ?? [];
  const labels: JsonProperty[] = [];
  const unpack = (node: JsonSyntaxNode): void => {
    const labelName = names[labels.length];
    if (labelName === undefined) {
      addBlocks(property, node, labels, blocks, diagnostics);
      return;
    }
    const children = collectProperties(node, labelName, diagnostics);
    if (children.length === 0) {
      const detail = `At least one object property is required, whose name represents the ${schema.type} block's ${labelName}.`;
      diagnostics.push(errorDiagnostic('Missing block label', detail, node.startRange));
    }
    for (const child of children) {
      labels.push(child);
      unpack(child.value);
      labels.pop();
    }
  };
  unpack(property.value);
}

function addBlocks(
  property: JsonProperty,
  node: JsonSyntaxNode,
  labels: readonly JsonProperty[],
  blocks: Block[],
  diagnostics: Diagnostic[],
): void {
  const make = (body: JsonSyntaxNode): Block => ({
    type: property.name,
    labels: labels.map((label) => label.name),
    body: new JsonBody(body),
    defRange: node.startRange,
    typeRange: property.nameRange,
    labelRanges: labels.map((label) => label.nameRange),
  });
  switch (node.kind) {
    case 'null':
      return;
    case 'object':
      blocks.push(make(node));
      return;
    case 'array':
      // Elements of other types are reported when their content is requested.
      for (const element of node.elements) {
        blocks.push(make(element));
      }
      return;
    case 'string':
    case 'number':
    case 'boolean':
    case 'invalid': {
      const detail = `Either a JSON object or a JSON array is required, representing the contents of one or more ${quoteText(property.name)} blocks.`;
      diagnostics.push(errorDiagnostic(WRONG_TYPE, detail, node.startRange));
    }
  }
}

/** The properties of an object, or of all objects of an array, in order. */
function collectProperties(
  node: JsonSyntaxNode,
  labelName: string | undefined,
  diagnostics: Diagnostic[],
): readonly JsonProperty[] {
  const purpose =
    labelName === undefined
      ? 'to define arguments and child blocks'
      : `to specify ${labelName} labels for this block`;
  switch (node.kind) {
    case 'null':
      return [];
    case 'object':
      return node.properties;
    case 'array': {
      const properties: JsonProperty[] = [];
      for (const element of node.elements) {
        if (element.kind === 'object') {
          properties.push(...element.properties);
        } else {
          const detail = `A JSON object is required here, ${purpose}.`;
          diagnostics.push(errorDiagnostic(WRONG_TYPE, detail, element.startRange));
        }
      }
      return properties;
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'invalid': {
      const detail = `Either a JSON object or JSON array of objects is required here, ${purpose}.`;
      diagnostics.push(errorDiagnostic(WRONG_TYPE, detail, node.startRange));
      return [];
    }
  }
}
