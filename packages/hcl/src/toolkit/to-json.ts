import { formatNumber, type Num, numToFloat, quoteText, type Value } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { ConditionalExpr, Diagnostic, Expression, ForExpr, TemplateExpr } from '../model.ts';
import type { Source } from '../source/source.ts';
import type { NativeBlock, NativeBody } from '../syntax/native-body.ts';
import { throwErrors } from './hcl-error.ts';
import { type JsonObject, type JsonValue, setProperty } from './json-types.ts';
import { parseHcl, type ParseOptions } from './parse-hcl.ts';

/** Options of {@link toJson} for content that JSON cannot represent. */
export interface ToJsonOptions extends ParseOptions {
  /**
   * The representation of numbers that a JavaScript number cannot hold exactly: rounded ('round', the default, as
   * JSON.parse does), or as an expression ('expression': `"${123456789012345678901}"`).
   */
  readonly bigNumbers?: 'round' | 'expression';
}

/**
 * Converts native syntax to JSON, in the format introduced by hcl2json: blocks are arrays of objects below their
 * labels, constants are values, every other expression is a string `${…}` with its source. Templates remain templates,
 * and `$${` and `%%{` in strings remain escaped, so the result has the same meaning as the JSON syntax of HCL.
 * Properties are in source order, attributes first.
 *
 * Accepts a text or a parsed body. Throws an `HclError` for a text with errors, and if an attribute and a block, or
 * blocks with different numbers of labels, require the same property.
 */
export function toJson(
  input: string | Uint8Array | NativeBody,
  options: ToJsonOptions = {},
): JsonObject {
  if (typeof input === 'string' || input instanceof Uint8Array) {
    const file = parseHcl(input, options);
    throwErrors(file.diagnostics);
    return toJson(file.body, options);
  }
  const diagnostics: Diagnostic[] = [];
  const writer = new Writer(input.range.source, options.bigNumbers === 'expression', diagnostics);
  const result = writer.body(input);
  throwErrors(diagnostics);
  return result;
}

const SEQUENCE = /\$\{|%\{/;
const SEQUENCES = /[$%](?=\{)/g;

/** Escapes a text for use as a literal part of a template. */
function escapeSequences(text: string): string {
  return SEQUENCE.test(text) ? text.replace(SEQUENCES, '$&$&') : text;
}

class Writer {
  readonly #text: string;
  readonly #keepBigNumbers: boolean;
  readonly #diagnostics: Diagnostic[];
  // The arrays created for blocks, to distinguish them from attribute values.
  readonly #blockLists = new WeakSet<object>();
  readonly #labelObjects = new WeakSet<object>();

  constructor(source: Source, keepBigNumbers: boolean, diagnostics: Diagnostic[]) {
    this.#text = source.text;
    this.#keepBigNumbers = keepBigNumbers;
    this.#diagnostics = diagnostics;
  }

  body(body: NativeBody): JsonObject {
    const out: JsonObject = {};
    for (const [name, attribute] of body.attributes) {
      setProperty(out, name, this.#expression(attribute.expression));
    }
    for (const block of body.blocks) {
      this.#block(block, out);
    }
    return out;
  }

  #block(block: NativeBlock, root: JsonObject): void {
    let out = root;
    let name = block.type;
    for (const label of block.labels) {
      let inner = Object.hasOwn(out, name) ? out[name] : undefined;
      if (inner === undefined) {
        inner = {};
        this.#labelObjects.add(inner);
        setProperty(out, name, inner);
      } else if (typeof inner !== 'object' || inner === null || !this.#labelObjects.has(inner)) {
        this.#reportConflict(block, name);
        return;
      }
      out = inner as JsonObject;
      name = label;
    }
    const value = this.body(block.body);
    const list = Object.hasOwn(out, name) ? out[name] : undefined;
    if (list === undefined) {
      const blockList: JsonValue[] = [value];
      this.#blockLists.add(blockList);
      setProperty(out, name, blockList);
    } else if (Array.isArray(list) && this.#blockLists.has(list)) {
      list.push(value);
    } else {
      this.#reportConflict(block, name);
    }
  }

  #reportConflict(block: NativeBlock, name: string): void {
    const detail = `JSON has one property ${quoteText(name)} for this block and for an argument, or blocks with another number of labels, of the same name.`;
    const subject = block.defRange;
    this.#diagnostics.push(errorDiagnostic('Block cannot be converted to JSON', detail, subject));
  }

  #expression(e: Expression): JsonValue {
    switch (e.kind) {
      case 'literal':
        return this.#literal(e.value, e);
      case 'template':
        return this.#template(e);
      case 'templateWrap':
        return this.#expression(e.wrapped);
      case 'tuple':
        return e.elements.map((element) => this.#expression(element));
      case 'object': {
        const out: JsonObject = {};
        for (const { key, value } of e.items) {
          setProperty(out, this.#key(key.wrapped), this.#expression(value));
        }
        return out;
      }
      case 'unary': {
        const { operand, operator } = e;
        if (operand.kind !== 'literal' || operand.value.isNull) return this.#source(e);
        const { type } = operand.value;
        if (operator === '!' && type.kind === 'bool') return !operand.value.asBool();
        if (operator === '-' && type.kind === 'number') {
          const value = this.#literal(operand.value, e);
          return typeof value === 'number' ? -value : value;
        }
        return this.#source(e);
      }
      default:
        return this.#source(e);
    }
  }

  #literal(value: Value, e: Expression): JsonValue {
    if (value.isNull || !value.isKnown) return null;
    switch (value.type.kind) {
      case 'string':
        return escapeSequences(value.asString());
      case 'bool':
        return value.asBool();
      default:
        return this.#number(value.asNum(), e);
    }
  }

  #number(n: Num, e: Expression): JsonValue {
    if (typeof n === 'number') return n;
    const double = numToFloat(n);
    const isExact = formatNumber(n) === String(double);
    return this.#keepBigNumbers && !isExact ? this.#source(e) : double;
  }

  #template(e: TemplateExpr): string {
    const { parts } = e;
    let result = '';
    for (const part of parts) result += this.#part(part);
    return result;
  }

  #part(e: Expression): string {
    switch (e.kind) {
      case 'literal':
        return literalText(e.value);
      case 'template':
        return this.#template(e);
      case 'templateWrap':
        return this.#part(e.wrapped);
      case 'conditional':
        return this.#directiveIf(e);
      case 'templateJoin':
        return e.tuple.kind === 'for' ? this.#directiveFor(e.tuple) : this.#source(e);
      default:
        return this.#source(e);
    }
  }

  #directiveIf(e: ConditionalExpr): string {
    const elseContent = this.#part(e.ifFalse);
    const middle = elseContent === '' ? '' : `%{else}${elseContent}`;
    return `%{if ${this.#range(e.condition)}}${this.#part(e.ifTrue)}${middle}%{endif}`;
  }

  #directiveFor(e: ForExpr): string {
    const names = e.keyName === undefined ? e.valueName : `${e.keyName}, ${e.valueName}`;
    return `%{for ${names} in ${this.#range(e.collection)}}${this.#part(e.value)}%{endfor}`;
  }

  #key(e: Expression): string {
    return e.kind === 'scopeTraversal' ? this.#range(e) : this.#part(e);
  }

  #source(e: Expression): string {
    return `\${${this.#range(e)}}`;
  }

  #range(e: Expression): string {
    return this.#text.slice(e.range.start, e.range.end);
  }
}

function literalText(value: Value): string {
  if (value.isNull) return 'null';
  switch (value.type.kind) {
    case 'string':
      return escapeSequences(value.asString());
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    default:
      return formatNumber(value.asNum());
  }
}
