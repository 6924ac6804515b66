import { type Expression, type NativeBlock, type NativeBody, walkExpression } from '@terrane/hcl';
import { spanOf } from './symbol-syntax.ts';
import type { SourceDocument } from './source-document.ts';
import type { Span } from './symbol.ts';

/** Token types under the names of terraform-ls, so that themes made for it apply. */
export const TOKEN_TYPES = [
  'hcl-blockType',
  'hcl-attrName',
  'hcl-blockLabel',
  'hcl-bool',
  'hcl-string',
  'hcl-number',
  'hcl-objectKey',
  'hcl-mapKey',
  'hcl-keyword',
  'hcl-referenceStep',
  'hcl-typeComplex',
  'hcl-typePrimitive',
  'hcl-functionName',
] as const;

/** A token type of this server. */
export type SemanticType = (typeof TOKEN_TYPES)[number];

/** Standard token types for clients that do not announce the names above. */
export const STANDARD_TYPES: Readonly<Record<SemanticType, string>> = {
  'hcl-blockType': 'type',
  'hcl-attrName': 'property',
  'hcl-blockLabel': 'enumMember',
  'hcl-bool': 'keyword',
  'hcl-string': 'string',
  'hcl-number': 'number',
  'hcl-objectKey': 'parameter',
  'hcl-mapKey': 'parameter',
  'hcl-keyword': 'variable',
  'hcl-referenceStep': 'variable',
  'hcl-typeComplex': 'function',
  'hcl-typePrimitive': 'keyword',
  'hcl-functionName': 'function',
};

/** Token modifiers under the names of terraform-ls, for block types and labels. */
export const TOKEN_MODIFIERS = [
  'hcl-dependent',
  'terraform-data',
  'terraform-locals',
  'terraform-module',
  'terraform-output',
  'terraform-provider',
  'terraform-resource',
  'terraform-provisioner',
  'terraform-connection',
  'terraform-variable',
  'terraform-terraform',
  'terraform-backend',
  'terraform-name',
  'terraform-type',
  'terraform-requiredProviders',
] as const;

/** A token modifier of this server. */
export type SemanticModifier = (typeof TOKEN_MODIFIERS)[number];

/** The standard modifier for labels that select a schema. */
export const STANDARD_MODIFIERS: Readonly<Partial<Record<SemanticModifier, string>>> = {
  'hcl-dependent': 'defaultLibrary',
};

/** A highlighted token. */
export interface SemanticToken extends Span {
  readonly type: SemanticType;
  readonly modifiers: readonly SemanticModifier[];
}

const BLOCK_MODIFIERS: Readonly<Record<string, SemanticModifier>> = {
  data: 'terraform-data',
  locals: 'terraform-locals',
  module: 'terraform-module',
  output: 'terraform-output',
  provider: 'terraform-provider',
  resource: 'terraform-resource',
  provisioner: 'terraform-provisioner',
  connection: 'terraform-connection',
  variable: 'terraform-variable',
  terraform: 'terraform-terraform',
  backend: 'terraform-backend',
  required_providers: 'terraform-requiredProviders',
};

const TYPED: ReadonlySet<string> = new Set(['resource', 'data', 'ephemeral', 'list', 'action']);
const PRIMITIVES: ReadonlySet<string> = new Set(['string', 'number', 'bool', 'any']);
const COMPLEX: ReadonlySet<string> = new Set(['list', 'set', 'map', 'object', 'tuple', 'optional']);

/** Returns the tokens of a native document in order, optionally only those in a span. */
export function semanticTokens(document: SourceDocument, within?: Span): readonly SemanticToken[] {
  const { native } = document;
  if (native === undefined) return [];
  const collector = new TokenCollector(within);
  collector.body(native, []);
  return collector.tokens.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

class TokenCollector {
  readonly tokens: SemanticToken[] = [];
  readonly #within: Span | undefined;

  constructor(within: Span | undefined) {
    this.#within = within;
  }

  body(body: NativeBody, outer: readonly SemanticModifier[], block?: NativeBlock): void {
    for (const { nameRange, expression, name, range } of body.attributes.values()) {
      if (this.#isOutside(spanOf(range))) continue;
      this.#add(spanOf(nameRange), 'hcl-attrName', outer);
      if (block?.type === 'variable' && name === 'type') this.#type(expression);
      else this.#expression(expression);
    }
    for (const inner of body.blocks) this.#block(inner, outer);
  }

  #block(block: NativeBlock, outer: readonly SemanticModifier[]): void {
    if (this.#isOutside(spanOf(block.range))) return;
    const modifier = Object.hasOwn(BLOCK_MODIFIERS, block.type)
      ? BLOCK_MODIFIERS[block.type]
      : undefined;
    const modifiers = modifier === undefined ? outer : [...outer, modifier];
    this.#add(spanOf(block.typeRange), 'hcl-blockType', modifiers);
    for (const [index, range] of block.labelRanges.entries()) {
      const isType =
        index === 0 &&
        (TYPED.has(block.type) || block.type === 'provisioner' || block.type === 'backend');
      const isName = index === (TYPED.has(block.type) ? 1 : 0) && !isType;
      this.#add(spanOf(range), 'hcl-blockLabel', [
        ...(isType || block.type === 'provider' ? (['hcl-dependent'] as const) : []),
        ...modifiers,
        ...(isType ? (['terraform-type'] as const) : isName ? (['terraform-name'] as const) : []),
      ]);
    }
    this.body(block.body, modifiers, block);
  }

  #type(expression: Expression): void {
    walkExpression(expression, (each) => {
      if (each.kind === 'scopeTraversal') {
        const text = each.range.text();
        this.#add(
          spanOf(each.range),
          PRIMITIVES.has(text) ? 'hcl-typePrimitive' : 'hcl-typeComplex',
          [],
        );
      } else if (each.kind === 'call') {
        this.#add(
          spanOf(each.nameRange),
          COMPLEX.has(each.name) ? 'hcl-typeComplex' : 'hcl-functionName',
          [],
        );
      } else if (each.kind === 'objectKey') {
        this.#add(spanOf(each.range), 'hcl-attrName', []);
        return false;
      } else if (each.kind === 'literal') this.#literal(each.range.text(), spanOf(each.range));
      return true;
    });
  }

  #expression(expression: Expression): void {
    walkExpression(expression, (each) => {
      switch (each.kind) {
        case 'literal':
          this.#literal(each.range.text(), spanOf(each.range));
          return true;
        case 'scopeTraversal':
          for (const step of each.traversal.steps) {
            const span = spanOf(step.range);
            if (step.kind === 'root') this.#add(span, 'hcl-referenceStep', []);
            else if (step.kind === 'attr')
              this.#add(
                { start: span.end - step.name.length, end: span.end },
                'hcl-referenceStep',
                [],
              );
          }
          return true;
        case 'call':
          this.#add(spanOf(each.nameRange), 'hcl-functionName', []);
          return true;
        case 'objectKey':
          if (each.wrapped.kind === 'scopeTraversal' && !each.forceNonLiteral) {
            this.#add(spanOf(each.range), 'hcl-objectKey', []);
            return false;
          }
          return true;
        case 'template':
          this.#string(each);
          return true;
        default:
          return true;
      }
    });
  }

  /** A string without references, on one line. */
  #string(template: Expression & { readonly kind: 'template' }): void {
    const { range } = template;
    const text = range.text();
    const isLiteral = template.parts.every(({ kind }) => kind === 'literal');
    if (isLiteral && text.startsWith('"') && !text.includes('\n'))
      this.#add(spanOf(range), 'hcl-string', []);
  }

  #literal(text: string, span: Span): void {
    if (text === 'true' || text === 'false') this.#add(span, 'hcl-bool', []);
    else if (text === 'null') this.#add(span, 'hcl-keyword', []);
    else if (/^[0-9]/.test(text)) this.#add(span, 'hcl-number', []);
  }

  #add(span: Span, type: SemanticType, modifiers: readonly SemanticModifier[]): void {
    if (span.end > span.start && !this.#isOutside(span))
      this.tokens.push({ ...span, type, modifiers });
  }

  #isOutside({ start, end }: Span): boolean {
    const within = this.#within;
    return within !== undefined && (end < within.start || start > within.end);
  }
}
