import { type Marks, UNKNOWN } from '@terrane/cty';
import type {
  Attribute,
  AttributesResult,
  Body,
  BodyContent,
  BodySchema,
  ContentResult,
  PartialContentResult,
} from '../model.ts';
import type { Range } from '../source/source.ts';
import { withBody, withExpression } from './replaced-items.ts';

/**
 * Represents the bodies of all blocks of a `dynamic` block with an unknown `for_each`: the content has the shape of the
 * template, but every attribute is unknown. The template is still checked against the schema, so that its errors are
 * reported.
 */
export class UnknownBody implements Body {
  readonly isUnknown = true;
  readonly #template: Body;
  readonly #marks: Marks;

  constructor(template: Body, marks: Marks) {
    this.#template = template;
    this.#marks = marks;
  }

  get missingItemRange(): Range {
    return this.#template.missingItemRange;
  }

  get valueMarks(): Marks {
    return this.#template.valueMarks ?? this.#marks;
  }

  content(schema: BodySchema): ContentResult {
    const { content, diagnostics } = this.#template.content(schema);
    return { content: this.#unknownContent(content), diagnostics };
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const { content, remain, diagnostics } = this.#template.partialContent(schema);
    return {
      content: this.#unknownContent(content),
      remain: new UnknownBody(remain, this.#marks),
      diagnostics,
    };
  }

  justAttributes(): AttributesResult {
    const { attributes, diagnostics } = this.#template.justAttributes();
    return { attributes: this.#unknownAttributes(attributes), diagnostics };
  }

  #unknownContent(content: BodyContent): BodyContent {
    return {
      attributes: this.#unknownAttributes(content.attributes),
      blocks: content.blocks.map((block) =>
        withBody(block, new UnknownBody(block.body, this.#marks)),
      ),
      missingItemRange: content.missingItemRange,
    };
  }

  #unknownAttributes(attributes: ReadonlyMap<string, Attribute>): ReadonlyMap<string, Attribute> {
    const value = UNKNOWN.withMarks(this.#marks);
    const result = new Map<string, Attribute>();
    for (const [name, attribute] of attributes) {
      const { range } = attribute.expression;
      result.set(name, withExpression(attribute, { kind: 'literal', range, value }));
    }
    return result;
  }
}
