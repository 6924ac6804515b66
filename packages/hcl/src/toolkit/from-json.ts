import { quoteText } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import { keySource } from '../edit/source-text.ts';
import { quotedText } from '../format/value-tokens.ts';
import { layOutText } from '../format/format.ts';
import type { Diagnostic } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseTemplate } from '../syntax/parse.ts';
import { isValidIdentifier, scanTokens } from '../syntax/scanner.ts';
import { resolveStringLiteral } from '../syntax/string-literal.ts';
import { Token } from '../syntax/tokens.ts';
import { HclError, throwErrors } from './hcl-error.ts';
import { type JsonObject, type JsonValue, ownProperty } from './json-types.ts';

/**
 * The properties that are blocks, by type, with the number of labels and the nested blocks. Properties that are not
 * listed are recognized by their shape.
 */
export interface BlockTypes {
  readonly [type: string]: {
    readonly labels?: number;
    readonly blocks?: BlockTypes;
  };
}

/** Options of {@link fromJson} that distinguish blocks from attributes. */
export interface FromJsonOptions {
  /** the blocks of the language; for configurations of Terraform {@link TERRAFORM_BLOCKS} */
  readonly blocks?: BlockTypes;
}

const META: BlockTypes = {
  lifecycle: { blocks: { precondition: {}, postcondition: {}, action_trigger: {} } },
  connection: {},
  provisioner: { labels: 1, blocks: { connection: {} } },
  dynamic: { labels: 1 },
};

/** The blocks of Terraform's language, for {@link fromJson}. */
export const TERRAFORM_BLOCKS: BlockTypes = {
  terraform: {
    blocks: {
      backend: { labels: 1 },
      cloud: { blocks: { workspaces: {} } },
      required_providers: {},
      provider_meta: { labels: 1 },
    },
  },
  provider: { labels: 1 },
  variable: { labels: 1, blocks: { validation: {} } },
  output: { labels: 1, blocks: { precondition: {} } },
  locals: {},
  module: { labels: 1 },
  resource: { labels: 2, blocks: META },
  data: { labels: 2, blocks: META },
  ephemeral: { labels: 2, blocks: META },
  action: { labels: 2, blocks: { config: {} } },
  moved: {},
  import: {},
  removed: { blocks: META },
  check: { labels: 1, blocks: { assert: {}, data: { labels: 2, blocks: META } } },
};

/**
 * Converts JSON to native syntax: the output of {@link toJson} and hcl2json, or the JSON syntax of HCL. The result is
 * in canonical layout.
 *
 * JSON does not distinguish blocks from attributes. Blocks are the properties in `options.blocks` and, of the others,
 * those whose value is a non-empty array of objects, directly or below names that represent labels. Strings are
 * templates: `"${x}"` becomes the expression `x`. A property "//" becomes a comment.
 *
 * Throws an `HclError` for an invalid template, and for an invalid attribute name.
 */
export function fromJson(json: JsonObject, options: FromJsonOptions = {}): string {
  const writer = new Writer();
  writer.body(json, options.blocks ?? {});
  throwErrors(writer.diagnostics);
  return layOutText(writer.pieces.join(''));
}

class Writer {
  readonly pieces: string[] = [];
  readonly diagnostics: Diagnostic[] = [];

  body(json: JsonObject, types: BlockTypes): void {
    const later: (() => void)[] = [];
    let first = true;
    for (const [name, value] of Object.entries(json)) {
      if (name === '//') {
        this.#comment(value);
      } else if (!isValidIdentifier(name)) {
        const detail = `${quoteText(name)} is not a name that an argument or block can have.`;
        this.diagnostics.push(errorDiagnostic('Invalid name', detail));
      } else {
        const type = ownProperty(types, name);
        const depth = type === undefined ? depthOfBlocks(value) : (type.labels ?? 0);
        if (depth !== undefined && (type === undefined || isBlockValue(value, depth))) {
          later.push(() => this.#blocks(name, [], value, depth, type?.blocks ?? {}));
        } else {
          first = false;
          this.pieces.push(name, ' = ', this.#value(value), '\n');
        }
      }
    }
    for (const write of later) {
      if (!first) this.pieces.push('\n');
      first = false;
      write();
    }
  }

  #blocks(
    type: string,
    labels: readonly string[],
    value: JsonValue,
    depth: number,
    inner: BlockTypes,
  ): void {
    let first = true;
    const separate = (): void => {
      if (!first) this.pieces.push('\n');
      first = false;
    };
    const bodies = Array.isArray(value) ? value : [value];
    for (const body of bodies) {
      if (!isObject(body)) continue;
      if (depth > 0) {
        for (const [label, below] of Object.entries(body)) {
          if (label === '//') {
            this.#comment(below);
          } else {
            separate();
            this.#blocks(type, [...labels, label], below, depth - 1, inner);
          }
        }
        continue;
      }
      separate();
      this.pieces.push([type, ...labels.map(quotedText)].join(' '));
      if (Object.keys(body).length === 0) {
        this.pieces.push(' {}\n');
      } else {
        this.pieces.push(' {\n');
        this.body(body, inner);
        this.pieces.push('}\n');
      }
    }
  }

  #comment(value: JsonValue): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    for (const line of text.split(/\r?\n/)) this.pieces.push(`# ${line}\n`);
  }

  #value(value: JsonValue): string {
    if (typeof value === 'string') return this.#template(value);
    if (value === null || typeof value !== 'object') return numberOrKeyword(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item));
      const long = items.some((item) => item.includes('\n'));
      if (!long) return `[${items.join(', ')}]`;
      return `[\n${items.map((item) => `${item},\n`).join('')}]`;
    }
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    const lines = entries.map(([name, item]) => `${this.#key(name)} = ${this.#value(item)}\n`);
    return `{\n${lines.join('')}}`;
  }

  #key(name: string): string {
    return /[$%]\{/.test(name) ? this.#template(name, true) : keySource(name);
  }

  /** The source of a quotedText template, or of the expression that it only wraps. */
  #template(text: string, asKey = false): string {
    if (!/[$%]\{/.test(text)) return quotedText(text);
    const source = new Source('', text);
    const { expression, diagnostics } = parseTemplate(source);
    if (diagnostics.length > 0) {
      this.diagnostics.push(...diagnostics);
      return '""';
    }
    if (expression.kind === 'templateWrap' && !asKey) {
      const inner = text.slice(2, -1).replace(/^~|~$/g, '').trim();
      const isSafe = expression.wrapped.kind === 'parentheses' || !needsParentheses(inner);
      return isSafe ? inner : `(${inner}\n)`;
    }
    return `"${quotedTemplate(source)}"`;
  }
}

function numberOrKeyword(value: null | boolean | number): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new HclError([errorDiagnostic('Invalid number', `${value} is not a number of JSON.`)]);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Newlines and comments are significant after an equals sign, but not in a template. */
function needsParentheses(source: string): boolean {
  return /[\r\n#]|\/\//.test(source);
}

/** Returns a template as it is between quotes: sequences verbatim, the text around them escaped. */
function quotedTemplate(source: Source): string {
  const tokens = scanTokens(source, 'template');
  const pieces: string[] = [];
  let literal = '';
  let depth = 0;
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const type = tokens.types[i];
    const end = tokens.ends[i] ?? 0;
    if (type === Token.StringLit && depth === 0) {
      literal += resolveStringLiteral(source, at, end, false, []);
    } else {
      pieces.push(quotedText(literal).slice(1, -1), source.text.slice(at, end));
      literal = '';
      if (type === Token.TemplateInterp || type === Token.TemplateControl) depth++;
      if (type === Token.TemplateSeqEnd) depth--;
    }
    at = end;
  }
  return pieces.join('');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if a value can be blocks below some labels. */
function isBlockValue(value: JsonValue, depth: number): boolean {
  const bodies = Array.isArray(value) ? value : [value];
  return bodies.every(
    (body) =>
      isObject(body) &&
      (depth === 0 || Object.values(body).every((v) => isBlockValue(v, depth - 1))),
  );
}

/** Returns the number of labels of blocks of this shape; undefined for an attribute. */
function depthOfBlocks(value: JsonValue): number | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? 0 : undefined;
  if (!isObject(value)) return undefined;
  const depths = Object.values(value).map(depthOfBlocks);
  const [first] = depths;
  return first !== undefined && depths.every((depth) => depth === first) ? first + 1 : undefined;
}
