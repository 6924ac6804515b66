import { quoteText } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type {
  Attribute,
  AttributesResult,
  Block,
  Body,
  BodyContent,
  BodySchema,
  ContentResult,
  Diagnostic,
  PartialContentResult,
} from '../model.ts';
import { Range, Source } from '../source/source.ts';
import { withDynamicBlocks } from './dynamic-schema.ts';

/** Merges bodies: their attributes must be distinct, their blocks are concatenated. */
export function mergeBodies(bodies: readonly Body[]): Body {
  const flat = bodies.flatMap((body) => (body instanceof MergedBody ? body.bodies : [body]));
  return flat.length === 0 ? EMPTY_BODY : new MergedBody(flat);
}

class MergedBody implements Body {
  readonly bodies: readonly Body[];

  constructor(bodies: readonly Body[]) {
    this.bodies = bodies;
  }

  get missingItemRange(): Range {
    return this.bodies[0]?.missingItemRange ?? EMPTY_RANGE;
  }

  content(schema: BodySchema): ContentResult {
    const optional = allOptional(schema);
    return this.#merged(
      schema,
      this.bodies.map((body) => body.content(optional)),
    );
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const optional = allOptional(schema);
    const results = this.bodies.map((body) => body.partialContent(optional));
    const remain = mergeBodies(results.map((result) => result.remain));
    return { ...this.#merged(schema, results), remain };
  }

  justAttributes(): AttributesResult {
    const attributes = new Map<string, Attribute>();
    const diagnostics: Diagnostic[] = [];
    for (const body of this.bodies) {
      const result = body.justAttributes();
      diagnostics.push(...result.diagnostics);
      addAttributes(result.attributes, attributes, diagnostics);
    }
    return { attributes, diagnostics };
  }

  #merged(schema: BodySchema, results: readonly ContentResult[]): ContentResult {
    const attributes = new Map<string, Attribute>();
    const blocks: Block[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const { content, diagnostics: bodyDiagnostics } of results) {
      diagnostics.push(...bodyDiagnostics);
      addAttributes(content.attributes, attributes, diagnostics);
      blocks.push(...content.blocks);
    }
    for (const { name, required } of schema.attributes) {
      if (required === true && !attributes.has(name)) {
        const detail = `The argument ${quoteText(name)} is required, but was not set.`;
        diagnostics.push(errorDiagnostic('Missing required argument', detail));
      }
    }
    return {
      content: { attributes, blocks, missingItemRange: this.missingItemRange },
      diagnostics,
    };
  }
}

const optionalSchemas = new WeakMap<BodySchema, BodySchema>();

/** Any of the bodies may contain the required items, so none of them is required individually. */
function allOptional(schema: BodySchema): BodySchema {
  let result = optionalSchemas.get(schema);
  if (result === undefined) {
    const attributes = schema.attributes.map(({ name }) => ({ name }));
    result = { attributes, blocks: schema.blocks };
    optionalSchemas.set(schema, result);
  }
  return result;
}

function addAttributes(
  from: ReadonlyMap<string, Attribute>,
  to: Map<string, Attribute>,
  diagnostics: Diagnostic[],
): void {
  for (const [name, attribute] of from) {
    const existing = to.get(name);
    if (existing === undefined) {
      to.set(name, attribute);
      continue;
    }
    const detail = `Argument ${quoteText(name)} was already set at ${existing.nameRange}`;
    diagnostics.push(errorDiagnostic('Duplicate argument', detail, attribute.nameRange));
  }
}

const EMPTY_RANGE: Range = new Range(new Source('<empty>', ''), 0, 0);

/** An empty body. */
export const EMPTY_BODY: Body = new MergedBody([]);

/**
 * Overrides a body with another, as override files do: attributes are replaced individually, blocks of a type (also as
 * `dynamic` blocks) all together. Unrequested items are not an error.
 */
export function overrideBody(base: Body, override: Body): Body {
  return new OverriddenBody(base, override);
}

class OverriddenBody implements Body {
  readonly #base: Body;
  readonly #override: Body;

  constructor(base: Body, override: Body) {
    this.#base = base;
    this.#override = override;
  }

  get missingItemRange(): Range {
    return this.#base.missingItemRange;
  }

  content(schema: BodySchema): ContentResult {
    const { content, diagnostics } = this.partialContent(schema);
    return { content, diagnostics };
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const base = this.#base.partialContent(withDynamicBlocks(schema));
    const override = this.#override.partialContent(withDynamicBlocks(allOptional(schema)));
    return {
      content: this.#overridden(base.content, override.content),
      remain: new OverriddenBody(base.remain, override.remain),
      diagnostics: [...base.diagnostics, ...override.diagnostics],
    };
  }

  justAttributes(): AttributesResult {
    const base = this.#base.justAttributes();
    const override = this.#override.justAttributes();
    return {
      attributes: new Map([...base.attributes, ...override.attributes]),
      diagnostics: [...base.diagnostics, ...override.diagnostics],
    };
  }

  #overridden(base: BodyContent, override: BodyContent): BodyContent {
    const types = new Set(override.blocks.map(generatedType));
    return {
      attributes: new Map([...base.attributes, ...override.attributes]),
      blocks: [
        ...base.blocks.filter(
          (block) => !types.has(generatedType(block)) && !types.has(block.type),
        ),
        ...override.blocks,
      ],
      missingItemRange: this.missingItemRange,
    };
  }
}

/** The type of the blocks that a block is or generates. */
function generatedType(block: Block): string {
  return block.type === 'dynamic' ? (block.labels[0] ?? '') : block.type;
}
