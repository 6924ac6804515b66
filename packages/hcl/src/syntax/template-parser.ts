// Second pass over a template: directives are matched with their ends, and the flat list becomes
// expressions.

import { str } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Expression, TemplateExpr } from '../model.ts';
import { Range, rangeBetween } from '../source/source.ts';
import { MAX_DEPTH } from './nesting.ts';
import { placeholder } from './placeholder.ts';
import { parseTemplateParts, type TemplatePart } from './template-parts.ts';
import type { TokenReader } from './token-reader.ts';
import type { TokenType } from './tokens.ts';
import type { ParseExpression } from './traversal-operators.ts';

/** The parts of a template, each an expression. */
export interface TemplateContent {
  readonly parts: readonly Expression[];
  /** true if the template is a single interpolation */
  readonly isWrap: boolean;
  readonly range: Range;
}

/** Parses a template up to and including the token `end`. */
export function parseTemplateContent(
  p: TokenReader,
  end: TokenType,
  flush: boolean,
  parseExpression: ParseExpression,
): TemplateContent {
  const { parts, range, hasDirectives } = parseTemplateParts(p, end, flush, parseExpression);
  return {
    parts: hasDirectives ? new Builder(parts, p.diagnostics).buildAll() : plainParts(parts),
    isWrap: parts.length === 2 && parts[0]?.kind === 'interpolation',
    range,
  };
}

/** Returns the parts of a template of literals and interpolations. */
function plainParts(parts: readonly TemplatePart[]): Expression[] {
  const result = new Array<Expression>(parts.length - 1);
  for (let i = 0; i < result.length; i++) {
    const part = parts[i];
    if (part?.kind === 'literal') result[i] = literal(part);
    else if (part?.kind === 'interpolation') result[i] = part.expression;
  }
  return result;
}

function literal({ range, value }: PartOf<'literal'>): Expression {
  return { kind: 'literal', range, value: str(value) };
}

type PartOf<K extends TemplatePart['kind']> = Extract<TemplatePart, { readonly kind: K }>;

const UNBALANCED = 'The control directives within this template are unbalanced.';

class Builder {
  readonly #parts: readonly TemplatePart[];
  readonly #diagnostics: Diagnostic[];
  #at = 0;
  #depth = 0;
  #gaveUp = false;

  constructor(parts: readonly TemplatePart[], diagnostics: Diagnostic[]) {
    this.#parts = parts;
    this.#diagnostics = diagnostics;
  }

  /** Template = { Item } */
  buildAll(): Expression[] {
    const result: Expression[] = [];
    for (let part = this.#parts[this.#at]; part !== undefined; part = this.#parts[this.#at]) {
      if (part.kind === 'end') {
        break;
      }
      result.push(this.#buildItem(part));
    }
    return result;
  }

  /** Item = literal | interpolation | If | For */
  #buildItem(part: TemplatePart): Expression {
    this.#at++;
    switch (part.kind) {
      case 'literal':
        return literal(part);
      case 'interpolation':
        return part.expression;
      case 'if':
      case 'for': {
        if (this.#depth >= MAX_DEPTH) return this.#giveUp(part.range);
        this.#depth++;
        const directive = part.kind === 'if' ? this.#buildIf(part) : this.#buildFor(part);
        this.#depth--;
        return directive;
      }
      case 'else':
      case 'endif':
      case 'endfor':
        this.#report(`Unexpected ${part.kind} directive`, UNBALANCED, part.range);
        return placeholder(part.range);
      case 'end':
        this.#at--;
        return placeholder(part.range);
    }
  }

  /** If = "%{ if }" { Item } [ "%{ else }" { Item } ] "%{ endif }" */
  #buildIf(open: PartOf<'if'>): Expression {
    const ifTrue: Expression[] = [];
    const ifFalse: Expression[] = [];
    let current = ifTrue;
    for (;;) {
      const part = this.#parts[this.#at];
      if (part === undefined || part.kind === 'end') {
        return this.#reportMissingEnd('if', open.range, part?.range ?? open.range);
      }
      switch (part.kind) {
        case 'else':
          this.#at++;
          if (current === ifFalse) {
            const detail = `Already in the else clause for the if started at ${open.range}.`;
            this.#report('Unexpected else directive', detail, part.range);
            return placeholder(part.range);
          }
          current = ifFalse;
          break;
        case 'endif':
          this.#at++;
          return conditional(open, ifTrue, ifFalse, part.range);
        case 'endfor': {
          this.#at++;
          const detail = `Expecting an endif directive for the if started at ${open.range}.`;
          this.#report('Unexpected endfor directive', detail, part.range);
          return placeholder(part.range);
        }
        case 'literal':
        case 'interpolation':
        case 'if':
        case 'for':
          current.push(this.#buildItem(part));
      }
    }
  }

  /** Builds `For = "%{ for }" { Item } "%{ endfor }"`. */
  #buildFor(open: PartOf<'for'>): Expression {
    const content: Expression[] = [];
    for (;;) {
      const part = this.#parts[this.#at];
      if (part === undefined || part.kind === 'end') {
        return this.#reportMissingEnd('for', open.range, part?.range ?? open.range);
      }
      switch (part.kind) {
        case 'else':
        case 'endif': {
          this.#at++;
          const detail =
            part.kind === 'else'
              ? 'An else clause is not expected for a for directive.'
              : `Expecting an endfor directive corresponding to the for directive at ${open.range}.`;
          this.#report(`Unexpected ${part.kind} directive`, detail, part.range);
          return placeholder(part.range);
        }
        case 'endfor':
          this.#at++;
          return loop(open, content, part.range);
        case 'literal':
        case 'interpolation':
        case 'if':
        case 'for':
          content.push(this.#buildItem(part));
      }
    }
  }

  /** Reports that directives are nested too deeply, and skips the rest of the template. */
  #giveUp(range: Range): Expression {
    this.#at = this.#parts.length;
    if (!this.#gaveUp) {
      const detail = `Template directives may not be nested more than ${MAX_DEPTH} levels deep.`;
      this.#report('Template too deeply nested', detail, range);
    }
    this.#gaveUp = true;
    return placeholder(range);
  }

  #reportMissingEnd(name: 'if' | 'for', open: Range, end: Range): Expression {
    if (this.#gaveUp) return placeholder(end);
    const detail = `The ${name} directive at ${open} is missing its corresponding end${name} directive.`;
    this.#report('Unexpected end of template', detail, end);
    return placeholder(end);
  }

  #report(summary: string, detail: string, range: Range): void {
    this.#diagnostics.push(errorDiagnostic(summary, detail, range));
  }
}

function conditional(
  open: PartOf<'if'>,
  ifTrue: readonly Expression[],
  ifFalse: readonly Expression[],
  end: Range,
): Expression {
  return {
    kind: 'conditional',
    range: rangeBetween(open.range, end),
    condition: open.condition,
    ifTrue: template(ifTrue, new Range(open.range.source, open.range.end, open.range.end)),
    ifFalse: template(ifFalse, new Range(end.source, end.start, end.start)),
  };
}

function loop(open: PartOf<'for'>, content: readonly Expression[], end: Range): Expression {
  const range = rangeBetween(open.range, end);
  const empty = new Range(open.range.source, open.range.end, open.range.end);
  return {
    kind: 'templateJoin',
    range,
    tuple: {
      kind: 'for',
      range,
      keyName: open.keyName,
      valueName: open.valueName,
      collection: open.collection,
      key: undefined,
      value: template(content, empty),
      condition: undefined,
      group: false,
      openRange: open.range,
      closeRange: end,
    },
  };
}

/** Returns the content of a directive; an empty one is an empty string at the given position. */
function template(parts: readonly Expression[], empty: Range): TemplateExpr {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) {
    const literal: Expression = { kind: 'literal', range: empty, value: str('') };
    return { kind: 'template', range: empty, parts: [literal] };
  }
  return { kind: 'template', range: rangeBetween(first.range, last.range), parts };
}
