import { UNKNOWN, type Value } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression, SplatItemExpr, TraversalStep } from '../model.ts';
import { rangeBetween } from '../source/source.ts';
import { literalIndexKey } from './literal-key.ts';
import { MAX_DEPTH, reportTooDeep } from './nesting.ts';
import { numberLiteral } from './number-literal.ts';
import type { TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';

/** Parses any expression; handed in, since expressions and their parts contain each other. */
export type ParseExpression = (p: TokenReader) => Expression;

/**
 * Traversal = "." name | "." number | ".*" { "." (name | number) } | "[" Expression "]" | "[*]" { Traversal }
 *
 * Parses all operators after a term. Consecutive steps are collected in one node, so that a long reference needs no
 * copying per step.
 */
export function parseTraversals(
  p: TokenReader,
  from: Expression,
  parseExpression: ParseExpression,
): Expression {
  const next = p.nextType;
  if (next !== Token.Dot && next !== Token.OBrack) return from;
  const run = new StepRun(from);
  for (;;) {
    if (run.levels > MAX_DEPTH || run.length > MAX_DEPTH) {
      return reportTooDeep(p);
    }
    switch (p.nextType) {
      case Token.Dot:
        parseDot(p, run, from);
        break;
      case Token.OBrack:
        parseBracket(p, run, from, parseExpression);
        break;
      default:
        return run.finish();
    }
  }
}

/** An expression and the steps to be applied to it. */
class StepRun {
  /** the nesting depth of the expression with these steps */
  levels = 0;
  #base: Expression;
  #steps: TraversalStep[] = [];

  constructor(base: Expression) {
    this.#base = base;
  }

  /** The number of steps since the last expression. */
  get length(): number {
    return this.#steps.length;
  }

  add(step: TraversalStep): void {
    this.#steps.push(step);
  }

  replace(expression: Expression): void {
    this.levels++;
    this.#base = expression;
    this.#steps = [];
  }

  finish(): Expression {
    const base = this.#base;
    const steps = this.#steps;
    const first = steps[0];
    const last = steps.at(-1);
    if (first === undefined || last === undefined) {
      return base;
    }
    const range = rangeBetween(base.range, last.range);
    if (base.kind === 'scopeTraversal') {
      const all = base.traversal.steps.concat(steps);
      this.replace({ kind: 'scopeTraversal', range, traversal: { steps: all, range } });
    } else {
      const traversal = { steps, range: rangeBetween(first.range, last.range) };
      this.replace({ kind: 'relativeTraversal', range, source: base, traversal });
    }
    return this.#base;
  }
}

function parseDot(p: TokenReader, run: StepRun, from: Expression): void {
  const dot = p.read();
  const type = p.nextType;
  const next = p.nextIndex;
  switch (type) {
    case Token.Ident:
      p.skip();
      run.add({
        kind: 'attr',
        name: p.tokens.textOf(next),
        range: p.tokens.rangeBetween(dot, next),
      });
      return;
    case Token.NumberLit: {
      p.skip();
      const key = legacyIndex(p, next, next, 'Use the proper index syntax instead');
      run.add({ kind: 'index', key, range: p.tokens.rangeBetween(dot, next) });
      return;
    }
    case Token.Star:
      p.skip();
      run.replace(parseAttributeSplat(p, run.finish(), from, dot, next));
      return;
    default: {
      const mark = p.diagnostics.length;
      const detail = 'An attribute name is required after a dot.';
      p.diagnostics.push(errorDiagnostic('Invalid attribute name', detail, p.tokens.range(next)));
      run.replace({
        kind: 'syntaxError',
        range: rangeBetween(from.range, p.tokens.range(dot)),
        diagnostics: p.diagnostics.slice(mark),
      });
      p.recovery = true;
    }
  }
}

/**
 * `.0` is legacy syntax for `[0]`. Two in a row are scanned as one fractional number, which is rejected with a hint.
 */
function legacyIndex(p: TokenReader, token: number, blame: number, advice: string): Value {
  const text = p.tokens.textOf(token);
  const point = text.indexOf('.');
  if (point < 0) {
    return numberLiteral(p, token);
  }
  const detail = `When using the legacy index syntax, chaining two indexes together is not permitted. ${advice}, like [${text.slice(0, point)}][${text.slice(point + 1)}].`;
  p.diagnostics.push(errorDiagnostic('Invalid legacy index syntax', detail, p.tokens.range(blame)));
  return UNKNOWN;
}

/** `source.*`, which takes the attributes and numbers after it with it, but no brackets. */
function parseAttributeSplat(
  p: TokenReader,
  source: Expression,
  from: Expression,
  dot: number,
  marker: number,
): Expression {
  const first = p.nextIndex;
  let last = marker;
  const steps: TraversalStep[] = [];
  while (p.nextType === Token.Dot) {
    const stepDot = p.read();
    const next = p.nextIndex;
    if (p.tokens.type(next) === Token.NumberLit) {
      p.skip();
      const advice = 'Use the proper index syntax with a full splat expression [*] instead';
      const key = legacyIndex(p, next, marker, advice);
      steps.push({ kind: 'index', key, range: p.tokens.rangeBetween(stepDot, next) });
    } else if (p.tokens.type(next) === Token.Ident) {
      p.skip();
      const range = p.tokens.rangeBetween(stepDot, next);
      steps.push({ kind: 'attr', name: p.tokens.textOf(next), range });
    } else {
      reportBadSplatStep(p, next, marker);
      return source;
    }
    last = next;
  }
  const markerRange = p.tokens.rangeBetween(dot, marker);
  const item: SplatItemExpr = { kind: 'splatItem', range: markerRange };
  const each: Expression =
    steps.length === 0
      ? item
      : {
          kind: 'relativeTraversal',
          range: p.tokens.rangeBetween(first, last),
          source: item,
          traversal: { steps, range: p.tokens.rangeBetween(first, last) },
        };
  const range = rangeBetween(from.range, p.tokens.range(last));
  return { kind: 'splat', range, source, each, item, markerRange };
}

function reportBadSplatStep(p: TokenReader, token: number, marker: number): void {
  if (!p.recovery) {
    p.diagnostics.push(
      p.tokens.type(token) === Token.Star
        ? errorDiagnostic(
            'Nested splat expression not allowed',
            'A splat expression (*) cannot be used inside another attribute-only splat expression.',
            p.tokens.range(token),
          )
        : errorDiagnostic(
            'Invalid attribute name',
            'An attribute name is required after a dot.',
            p.tokens.range(marker),
          ),
    );
  }
  p.recovery = true;
}

function parseBracket(
  p: TokenReader,
  run: StepRun,
  from: Expression,
  parseExpression: ParseExpression,
): void {
  const open = p.read();
  if (p.nextType === Token.Star) {
    p.skip();
    run.replace(parseFullSplat(p, run.finish(), from, open, parseExpression));
    return;
  }
  p.pushNewlines(false);
  const mark = p.diagnostics.length;
  const key = parseExpression(p);
  let close: number;
  if (p.lostSince(mark)) {
    close = p.recover(Token.CBrack);
  } else {
    const type = p.nextType;
    close = p.read();
    if (type !== Token.CBrack && !p.recovery) {
      const detail = 'The index operator must end with a closing bracket ("]").';
      // HCL reports the position where it continued, not that of the unexpected token.
      close = p.recover(Token.CBrack);
      p.diagnostics.push(
        errorDiagnostic('Missing close bracket on index', detail, p.tokens.range(close)),
      );
    }
  }
  p.popNewlines();

  const bracketRange = p.tokens.rangeBetween(open, close);
  const constant = literalIndexKey(key);
  if (constant !== undefined) {
    run.add({ kind: 'index', key: constant, range: bracketRange });
    return;
  }
  run.replace({
    kind: 'index',
    range: rangeBetween(from.range, bracketRange),
    collection: run.finish(),
    key,
    openRange: p.tokens.range(open),
    bracketRange,
  });
}

/** `source[*]`, which takes all traversals after it with it. */
function parseFullSplat(
  p: TokenReader,
  source: Expression,
  from: Expression,
  open: number,
  parseExpression: ParseExpression,
): Expression {
  let close = p.read();
  if (p.tokens.type(close) !== Token.CBrack && !p.recovery) {
    const detail =
      'The star for a full splat operator must be immediately followed by a closing bracket ("]").';
    close = p.recover(Token.CBrack);
    p.diagnostics.push(
      errorDiagnostic('Missing close bracket on splat index', detail, p.tokens.range(close)),
    );
  }
  const markerRange = p.tokens.rangeBetween(open, close);
  const item: SplatItemExpr = { kind: 'splatItem', range: markerRange };
  p.depth++;
  const each = p.depth > MAX_DEPTH ? reportTooDeep(p) : parseTraversals(p, item, parseExpression);
  p.depth--;
  const range = rangeBetween(from.range, each.range);
  return { kind: 'splat', range, source, each, item, markerRange };
}
