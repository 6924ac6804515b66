import {
  type Attribute,
  type AttributesResult,
  type Body,
  type BodySchema,
  type ContentResult,
  type Diagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type PartialContentResult,
  type Range,
  type Scope,
  withBody,
  withExpression,
} from '@terrane/hcl';

/** Returns the scope of expressions in the settings of a provider; undefined, with diagnostics, if they have errors. */
export type ProviderScope = (
  expressions: readonly Expression[],
  diagnostics: Diagnostic[],
) => Scope | undefined;

/**
 * The settings of a provider in a test file, evaluated in the scope of the test, so that decoding sees only values
 * (hcltest.ProviderConfig).
 */
export class TestProviderBody implements Body {
  readonly #body: Body;
  readonly #scope: ProviderScope;

  constructor(body: Body, scope: ProviderScope) {
    this.#body = body;
    this.#scope = scope;
  }

  get missingItemRange(): Range {
    return this.#body.missingItemRange;
  }

  content(schema: BodySchema): ContentResult {
    return this.#evaluated(this.#body.content(schema));
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const taken = this.#body.partialContent(schema);
    return { ...this.#evaluated(taken), remain: new TestProviderBody(taken.remain, this.#scope) };
  }

  justAttributes(): AttributesResult {
    const taken = this.#body.justAttributes();
    const diagnostics = [...taken.diagnostics];
    return { attributes: this.#values(taken.attributes, diagnostics), diagnostics };
  }

  #evaluated({ content, diagnostics: schemaProblems }: ContentResult): ContentResult {
    const diagnostics = [...schemaProblems];
    const attributes = this.#values(content.attributes, diagnostics);
    const blocks = content.blocks.map((block) =>
      withBody(block, new TestProviderBody(block.body, this.#scope)),
    );
    return {
      content: { attributes, blocks, missingItemRange: content.missingItemRange },
      diagnostics,
    };
  }

  #values(
    attributes: ReadonlyMap<string, Attribute>,
    diagnostics: Diagnostic[],
  ): ReadonlyMap<string, Attribute> {
    const values = new Map<string, Attribute>();
    const expressions = Array.from(attributes.values(), ({ expression }) => expression);
    const scope = this.#scope(expressions, diagnostics);
    if (scope === undefined) return values;
    for (const [name, attribute] of attributes) {
      const { expression } = attribute;
      const problems: Diagnostic[] = [];
      const value = evaluate(expression, scope, problems);
      diagnostics.push(...problems);
      if (hasErrors(problems)) continue;
      const { range } = expression;
      values.set(name, withExpression(attribute, { kind: 'literal', range, value }));
    }
    return values;
  }
}
