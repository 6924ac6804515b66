import { capsule, type CapsuleType, capsuleType, type Value } from '@terrane/cty';
import type { Diagnostic, Expression, Scope } from '../model.ts';
import type { Evaluate } from './fault.ts';

/** An argument that has not been evaluated, with the scope to do so. */
export class ExpressionClosure {
  readonly expression: Expression;
  readonly scope: Scope | undefined;
  readonly #evaluator: Evaluate;

  constructor(expression: Expression, scope: Scope | undefined, evaluator: Evaluate) {
    this.expression = expression;
    this.scope = scope;
    this.#evaluator = evaluator;
  }

  evaluate(diagnostics: Diagnostic[]): Value {
    return this.#evaluator(this.expression, this.scope, diagnostics);
  }
}

/**
 * The type of function parameters that receive their argument unevaluated, as a capsule of an ExpressionClosure: for
 * functions such as `templatestring`, which inspect the expression itself.
 */
export const EXPRESSION_CLOSURE: CapsuleType = capsuleType('expression closure');

/** Wraps an argument for a parameter of type EXPRESSION_CLOSURE. */
export function closureValue(closure: ExpressionClosure): Value {
  return capsule(EXPRESSION_CLOSURE, closure);
}

/** The closure inside an argument value; undefined for any other value. */
export function closureOf(value: Value): ExpressionClosure | undefined {
  return value.type === EXPRESSION_CLOSURE && value.payload instanceof ExpressionClosure
    ? value.payload
    : undefined;
}
