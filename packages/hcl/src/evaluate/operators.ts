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
import { isOpenTofuFile } from '../source/language.ts';
import type { Range } from '../source/source.ts';
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
 * Both operands are evaluated whatever the first one is; of && and ||, one may then decide alone. Chains such as
 * a + b + c nest to the left and can be long, so that side is followed without recursion.
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
    const between = diagnostics.length;
    const right = evaluate(operation.right, scope, diagnostics);
    value = applyBinary(operation, value, right, scope, diagnostics, { mark, between });
  }
  return value;
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
  }
  const { operator } = e;
  if ((operator === '&&' || operator === '||') && diagnostics.length === evaluated) {
    const decided = decidedByOne(operator, [left, right], e.range, diagnostics, { mark, between });
    if (decided !== undefined) return hasErrors(diagnostics, mark) ? unknownOf(result) : decided;
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

/** Where among diagnostics those of an operation begin, and those of its right side. */
interface Places {
  readonly mark: number;
  readonly between: number;
}

/**
 * What one side makes of the whole alone: nothing of what was told of the other side remains then. Terraform's files
 * have errors that no value changes, and nulls are errors there, which count as false in OpenTofu's.
 */
function decidedByOne(
  operator: '&&' | '||',
  sides: readonly [Value, Value],
  { filename }: Range,
  diagnostics: Diagnostic[],
  { mark, between }: Places,
): Value | undefined {
  const inOpenTofu = isOpenTofuFile(filename);
  if (!inOpenTofu) {
    const told = diagnostics.slice(mark);
    if (!hasErrors(told) || told.some(({ extra }) => extra?.kind === 'unknownFunction'))
      return undefined;
  }
  const leftFailed = hasErrors(diagnostics.slice(mark, between));
  const decision = decide(operator, sides, leftFailed, inOpenTofu);
  if (decision === undefined) return undefined;
  if (decision.by === 'left') diagnostics.length = between;
  else diagnostics.splice(mark, between - mark);
  return decision.value.withSameMarks(sides[0]).withSameMarks(sides[1]);
}

const UNDECIDED = unknownOf(BOOL, { notNull: true });

/**
 * What one side of && or || makes of the whole alone, whatever is wrong with the other; undefined where neither does.
 * A side that could not be evaluated is unknown here.
 */
function decide(
  operator: '&&' | '||',
  [left, right]: readonly [Value, Value],
  leftFailed: boolean,
  nullIsFalse: boolean,
): { readonly value: Value; readonly by: 'left' | 'right' } | undefined {
  const decisive = operator === '||';
  const is = (marked: Value, wanted: boolean): boolean => {
    const value = marked.unmark();
    if (!value.isKnown) return false;
    return value.isNull ? nullIsFalse && !wanted : value.asBool() === wanted;
  };
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
