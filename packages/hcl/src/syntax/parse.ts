import { str, type Value } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Body, Diagnostic, Expression, Traversal, TraversalStep } from '../model.ts';
import { type Range, rangeBetween, type Source } from '../source/source.ts';
import { parseBody, parseLabelString } from './body-parser.ts';
import { parseExpression as parseExpressionTokens } from './expression-parser.ts';
import { checkInvalidTokens } from './invalid-tokens.ts';
import { numberLiteral } from './number-literal.ts';
import { scanTokens } from './scanner.ts';
import { parseTemplateContent } from './template-parser.ts';
import { TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';

/** A parsed configuration file of either syntax. After errors the body contains the parts that could be parsed. */
export interface ParsedFile {
  readonly source: Source;
  readonly body: Body;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a whole file of the native syntax; all its syntax errors are reported. */
export function parseNative(source: Source): ParsedFile {
  const tokens = scanTokens(source);
  const diagnostics = checkInvalidTokens(tokens);
  const body = parseBody(new TokenReader(tokens, diagnostics), Token.EOF);
  return { source, body, diagnostics };
}

/** Parses a text that is a single expression, from an offset on. Newlines are ignored. */
export function parseExpression(
  source: Source,
  start = 0,
): { readonly expression: Expression | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const tokens = scanTokens(source, 'normal', start);
  const diagnostics = checkInvalidTokens(tokens);
  const p = new TokenReader(tokens, diagnostics);
  p.pushNewlines(false);
  const expression = parseExpressionTokens(p);
  const next = p.nextIndex;
  if (p.tokens.type(next) !== Token.EOF && !p.recovery) {
    const detail =
      'An expression was successfully parsed, but extra characters were found after it.';
    diagnostics.push(
      errorDiagnostic('Extra characters after expression', detail, p.tokens.range(next)),
    );
  }
  return { expression, diagnostics };
}

/** Parses a text as a template, such as a template file or a JSON string. */
export function parseTemplate(source: Source): {
  readonly expression: Expression;
  readonly diagnostics: readonly Diagnostic[];
} {
  const tokens = scanTokens(source, 'template');
  const diagnostics = checkInvalidTokens(tokens);
  const p = new TokenReader(tokens, diagnostics);
  const { parts, isWrap, range } = parseTemplateContent(p, Token.EOF, false, parseExpressionTokens);
  const [first] = parts;
  const expression: Expression =
    isWrap && first !== undefined
      ? { kind: 'templateWrap', range, wrapped: first }
      : { kind: 'template', range, parts };
  return { expression, diagnostics };
}

/**
 * Parses a text as a reference: a name, then attributes and constant indices. With `allowSplat` also `[*]`. After an
 * error, `traversal` contains the preceding steps.
 */
export function parseTraversal(
  source: Source,
  options?: { readonly allowSplat?: boolean },
): { readonly traversal: Traversal | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const tokens = scanTokens(source);
  const diagnostics = checkInvalidTokens(tokens);
  const p = new TokenReader(tokens, diagnostics);
  p.pushNewlines(false);
  const steps = parseTraversalSteps(p, options?.allowSplat === true);
  const [first] = steps;
  const last = steps.at(-1);
  const traversal =
    first === undefined || last === undefined
      ? undefined
      : { steps, range: rangeBetween(first.range, last.range) };
  return { traversal, diagnostics };
}

/** Reference = name { "." name | "[" ( number | string | "*" ) "]" } end */
function parseTraversalSteps(p: TokenReader, allowSplat: boolean): TraversalStep[] {
  const steps: TraversalStep[] = [];
  const name = p.read();
  if (p.tokens.type(name) !== Token.Ident) {
    const detail = 'Must begin with a variable name.';
    p.diagnostics.push(errorDiagnostic('Variable name required', detail, p.tokens.range(name)));
    return steps;
  }
  steps.push({ kind: 'root', name: p.tokens.textOf(name), range: p.tokens.range(name) });
  for (;;) {
    const next = p.nextIndex;
    let step: TraversalStep | undefined;
    if (p.tokens.type(next) === Token.EOF) {
      return steps;
    }
    const mark = p.diagnostics.length;
    if (p.tokens.type(next) === Token.Dot) {
      step = parseAttributeStep(p, name);
    } else if (p.tokens.type(next) === Token.OBrack) {
      step = parseIndexStep(p, name, allowSplat);
    } else {
      report(
        p,
        name,
        p.tokens.range(next),
        'Invalid character',
        'Expected an attribute access or an index operator.',
      );
    }
    if (step !== undefined) {
      steps.push(step);
    }
    if (p.failedSince(mark)) {
      return steps;
    }
  }
}

function parseAttributeStep(p: TokenReader, root: number): TraversalStep | undefined {
  const dot = p.read();
  const name = p.read();
  if (p.tokens.type(name) !== Token.Ident) {
    const detail =
      p.tokens.type(name) === Token.Star
        ? 'Splat expressions (.*) may not be used here.'
        : 'Dot must be followed by attribute name.';
    report(p, root, p.tokens.range(name), 'Attribute name required', detail);
    return undefined;
  }
  return { kind: 'attr', name: p.tokens.textOf(name), range: p.tokens.rangeBetween(dot, name) };
}

function parseIndexStep(
  p: TokenReader,
  root: number,
  allowSplat: boolean,
): TraversalStep | undefined {
  const open = p.read();
  const next = p.nextIndex;
  if (p.tokens.type(next) === Token.NumberLit) {
    p.skip();
    return { kind: 'index', key: numberLiteral(p, next), range: parseIndexEnd(p, open) };
  }
  if (p.tokens.type(next) === Token.OQuote) {
    const key: Value = str(parseLabelString(p).text);
    return { kind: 'index', key, range: parseIndexEnd(p, open) };
  }
  if (p.tokens.type(next) === Token.Star && allowSplat) {
    p.skip();
    return { kind: 'splat', range: parseIndexEnd(p, open) };
  }
  if (p.tokens.type(next) === Token.Star) {
    const detail = 'Splat expressions ([*]) may not be used here.';
    report(p, root, p.tokens.range(next), 'Attribute name required', detail);
  } else {
    const detail = 'Index brackets must contain either a literal number or a literal string.';
    report(p, root, p.tokens.range(next), 'Index value required', detail);
  }
  return undefined;
}

function parseIndexEnd(p: TokenReader, open: number): Range {
  const close = p.read();
  if (p.tokens.type(close) !== Token.CBrack) {
    const detail = 'Index key must be followed by a closing bracket.';
    report(p, open, p.tokens.range(close), 'Unclosed index brackets', detail);
  }
  return p.tokens.rangeBetween(open, close);
}

function report(
  p: TokenReader,
  from: number,
  subject: Range,
  summary: string,
  detail: string,
): void {
  const context = p.tokens.rangeTo(from, subject);
  p.diagnostics.push(errorDiagnostic(summary, detail, subject, { context }));
}
