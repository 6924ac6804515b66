import { convert, CtyError, type Type, type Value, withoutOptional } from '@terrane/cty';
import { errorDiagnostic, hasErrors } from '../diagnostic/diagnostic.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { faultMessage } from '../evaluate/fault.ts';
import type { Attribute, Block, Body, BodySchema, Diagnostic, Scope } from '../model.ts';
import { quoteText } from '@terrane/cty';
import { type Environment, scopeOf } from './evaluate-hcl.ts';
import type { BlockField, Decoded, Fields, FieldType } from './field.ts';
import { throwErrors } from './hcl-error.ts';
import { setProperty } from './json-types.ts';
import { parseHcl, type ParseOptions } from './parse-hcl.ts';
import { plainFromValue, type PlainValue } from './plain-value.ts';

/**
 * Decodes a text, or a body of either syntax, into a typed object: attributes are evaluated and converted, blocks
 * become objects with their labels. Throws an `HclError` with all errors: missing items, unexpected items and wrong
 * types.
 */
export function decodeHcl<F extends Fields>(
  input: string | Uint8Array | Body,
  fields: F,
  options: Environment & ParseOptions = {},
): Decoded<F> {
  const diagnostics: Diagnostic[] = [];
  let body: Body;
  if (typeof input === 'string' || input instanceof Uint8Array) {
    const file = parseHcl(input, options);
    throwErrors(file.diagnostics);
    ({ body } = file);
  } else {
    body = input;
  }
  const result = new Decoder(scopeOf(options), diagnostics).body(body, fields);
  throwErrors(diagnostics);
  // The fields determine the type; the compiler cannot derive it from a loop over names.
  return result as Decoded<F>;
}

class Decoder {
  readonly #scope: Scope;
  readonly #diagnostics: Diagnostic[];

  constructor(scope: Scope, diagnostics: Diagnostic[]) {
    this.#scope = scope;
    this.#diagnostics = diagnostics;
  }

  body(body: Body, fields: Fields): Record<string, unknown> {
    const { content, diagnostics } = body.content(schemaOf(fields));
    this.#diagnostics.push(...diagnostics);
    const result: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const value =
        field.kind === 'attribute'
          ? this.#attribute(content.attributes.get(name), field)
          : this.#blocks(
              name,
              content.blocks.filter((block) => block.type === name),
              field,
              body,
            );
      setProperty(result, name, value);
    }
    return result;
  }

  #attribute(attribute: Attribute | undefined, field: FieldType<unknown>): unknown {
    if (attribute === undefined) return field.fallback;
    const mark = this.#diagnostics.length;
    const value = evaluate(attribute.expression, this.#scope, this.#diagnostics);
    if (hasErrors(this.#diagnostics, mark)) return undefined;
    try {
      if (value.isNull && !field.required) return field.fallback;
      if (value.isNull) throw new CtyError('it must not be null');
      return this.#converted(value, field.type);
    } catch (error) {
      const detail = `Inappropriate value for attribute ${quoteText(attribute.name)}: ${faultMessage(error)}.`;
      const { range: subject } = attribute.expression;
      const { expression } = attribute;
      const more = { expression, scope: this.#scope };
      this.#diagnostics.push(
        errorDiagnostic('Incorrect attribute value type', detail, subject, more),
      );
      return undefined;
    }
  }

  #converted(value: Value, type: Type): PlainValue {
    return plainFromValue(convert(value, type.kind === 'object' ? type : withoutOptional(type)));
  }

  #blocks(type: string, blocks: readonly Block[], field: BlockField<unknown>, body: Body): unknown {
    if (field.count === 'many') return blocks.map((block) => this.#block(block, field));
    const [first, second] = blocks;
    if (second !== undefined) {
      const detail = `Only one ${type} block is allowed.`;
      this.#diagnostics.push(errorDiagnostic(`Duplicate ${type} block`, detail, second.defRange));
    }
    if (first !== undefined) return this.#block(first, field);
    if (field.count === 'one') {
      const detail = `A block of type ${quoteText(type)} is required here.`;
      this.#diagnostics.push(
        errorDiagnostic(`Missing ${type} block`, detail, body.missingItemRange),
      );
    }
    return undefined;
  }

  #block(block: Block, field: BlockField<unknown>): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const [i, name] of field.labels.entries()) setProperty(result, name, block.labels[i]);
    return Object.assign(result, this.body(block.body, field.fields));
  }
}

const schemas = new WeakMap<Fields, BodySchema>();

function schemaOf(fields: Fields): BodySchema {
  let schema = schemas.get(fields);
  if (schema === undefined) {
    const entries = Object.entries(fields);
    schema = {
      attributes: entries.flatMap(([name, field]) =>
        field.kind === 'attribute' ? [{ name, required: field.required }] : [],
      ),
      blocks: entries.flatMap(([type, field]) =>
        field.kind === 'block' ? [{ type, labelNames: field.labels }] : [],
      ),
    };
    schemas.set(fields, schema);
  }
  return schema;
}
