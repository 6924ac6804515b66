import {
  add,
  and,
  BOOL,
  convert,
  divide,
  equal,
  greaterOrEqual,
  greaterThan,
  lessOrEqual,
  lessThan,
  modulo,
  multiply,
  negate,
  not,
  notEqual,
  NUMBER,
  or,
  subtract,
  type Type,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type {
  BinaryExpr,
  BinaryOperator,
  Diagnostic,
  Expression,
  Scope,
  UnaryExpr,
} from '../model.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';

interface BinaryImplementation {
  /** what operands are converted to; undefined: they are taken as they are */
  readonly operand: Type | undefined;
  readonly result: Type;
  readonly apply: (a: Value, b: Value) => Value;
}

const BINARY: Readonly<Record<BinaryOperator, BinaryImplementation>> = {
  '||': { operand: BOOL, result: BOOL, apply: or },
  '&&': { operand: BOOL, result: BOOL, apply: and },
  '==': { operand: undefined, result: BOOL, apply: equal },
  '!=': { operand: undefined, result: BOOL, apply: notEqual },
  '>': { operand: NUMBER, result: BOOL, apply: greaterThan },
  '>=': { operand: NUMBER, result: BOOL, apply: greaterOrEqual },
  '<': { operand: NUMBER, result: BOOL, apply: lessThan },
  '<=': { operand: NUMBER, result: BOOL, apply: lessOrEqual },
  '+': { operand: NUMBER, result: NUMBER, apply: add },
  '-': { operand: NUMBER, result: NUMBER, apply: subtract },
  '*': { operand: NUMBER, result: NUMBER, apply: multiply },
  '/': { operand: NUMBER, result: NUMBER, apply: divide },
  '%': { operand: NUMBER, result: NUMBER, apply: modulo },
};

/**
 * Both operands are evaluated whatever the first one is. Chains such as a + b + c nest to the left
 * and can be long, so that side is followed without recursion.
 */
export function evaluateBinary(
  e: BinaryExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const mark = diagnostics.length;
  const chain: BinaryExpr[] = [e];
  let first = e.left;
  while (first.kind === 'binary') {
    chain.push(first);
    first = first.left;
  }
  let value = evaluate(first, scope, diagnostics);
  for (let operation = chain.pop(); operation !== undefined; operation = chain.pop()) {
    const right = evaluate(operation.right, scope, diagnostics);
    value = applyBinary(operation, value, right, scope, diagnostics, mark);
  }
  return value;
}

function applyBinary(
  e: BinaryExpr,
  givenLeft: Value,
  givenRight: Value,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  mark: number,
): Value {
  const { operand, result, apply } = BINARY[e.operator];
  let left = givenLeft;
  let right = givenRight;
  if (operand !== undefined) {
    left = toOperand(left, operand, 'left', e, e.left, scope, diagnostics);
    right = toOperand(right, operand, 'right', e, e.right, scope, diagnostics);
  }
  if (diagnostics.length > mark && hasErrors(diagnostics, mark)) {
    return unknownOf(result);
  }
  try {
    return apply(left, right);
  } catch (error) {
    reportOperation(error, e, scope, diagnostics);
    return unknownOf(result);
  }
}

/** Negation and logical not. */
export function evaluateUnary(
  e: UnaryExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const type = e.operator === '-' ? NUMBER : BOOL;
  const mark = diagnostics.length;
  const given = evaluate(e.operand, scope, diagnostics);
  const value = toOperand(given, type, 'unary', e, e.operand, scope, diagnostics);
  if (diagnostics.length > mark && hasErrors(diagnostics, mark)) {
    return unknownOf(type);
  }
  try {
    return e.operator === '-' ? negate(value) : not(value);
  } catch (error) {
    reportOperation(error, e, scope, diagnostics);
    return unknownOf(type);
  }
}

function toOperand(
  value: Value,
  type: Type,
  which: 'left' | 'right' | 'unary',
  operation: Expression,
  expression: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  if (value.type === type) {
    return value;
  }
  try {
    return convert(value, type);
  } catch (error) {
    const detail = `Unsuitable value for ${which} operand: ${faultMessage(error)}.`;
    const subject = expression.range;
    const context = operation.range;
    reportFault(diagnostics, 'Invalid operand', detail, { subject, context, expression, scope });
    return unknownOf(type);
  }
}

function reportOperation(
  error: unknown,
  e: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): void {
  const detail = `Error during operation: ${faultMessage(error)}.`;
  reportFault(diagnostics, 'Operation failed', detail, { subject: e.range, expression: e, scope });
}
