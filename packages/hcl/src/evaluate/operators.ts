import {
  add,
  and,
  bool,
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
  /** type to which operands are converted; undefined: no conversion */
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
 * Evaluates both operands; for && and ||, one may decide alone. Chains such as a + b + c nest to the left and can be
 * long, so the left side is evaluated without recursion.
 */
export function evaluateBinary(
  e: BinaryExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const mark = diagnostics.length;
  const { left } = e;
  if (left.kind !== 'binary' || left.left.kind !== 'binary') {
    // Most chains have at most two operations, which need no list.
    const value =
      left.kind === 'binary'
        ? evaluateBinary(left, scope, diagnostics, evaluate)
        : evaluate(left, scope, diagnostics);
    return evaluateRight(e, value, scope, diagnostics, evaluate, mark);
  }
  const chain: BinaryExpr[] = [e];
  let first: Expression = left;
  while (first.kind === 'binary') {
    chain.push(first);
    first = first.left;
  }
  let value = evaluate(first, scope, diagnostics);
  for (let operation = chain.pop(); operation !== undefined; operation = chain.pop()) {
    value = evaluateRight(operation, value, scope, diagnostics, evaluate, mark);
  }
  return value;
}

/** Evaluates the right operand and applies the operator. `mark` is the index of the first diagnostic of the chain. */
function evaluateRight(
  e: BinaryExpr,
  left: Value,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
  mark: number,
): Value {
  const between = diagnostics.length;
  const right = evaluate(e.right, scope, diagnostics);
  if (diagnostics.length === mark) {
    const { operand, result, apply } = BINARY[e.operator];
    if (operand === NUMBER && left.type === NUMBER && right.type === NUMBER) {
      try {
        return apply(left, right);
      } catch (error) {
        reportOperation(error, e, scope, diagnostics);
        return unknownOf(result);
      }
    }
  }
  return applyBinary(e, left, right, scope, diagnostics, { mark, between });
}

function applyBinary(
  e: BinaryExpr,
  givenLeft: Value,
  givenRight: Value,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  { mark, between }: Places,
): Value {
  const { operand, result, apply } = BINARY[e.operator];
  const evaluated = diagnostics.length;
  let left = givenLeft;
  let right = givenRight;
  if (operand !== undefined) {
    left = toOperand(left, operand, 'left', e, e.left, scope, diagnostics);
    right = toOperand(right, operand, 'right', e, e.right, scope, diagnostics);
    if (diagnostics.length > evaluated) {
      // Type errors of the operands are reported before the errors within the operands.
      diagnostics.splice(mark, 0, ...diagnostics.splice(evaluated));
      return unknownOf(result);
    }
  }
  const { operator } = e;
  if (operator === '&&' || operator === '||') {
    const decided = decidedByOne(operator, [left, right], diagnostics, { mark, between });
    if (decided !== undefined) return decided;
  }
  if (diagnostics.length > mark && hasErrors(diagnostics, mark)) {
    return unknownOf(result).withSameMarks(left).withSameMarks(right);
  }
  try {
    return apply(left, right);
  } catch (error) {
    reportOperation(error, e, scope, diagnostics);
    return unknownOf(result);
  }
}

/** Indexes of the first diagnostics of an operation and of its right operand. */
interface Places {
  readonly mark: number;
  readonly between: number;
}

/**
 * Returns the result of && or || if one side decides it, as in HCL 2.24; diagnostics of the other side are then
 * dropped. Undefined if neither side decides.
 */
function decidedByOne(
  operator: '&&' | '||',
  [left, right]: readonly [Value, Value],
  diagnostics: Diagnostic[],
  { mark, between }: Places,
): Value | undefined {
  const leftDiagnostics = diagnostics.slice(mark, between);
  const rightDiagnostics = diagnostics.slice(between);
  const decision = decide(operator, left.unmark(), right.unmark(), hasErrors(leftDiagnostics));
  if (decision === undefined) return undefined;
  diagnostics.length = mark;
  diagnostics.push(...(decision.by === 'left' ? leftDiagnostics : rightDiagnostics));
  return decision.value.withSameMarks(left).withSameMarks(right);
}

const UNDECIDED = unknownOf(BOOL, { notNull: true });

/**
 * Returns the result of && or || and the side that decides it; undefined if neither decides. An operand with errors is
 * unknown, and null counts as false, as in HCL 2.24.
 */
function decide(
  operator: '&&' | '||',
  left: Value,
  right: Value,
  leftFailed: boolean,
): { readonly value: Value; readonly by: 'left' | 'right' } | undefined {
  const decisive = operator === '||';
  const is = (value: Value, expected: boolean): boolean =>
    value.isKnown && (!value.isNull && value.asBool()) === expected;
  if (!left.isKnown && !right.isKnown)
    return leftFailed ? undefined : { value: UNDECIDED, by: 'left' };
  if (is(left, decisive)) return { value: bool(decisive), by: 'left' };
  if (is(right, decisive)) return { value: bool(decisive), by: 'right' };
  if (!left.isKnown && is(right, !decisive)) return { value: UNDECIDED, by: 'left' };
  if (!right.isKnown && is(left, !decisive)) return { value: UNDECIDED, by: 'right' };
  return undefined;
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
  const operandValue = evaluate(e.operand, scope, diagnostics);
  const value = toOperand(operandValue, type, 'unary', e, e.operand, scope, diagnostics);
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
  operandName: 'left' | 'right' | 'unary',
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
    const detail = `Unsuitable value for ${operandName} operand: ${faultMessage(error)}.`;
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
