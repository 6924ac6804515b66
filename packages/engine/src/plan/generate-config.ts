import type { InstanceAddr } from '@terrane/addresses';
import {
  CtyError,
  impliedJsonType,
  JsonSyntaxError,
  nullOf,
  parseJson,
  quoteText,
  STRING,
  type Value,
  valueFromJson,
} from '@terrane/cty';
import { formatSource, isValidIdentifier, valueToHcl } from '@terrane/hcl';
import type { AttributeSchema, BlockSchema, NestedBlock } from '@terrane/provider';
import type { LocalProviderRef } from '../config/model.ts';

/** The source of generated arguments. */
export type GeneratedFrom =
  /** a stored object: arguments set only by the provider are omitted, as are some optional ones */
  | 'object'
  /** a configuration that the provider made */
  | 'configuration';

/**
 * The content of a `resource` block for an object that exists, formatted, with a line break at its end. Sensitive
 * values (marked, or so by schema) are left out. Byte for byte as Terraform 1.11 writes it; for a configuration of the
 * provider, as 1.14 does.
 */
export function generatedBody(
  addr: InstanceAddr,
  block: BlockSchema,
  value: Value,
  provider: LocalProviderRef,
  from: GeneratedFrom,
  alwaysProvider: boolean = false,
): string {
  const out: string[] = [];
  const isImplied =
    provider.name === addr.resource.resource.impliedProvider && provider.alias === undefined;
  if (alwaysProvider || !isImplied) out.push(`  provider = ${providerText(provider)}\n`);
  new BodyWriter(out, from).block(block, value, 2, true);
  return formatSource(out.join(''));
}

function providerText({ name, alias }: LocalProviderRef): string {
  return alias === undefined ? name : `${name}.${alias}`;
}

/** An `import` block for an object with this identity, formatted, without line break at its end. */
export function generatedImportBlock(
  { resource: { resource } }: InstanceAddr,
  identity: Value,
  provider: LocalProviderRef,
): string {
  const lines = identity.isNull
    ? []
    : [...identity.entries()].map(
        ([name, value]) => `    ${name.asString()} = ${argumentText(value)}\n`,
      );
  return formatSource(
    `import {\n  to = ${resource.text}\n  provider = ${providerText(provider)}\n  identity = {\n${lines.join('')}  }\n}`,
  );
}

/** The whole `resource` block around a generated content, without line break at its end. */
export function generatedBlock({ resource: { resource } }: InstanceAddr, body: string): string {
  return formatSource(
    `resource ${quoteText(resource.type)} ${quoteText(resource.name)} {\n${body}}`,
  );
}

class BodyWriter {
  readonly #out: string[];
  readonly #from: GeneratedFrom;

  constructor(out: string[], from: GeneratedFrom) {
    this.#out = out;
    this.#from = from;
  }

  /** Arguments and nested blocks, each by name. */
  block({ attributes, blocks }: BlockSchema, value: Value, indent: number, top = false): void {
    this.#attributes(attributes, value, indent, top);
    for (const name of Object.keys(blocks).sort()) {
      const schema = blocks[name];
      if (schema === undefined || schema.block.deprecated === true || value.isNull) continue;
      this.#blocks(name, schema, value.attr(name), indent);
    }
  }

  #attributes(
    attributes: BlockSchema['attributes'],
    value: Value,
    indent: number,
    top = false,
  ): void {
    for (const name of Object.keys(attributes).sort()) {
      const schema = attributes[name];
      if (schema === undefined || !this.#isWritten(name, schema, value, top)) continue;
      if (schema.nested === undefined) this.#argument(name, schema, value, indent);
      else this.#nested(name, schema, schema.nested, value, indent);
    }
  }

  #isWritten(name: string, schema: AttributeSchema, value: Value, top: boolean): boolean {
    if (schema.deprecated === true) return false;
    const { computed = false, optional = false } = schema;
    if (this.#from === 'configuration')
      return !(computed && attributeOf(value, name)?.isNull !== false);
    if (computed && !optional) return false;
    // The legacy SDK adds an "id" to every resource, which its configuration must not set.
    return !(top && name === 'id' && computed && optional);
  }

  #argument(name: string, schema: AttributeSchema, object: Value, indent: number): void {
    let value = attributeOf(object, name) ?? nullOf(schema.type ?? STRING);
    const isEmpty = value.type === STRING && !value.isNull && value.unmark().asString() === '';
    // The legacy SDK stores null as an empty text.
    if (this.#from === 'object' && schema.optional === true && isEmpty)
      value = nullOf(STRING).withMarks(value.marks);
    const text =
      schema.sensitive === true || value.isMarked ? 'null # sensitive' : argumentText(value);
    this.#line(indent, `${name} = ${text}`);
  }

  #nested(
    name: string,
    schema: AttributeSchema,
    { nesting, attributes }: NonNullable<AttributeSchema['nested']>,
    object: Value,
    indent: number,
  ): void {
    const isList = nesting === 'list' || nesting === 'set';
    if (schema.sensitive === true || object.isMarked) {
      this.#line(indent, `${name} = ${isList ? '[]' : '{}'} # sensitive`);
      return;
    }
    const value = attributeOf(object, name);
    if (value === undefined || value.isNull) {
      this.#line(indent, `${name} = null`);
      return;
    }
    if (nesting === 'single') {
      this.#line(indent, `${name} = {`);
      this.#attributes(attributes, value, indent + 2);
      this.#line(0, '}');
      return;
    }
    this.#line(indent, `${name} = ${isList ? '[' : '{'}`);
    for (const [key, element] of value.unmark().entries()) {
      const start = isList ? '{' : `${keyText(key.asString())} = {`;
      const end = isList ? '},' : '}';
      if (element.isMarked) {
        this.#line(indent + 2, `${start}${end} # sensitive`);
        continue;
      }
      this.#line(indent + 2, start);
      this.#attributes(attributes, element, indent + 4);
      this.#line(indent + 2, end);
    }
    this.#line(indent, isList ? ']' : '}');
  }

  #blocks(name: string, { nesting, block }: NestedBlock, value: Value, indent: number): void {
    if (value.isNull) return;
    if (value.isMarked) {
      this.#line(indent, `${name} {} # sensitive`);
      return;
    }
    if (nesting === 'single' || nesting === 'group') {
      this.#block(name, block, value, indent);
      return;
    }
    for (const [key, element] of value.entries()) {
      const label = nesting === 'map' ? ` ${quoteText(key.asString())}` : '';
      if (element.isMarked) this.#line(indent, `${name}${label} {} # sensitive`);
      else this.#block(`${name}${label}`, block, element, indent);
    }
  }

  #block(header: string, schema: BlockSchema, value: Value, indent: number): void {
    this.#line(indent, `${header} {`);
    this.block(schema, value, indent + 2);
    this.#line(0, '}');
  }

  #line(indent: number, text: string): void {
    this.#out.push(' '.repeat(indent), text, '\n');
  }
}

function attributeOf(value: Value, name: string): Value | undefined {
  return value.isNull || value.type.kind !== 'object' ? undefined : value.attr(name);
}

/** An argument as it would be written by hand: JSON by `jsonencode`. */
function argumentText(value: Value): string {
  if (value.type === STRING && !value.isNull && value.isKnown) {
    const inner = jsonCollection(value.asString());
    if (inner !== undefined) return `jsonencode(${valueToHcl(inner)})`;
  }
  return valueToHcl(value.unmarkDeep().value);
}

/** The value of a JSON text that is more than one simple value; undefined for all other texts. */
function jsonCollection(text: string): Value | undefined {
  // A quick look spares most texts being parsed.
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return valueFromJson(text, impliedJsonType(parseJson(text)));
  } catch (error) {
    if (error instanceof CtyError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function keyText(key: string): string {
  return isValidIdentifier(key) ? key : quoteText(key);
}
