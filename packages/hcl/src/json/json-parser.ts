import { parseNumber, quoteText } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import { Range, rangeBetween, Source } from '../source/source.ts';
import { nameSuggestion } from '../source/suggestion.ts';
import { MAX_DEPTH } from '../syntax/nesting.ts';
import type { ParsedFile } from '../syntax/parse.ts';
import { JsonBody } from './json-body.ts';
import { type JsonToken, JsonTokenReader, type JsonTokenType } from './json-scanner.ts';
import { decodeJsonString } from './json-string.ts';
import type { JsonProperty, JsonSyntaxNode } from './nodes.ts';

const STARTS_VALUE =
  'A JSON value must start with a brace, a bracket, a number, a string, or a keyword.';

/** Parses a whole file of the JSON syntax. */
export function parseJsonSyntax(input: Source): ParsedFile {
  const source = asJsonSource(input);
  const { node, diagnostics, isTooDeep } = parseWhole(source);
  if (node.kind === 'object' || node.kind === 'array') {
    return { source, body: new JsonBody(node), diagnostics };
  }
  if (!isTooDeep) {
    const detail =
      'The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.';
    diagnostics.push(errorDiagnostic('Root value must be object', detail, node.startRange));
  }
  const start = new Range(source, 0, 0);
  const empty: JsonSyntaxNode = {
    kind: 'object',
    properties: [],
    range: start,
    startRange: start,
    closeRange: start,
  };
  return { source, body: new JsonBody(empty), diagnostics };
}

/** Parses a text that is one JSON value, for use as an expression. */
export function parseJsonValue(source: Source): {
  readonly node: JsonSyntaxNode;
  readonly diagnostics: readonly Diagnostic[];
} {
  return parseWhole(asJsonSource(source));
}

/** Returns the same text, with positions counted as the JSON syntax does. */
function asJsonSource(source: Source): Source {
  return new Source(source.filename, source.text, { json: true, unshown: !source.isShown });
}

function parseWhole(source: Source): {
  node: JsonSyntaxNode;
  diagnostics: Diagnostic[];
  isTooDeep: boolean;
} {
  const parser = new JsonParser(source);
  const node = parser.parseWhole();
  return { node, diagnostics: parser.diagnostics, isTooDeep: parser.isTooDeep };
}

/** Thrown to stop parsing a too deeply nested text, after reporting it. */
class TooDeep extends Error {}

class JsonParser {
  readonly diagnostics: Diagnostic[] = [];
  isTooDeep = false;
  #depth = 0;
  readonly #reader: JsonTokenReader;

  constructor(source: Source) {
    this.#reader = new JsonTokenReader(source);
  }

  #checkEnd(): void {
    const next = this.#reader.peek();
    if (this.diagnostics.length === 0 && next.type !== 'end') {
      const detail = 'Extra characters appear after the JSON value.';
      this.#report('Extraneous data after value', detail, next.range);
    }
  }

  /** Parses the value of the whole text. Too deeply nested text is reported, and the node is invalid. */
  parseWhole(): JsonSyntaxNode {
    const start = this.#reader.peek().range;
    try {
      const node = this.#parseValue();
      this.#checkEnd();
      return node;
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.isTooDeep = true;
      return invalid(start);
    }
  }

  /** Value = Object | Array | number | string | keyword; always returns a node, after errors an invalid one */
  #parseValue(): JsonSyntaxNode {
    const token = this.#reader.peek();
    if (++this.#depth > MAX_DEPTH) {
      const detail = `JSON values may not be nested more than ${MAX_DEPTH} levels deep.`;
      this.#report('JSON value too deeply nested', detail, token.range);
      throw new TooDeep();
    }
    const node = this.#parseKnown(token) ?? invalid(token.range);
    this.#depth--;
    return node;
  }

  #parseKnown(token: JsonToken): JsonSyntaxNode | undefined {
    switch (token.type) {
      case '{':
        return this.#parseObject();
      case '[':
        return this.#parseArray();
      case 'number':
        return this.#parseNumber();
      case 'string':
        return this.#parseString();
      case 'keyword':
        return this.#parseKeyword();
      case '}':
        return this.#report('Missing JSON value', STARTS_VALUE, token.range);
      case ']':
        return this.#report('Missing array element value', STARTS_VALUE, token.range);
      case 'end':
        return this.#report('Missing value', 'The JSON data ends prematurely.', token.range);
      case ',':
      case ':':
      case '=':
      case 'invalid':
        return this.#report('Invalid start of value', STARTS_VALUE, token.range);
    }
  }

  /** Object = "{" [ string ":" Value { "," string ":" Value } ] "}" */
  #parseObject(): JsonSyntaxNode | undefined {
    const reader = this.#reader;
    const open = reader.read();
    const properties: JsonProperty[] = [];
    while (reader.peek().type !== '}') {
      const property = this.#parseProperty();
      if (property === undefined) {
        return undefined;
      }
      properties.push(property);
      const next = reader.peek();
      if (next.type === ',') {
        const comma = reader.read();
        if (reader.peek().type === '}') {
          const detail =
            'JSON does not permit a trailing comma after the final property in an object.';
          return this.#report('Trailing comma in object', detail, comma.range);
        }
      } else if (next.type !== '}') {
        return this.#reportPropertyEnd(open, next.type);
      }
    }
    const close = reader.read();
    return {
      kind: 'object',
      properties,
      range: rangeBetween(open.range, close.range),
      startRange: open.range,
      closeRange: close.range,
    };
  }

  #parseProperty(): JsonProperty | undefined {
    const reader = this.#reader;
    const key = this.#parseValue();
    if (key.kind !== 'string') {
      const detail = 'A JSON object property name must be a string';
      return this.#report('Invalid object property name', detail, key.startRange);
    }
    const colon = reader.read();
    if (colon.type !== ':') {
      this.#skip(colon, '{', '}');
      return this.#reportMissingColon(colon);
    }
    const value = this.#parseValue();
    return { name: key.value, value, nameRange: key.range };
  }

  #reportMissingColon(token: JsonToken): undefined {
    if (token.type === '}' || token.type === ',') {
      const detail = 'A JSON object attribute must have a value, introduced by a colon.';
      return this.#report('Missing object value', detail, token.range);
    }
    const detail =
      token.type === '='
        ? 'JSON uses a colon as its name/value delimiter, not an equals sign.'
        : "A colon must appear between an object property's name and its value.";
    return this.#report('Missing property value colon', detail, token.range);
  }

  #reportPropertyEnd(open: JsonToken, tokenType: JsonTokenType): undefined {
    const reader = this.#reader;
    if (tokenType === 'end') {
      const detail = 'No closing brace was found for this JSON object.';
      return this.#report('Unclosed object', detail, open.range);
    }
    if (tokenType === ']') {
      reader.read();
      const detail = 'A JSON object must be closed with a brace, not a bracket.';
      return this.#report('Mismatched braces', detail, reader.peek().range);
    }
    this.#skip(reader.read(), '{', '}');
    const detail = 'A comma must appear between each property definition in an object.';
    return this.#report('Missing attribute seperator comma', detail, reader.peek().range);
  }

  /** Array = "[" [ Value { "," Value } ] "]" */
  #parseArray(): JsonSyntaxNode | undefined {
    const reader = this.#reader;
    const open = reader.read();
    const elements: JsonSyntaxNode[] = [];
    while (reader.peek().type !== ']') {
      elements.push(this.#parseValue());
      const next = reader.peek();
      if (next.type === ',') {
        const comma = reader.read();
        if (reader.peek().type === ']') {
          const detail = 'JSON does not permit a trailing comma after the final value in an array.';
          return this.#report('Trailing comma in array', detail, comma.range);
        }
      } else if (next.type !== ']') {
        return this.#reportElementEnd(open, next.type);
      }
    }
    const close = reader.read();
    const range = rangeBetween(open.range, close.range);
    return { kind: 'array', elements, range, startRange: open.range };
  }

  #reportElementEnd(open: JsonToken, tokenType: JsonTokenType): undefined {
    const reader = this.#reader;
    this.#skip(reader.read(), '[', ']');
    const at = reader.peek().range;
    switch (tokenType) {
      case ':': {
        const detail = 'A colon is not used to introduce values in a JSON array.';
        return this.#report('Invalid array value', detail, at);
      }
      case 'end': {
        const detail = 'No closing bracket was found for this JSON array.';
        return this.#report('Unclosed object', detail, open.range);
      }
      case '}': {
        const detail = 'A JSON array must be closed with a bracket, not a brace.';
        return this.#report('Mismatched brackets', detail, at);
      }
      default: {
        const detail = 'A comma must appear between each value in an array.';
        return this.#report('Missing attribute seperator comma', detail, at);
      }
    }
  }

  #parseNumber(): JsonSyntaxNode | undefined {
    const { range } = this.#reader.read();
    const text = range.text();
    const value = JSON_NUMBER.test(text) ? parseNumber(text) : undefined;
    if (value === undefined) {
      const detail = 'There is a syntax error in the given JSON number.';
      return this.#report('Invalid JSON number', detail, range);
    }
    return { kind: 'number', value, range, startRange: range };
  }

  #parseString(): JsonSyntaxNode | undefined {
    const { range } = this.#reader.read();
    const decoded = decodeJsonString(range.text());
    if (decoded.ok) {
      return { kind: 'string', value: decoded.value, range, startRange: range };
    }
    const at = range.start + decoded.offset;
    const detail = 'There is a syntax error in the given JSON string.';
    const subject = new Range(range.source, at, at + 1);
    this.diagnostics.push(
      errorDiagnostic('Invalid JSON string', detail, subject, { context: range }),
    );
    return undefined;
  }

  #parseKeyword(): JsonSyntaxNode | undefined {
    const { range } = this.#reader.read();
    const word = range.text();
    switch (word) {
      case 'true':
      case 'false':
        return { kind: 'boolean', value: word === 'true', range, startRange: range };
      case 'null':
        return { kind: 'null', range, startRange: range };
      case 'undefined':
      case 'NaN':
      case 'Infinity': {
        const detail = `The JavaScript identifier ${quoteText(word)} cannot be used in JSON.`;
        return this.#report('Invalid JSON keyword', detail, range);
      }
      default: {
        const suggestion = nameSuggestion(word, ['false', 'true', 'null']);
        const hint = suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
        const detail = `${quoteText(word)} is not a valid JSON keyword.${hint}`;
        return this.#report('Invalid JSON keyword', detail, range);
      }
    }
  }

  /** Skips to the end of the brackets that `from` may be inside of. */
  #skip(from: JsonToken, open: JsonTokenType, close: JsonTokenType): void {
    let depth = 1;
    for (let token = from; token.type !== 'end'; token = this.#reader.read()) {
      if (token.type === open) {
        depth++;
      } else if (token.type === close) {
        depth--;
        if (depth <= 1) {
          return;
        }
      }
    }
  }

  #report(summary: string, detail: string, range: Range): undefined {
    this.diagnostics.push(errorDiagnostic(summary, detail, range));
    return undefined;
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

function invalid(range: Range): JsonSyntaxNode {
  return { kind: 'invalid', range, startRange: range };
}
