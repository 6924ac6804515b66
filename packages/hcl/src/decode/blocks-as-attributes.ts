// Providers built on the old SDK declare some attributes as lists or sets of objects that may also be written as
// blocks. The schema does not identify them, so the configuration decides.

import { isCollection, isPrimitive, list, type Type, type Value } from '@terrane/cty';
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
  Scope,
  Traversal,
} from '../model.ts';
import type { Range } from '../source/source.ts';
import { ambiguousAttributes, effectiveSchema, elementSpecOf } from './ambiguous-attributes.ts';
import { variablesInBody } from './body-references.ts';
import { type AttrSpec, membersOf, type Spec } from './spec.ts';
import { withBody } from './replaced-items.ts';

/** Decodes a body; handed in, since attributes written as blocks are decoded in turn. */
type DecodeBody = (
  body: Body,
  spec: Spec,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
) => Value;

/** Returns a body in which blocks are read as attributes if the spec declares such attributes. */
export function withBlocksAsAttributes(body: Body, spec: Spec, decode: DecodeBody): Body {
  return needsFixing(spec) && !(body instanceof FixedBody)
    ? new FixedBody(body, spec, decode)
    : body;
}

const fixing = new WeakMap<Spec, boolean>();

/** Returns true if the spec, at any depth, has such attributes, and no feature that the legacy SDK cannot declare. */
function needsFixing(spec: Spec): boolean {
  let result = fixing.get(spec);
  if (result === undefined) {
    result = hasAmbiguous(spec) && !isModern(spec);
    fixing.set(spec, result);
  }
  return result;
}

function hasAmbiguous(spec: Spec): boolean {
  const { attributes, blocks } = membersOf(spec);
  return (
    ambiguousAttributes(spec).size > 0 ||
    [...blocks.values()].some(hasAmbiguous) ||
    [...attributes.values()].some((attribute) => elementSpecOf(attribute) !== undefined)
  );
}

function isModern(spec: Spec): boolean {
  const { attributes, blocks } = membersOf(spec);
  return (
    (spec.kind === 'object' && spec.computed === true) ||
    [...attributes.values()].some(
      (attribute) => attribute.nested === true || isModernType(attribute.type),
    ) ||
    [...blocks.values()].some(isModern)
  );
}

function isModernType(type: Type): boolean {
  if (type.kind === 'tuple' || type.kind === 'object') {
    return true;
  }
  if (!isCollection(type)) {
    return false;
  }
  const { element } = type;
  if (type.kind === 'map' && element.kind === 'object') {
    return true;
  }
  return isCollection(element) && !isPrimitive(element.element);
}

class FixedBody implements Body {
  readonly #original: Body;
  readonly #spec: Spec;
  readonly #decode: DecodeBody;

  constructor(original: Body, spec: Spec, decode: DecodeBody) {
    this.#original = original;
    this.#spec = spec;
    this.#decode = decode;
  }

  get missingItemRange(): Range {
    return this.#original.missingItemRange;
  }

  get isUnknown(): boolean {
    return this.#original.isUnknown === true;
  }

  content(schema: BodySchema): ContentResult {
    const { content, diagnostics } = this.#original.content(this.#effective(schema));
    return { content: this.#fixed(content), diagnostics };
  }

  partialContent(schema: BodySchema): PartialContentResult {
    const { content, remain, diagnostics } = this.#original.partialContent(this.#effective(schema));
    const fixedRemain = new FixedBody(remain, this.#spec, this.#decode);
    return { content: this.#fixed(content), remain: fixedRemain, diagnostics };
  }

  justAttributes(): AttributesResult {
    return this.#original.justAttributes();
  }

  #effective(schema: BodySchema): BodySchema {
    return effectiveSchema(schema, this.#original, ambiguousAttributes(this.#spec), true);
  }

  #fixed(content: BodyContent): BodyContent {
    const names = ambiguousAttributes(this.#spec);
    const nested = membersOf(this.#spec).blocks;
    const attributes = new Map(content.attributes);
    const asAttributes = new Map<string, Block[]>();
    const blocks: Block[] = [];
    for (const block of content.blocks) {
      if (names.has(block.type)) {
        const same = asAttributes.get(block.type);
        if (same === undefined) {
          asAttributes.set(block.type, [block]);
        } else {
          same.push(block);
        }
        continue;
      }
      const nestedSpec = nested.get(block.type);
      blocks.push(
        nestedSpec === undefined
          ? block
          : withBody(block, withBlocksAsAttributes(block.body, nestedSpec, this.#decode)),
      );
    }
    for (const [name, same] of asAttributes) {
      const attribute = names.get(name);
      const spec = attribute === undefined ? undefined : elementSpecOf(attribute);
      if (attribute !== undefined && spec !== undefined) {
        attributes.set(name, this.#toAttribute(name, same, attribute, spec));
      }
    }
    return { attributes, blocks, missingItemRange: this.missingItemRange };
  }

  #toAttribute(name: string, blocks: readonly Block[], attribute: AttrSpec, spec: Spec): Attribute {
    const decode = this.#decode;
    const [first] = blocks;
    const range = first?.defRange ?? this.missingItemRange;
    const element = isCollection(attribute.type) ? attribute.type.element : attribute.type;
    return {
      name,
      range,
      nameRange: first?.typeRange ?? range,
      expression: {
        kind: 'blocks',
        range,
        decode: (scope, diagnostics) =>
          list(
            element,
            blocks.map((block) => decode(block.body, spec, scope, diagnostics)),
          ),
        references: () =>
          blocks.flatMap((block): readonly Traversal[] => variablesInBody(block.body, spec)),
      },
    };
  }
}
