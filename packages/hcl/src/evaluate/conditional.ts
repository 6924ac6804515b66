import {
  BOOL,
  compareNum,
  convert,
  DYNAMIC,
  friendlyName,
  isCollection,
  type Marks,
  NUMBER,
  nullOf,
  quoteText,
  type Refinement,
  refine,
  type Type,
  UNKNOWN,
  unify,
  unionMarks,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { ConditionalExpr, Diagnostic, Expression, Scope } from '../model.ts';
import { rangeBetween } from '../source/source.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';
import { definitelyNotNull, lengthBounds, numberMax, numberMin } from './value-range.ts';

const INCONSISTENT = 'Inconsistent conditional result types';

/**
 * Evaluates both results, since the type of the conditional depends on both; diagnostics of the unselected one are
 * dropped. Marks of all three operands are added to the result.
 */
export function evaluateConditional(
  e: ConditionalExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const start = diagnostics.length;
  const ifTrue = evaluate(e.ifTrue, scope, diagnostics);
  const afterTrue = diagnostics.length;
  const ifFalse = evaluate(e.ifFalse, scope, diagnostics);
  const afterFalse = diagnostics.length;

  const type = resultType(ifTrue, ifFalse);
  if (type === undefined) {
    diagnostics.length = start;
    const detail = `The true and false result expressions must have consistent types. ${describeMismatch(ifTrue.type, ifFalse.type)}.`;
    const subject = rangeBetween(e.ifTrue.range, e.ifFalse.range);
    reportFault(diagnostics, INCONSISTENT, detail, {
      subject,
      context: e.range,
      expression: e,
      scope,
    });
    return UNKNOWN;
  }

  const condition = evaluate(e.condition, scope, diagnostics);
  // The diagnostics of the branches are held back: only those of the condition are always reported.
  let heldDiagnostics: Diagnostic[] | undefined;
  if (afterFalse > start) {
    heldDiagnostics = diagnostics.splice(start, afterFalse - start);
  }
  const origin = { subject: e.condition.range, context: e.range, expression: e.condition, scope };
  if (condition.isNull) {
    const detail = 'The condition value is null. Conditions must either be true or false.';
    reportFault(diagnostics, 'Null condition', detail, origin);
    return unknownOf(type);
  }
  const marks = unionMarks(unionMarks(condition.marks, ifTrue.marks), ifFalse.marks);
  if (!condition.isKnown) {
    return undecidedResult(type, ifTrue.unmark(), ifFalse.unmark()).withMarks(marks);
  }
  const decided = asBool(condition);
  if (decided === undefined) {
    const detail = 'The condition expression must be of type bool.';
    reportFault(diagnostics, 'Incorrect condition type', detail, origin);
    return unknownOf(type);
  }
  if (heldDiagnostics !== undefined) {
    const split = afterTrue - start;
    diagnostics.push(...(decided ? heldDiagnostics.slice(0, split) : heldDiagnostics.slice(split)));
  }
  return decided
    ? selectResult(ifTrue, type, marks, 'true', e, e.ifTrue, scope, diagnostics)
    : selectResult(ifFalse, type, marks, 'false', e, e.ifFalse, scope, diagnostics);
}

function isUntypedNull(v: Value): boolean {
  return v.type === DYNAMIC && v.isNull && !v.isMarked;
}

/** The type of the result; undefined if the two have none in common. */
function resultType(ifTrue: Value, ifFalse: Value): Type | undefined {
  if (isUntypedNull(ifTrue)) {
    return ifFalse.type;
  }
  if (isUntypedNull(ifFalse) || ifTrue.type === ifFalse.type) {
    return ifTrue.type;
  }
  if (ifTrue.type === DYNAMIC || ifFalse.type === DYNAMIC) {
    return DYNAMIC;
  }
  return unify([ifTrue.type, ifFalse.type], true);
}

function asBool(condition: Value): boolean | undefined {
  try {
    return convert(condition.unmark(), BOOL).asBool();
  } catch (error) {
    faultMessage(error);
    return undefined;
  }
}

function selectResult(
  value: Value,
  type: Type,
  marks: Marks,
  branchName: 'true' | 'false',
  e: ConditionalExpr,
  expression: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  if (value.type === type || type === DYNAMIC) {
    return value.withMarks(marks);
  }
  try {
    return convert(value.unmark(), type).withMarks(marks);
  } catch (error) {
    const detail = `The ${branchName} result value has the wrong type: ${faultMessage(error)}.`;
    const subject = expression.range;
    reportFault(diagnostics, INCONSISTENT, detail, {
      subject,
      context: e.range,
      expression,
      scope,
    });
    return unknownOf(type).withMarks(marks);
  }
}

/** Returns the result for an unknown condition: the properties that both results share are known. */
function undecidedResult(type: Type, ifTrue: Value, ifFalse: Value): Value {
  if (ifTrue.isNull && ifFalse.isNull) {
    return nullOf(type);
  }
  if (type === DYNAMIC) {
    return UNKNOWN;
  }
  const notNull = definitelyNotNull(ifTrue) && definitelyNotNull(ifFalse);
  let refinement: Refinement = notNull ? { notNull } : {};
  if (ifTrue.type === NUMBER && ifFalse.type === NUMBER) {
    refinement = { ...refinement, ...numberBounds(ifTrue, ifFalse) };
  } else if (isCollection(ifTrue.type) && ifTrue.type === ifFalse.type) {
    const a = lengthBounds(ifTrue);
    const b = lengthBounds(ifFalse);
    const max = Math.max(a.max, b.max);
    refinement = {
      ...refinement,
      minLength: Math.min(a.min, b.min),
      ...(max === Infinity ? {} : { maxLength: max }),
    };
  }
  return refine(unknownOf(type), refinement);
}

function numberBounds(ifTrue: Value, ifFalse: Value): Refinement {
  const result: { -readonly [K in 'min' | 'max']?: NonNullable<Refinement[K]> } = {};
  const lowA = numberMin(ifTrue);
  const lowB = numberMin(ifFalse);
  if (lowA !== undefined && lowB !== undefined) {
    const order = compareNum(lowA.value, lowB.value);
    const lower = order < 0 ? lowA : lowB;
    const inclusive = order === 0 ? lowA.inclusive || lowB.inclusive : lower.inclusive;
    result.min = { value: lower.value, inclusive };
  }
  const highA = numberMax(ifTrue);
  const highB = numberMax(ifFalse);
  if (highA !== undefined && highB !== undefined) {
    const order = compareNum(highA.value, highB.value);
    const upper = order > 0 ? highA : highB;
    const inclusive = order === 0 ? highA.inclusive || highB.inclusive : upper.inclusive;
    result.max = { value: upper.value, inclusive };
  }
  return result;
}

/** Describes the inconsistency of two different types. */
function describeMismatch(ifTrue: Type, ifFalse: Type): string {
  const specific = describeSpecific(ifTrue, ifFalse);
  if (specific !== undefined) {
    return specific;
  }
  const trueName = friendlyName(ifTrue);
  const falseName = friendlyName(ifFalse);
  return trueName === falseName
    ? "At least one deeply-nested attribute or element is not compatible across both the 'true' and the 'false' value"
    : `The 'true' value is ${trueName}, but the 'false' value is ${falseName}`;
}

function describeSpecific(ifTrue: Type, ifFalse: Type): string | undefined {
  if (ifTrue.kind === 'object' && ifFalse.kind === 'object') {
    for (const [i, name] of ifTrue.names.entries()) {
      const at = ifFalse.indexOf(name);
      if (at === undefined) {
        return `The 'true' value includes object attribute ${quoteText(name)}, which is absent in the 'false' value`;
      }
      const a = ifTrue.types[i];
      const b = ifFalse.types[at];
      if (a !== undefined && b !== undefined && a !== b) {
        return `Type mismatch for object attribute ${quoteText(name)}: ${describeMismatch(a, b)}`;
      }
    }
    const extra = ifFalse.names.find((name) => ifTrue.indexOf(name) === undefined);
    return extra === undefined
      ? undefined
      : `The 'false' value includes object attribute ${quoteText(extra)}, which is absent in the 'true' value`;
  }
  if (ifTrue.kind === 'tuple' && ifFalse.kind === 'tuple') {
    const [m, n] = [ifTrue.elements.length, ifFalse.elements.length];
    if (m !== n) {
      return `The 'true' tuple has length ${m}, but the 'false' tuple has length ${n}`;
    }
    for (const [i, a] of ifTrue.elements.entries()) {
      const b = ifFalse.elements[i];
      if (b !== undefined && a !== b) {
        return `Type mismatch for tuple element ${i}: ${describeMismatch(a, b)}`;
      }
    }
    return undefined;
  }
  if (isCollection(ifTrue) && isCollection(ifFalse) && ifTrue.kind === ifFalse.kind) {
    const { kind } = ifTrue.element;
    if ((kind === 'object' || kind === 'tuple') && kind === ifFalse.element.kind) {
      return `Mismatched ${ifTrue.kind} element types: ${describeMismatch(ifTrue.element, ifFalse.element)}`;
    }
  }
  return undefined;
}
