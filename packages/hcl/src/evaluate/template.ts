import {
  convert,
  CtyError,
  DYNAMIC,
  type Marks,
  NO_MARKS,
  refine,
  STRING,
  str,
  unionMarks,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Expression, Scope, TemplateExpr, TemplateJoinExpr } from '../model.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';
import { knownPrefix } from './known-prefix.ts';

const INVALID_VALUE = 'Invalid template interpolation value';

/** The maximum number of UTF-16 units of a template result. */
const MAX_TEXT_LENGTH = 2 ** 26;

function joined(pieces: readonly string[]): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length > MAX_TEXT_LENGTH) {
    throw new CtyError(`the text would be longer than ${MAX_TEXT_LENGTH} characters`);
  }
  return pieces.join('');
}

/**
 * The text of a template. With unknown parts the result is an unknown string with the known text
 * before the first of them as its prefix; it is never null. Marks of all parts join the result.
 */
export function evaluateTemplate(
  e: TemplateExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const [first] = e.parts;
  if (e.parts.length === 1 && first?.kind === 'literal') {
    return first.value;
  }
  const start = diagnostics.length;
  const pieces: string[] = [];
  let marks: Marks = NO_MARKS;
  let isKnown = true;
  for (const part of e.parts) {
    const value = evaluate(part, scope, diagnostics);
    if (value.isNull) {
      const detail =
        'The expression result is null. Cannot include a null value in a string template.';
      reportPart(detail, e, part, scope, diagnostics);
      continue;
    }
    if (value.marks !== NO_MARKS) {
      marks = unionMarks(marks, value.marks);
    }
    if (!value.isKnown) {
      isKnown = false;
      continue;
    }
    const text = textOf(value.unmark(), e, part, scope, diagnostics);
    if (
      text !== undefined &&
      isKnown &&
      !(diagnostics.length > start && hasErrors(diagnostics, start))
    ) {
      pieces.push(text);
    }
  }
  if (isKnown) {
    return str(joined(pieces)).withMarks(marks);
  }
  const prefix = hasErrors(diagnostics, start) ? '' : knownPrefix(pieces);
  const refinement = prefix === '' ? { notNull: true } : { notNull: true, prefix };
  return refine(unknownOf(STRING), refinement).withMarks(marks);
}

function textOf(
  value: Value,
  e: TemplateExpr,
  part: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): string | undefined {
  try {
    return (value.type === STRING ? value : convert(value, STRING)).asString();
  } catch (error) {
    const detail = `Cannot include the given value in a string template: ${faultMessage(error)}.`;
    reportPart(detail, e, part, scope, diagnostics);
    return undefined;
  }
}

function reportPart(
  detail: string,
  e: TemplateExpr,
  part: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): void {
  const origin = { subject: part.range, context: e.range, expression: part, scope };
  reportFault(diagnostics, INVALID_VALUE, detail, origin);
}

/** The text of a `%{ for }` directive: all its results, joined. */
export function evaluateTemplateJoin(
  e: TemplateJoinExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const marked = evaluate(e.tuple, scope, diagnostics);
  if (marked.type === DYNAMIC || !marked.isKnown) {
    return unknownOf(STRING);
  }
  let { marks } = marked;
  const pieces: string[] = [];
  const origin = { subject: e.range, expression: e, scope };
  for (const value of marked.unmark().elements()) {
    if (value.isNull) {
      const detail =
        'An iteration result is null. Cannot include a null value in a string template.';
      reportFault(diagnostics, INVALID_VALUE, detail, origin);
      continue;
    }
    if (value.type === DYNAMIC) {
      return unknownOf(STRING).withMarks(marked.marks);
    }
    let text: Value;
    try {
      text = value.type === STRING ? value : convert(value, STRING);
    } catch (error) {
      const detail = `Cannot include one of the interpolation results into the string template: ${faultMessage(error)}.`;
      reportFault(diagnostics, INVALID_VALUE, detail, origin);
      continue;
    }
    if (!value.isKnown) {
      return unknownOf(STRING).withMarks(marked.marks);
    }
    if (text.marks !== NO_MARKS) {
      marks = unionMarks(marks, text.marks);
    }
    pieces.push(text.unmark().asString());
  }
  return str(joined(pieces)).withMarks(marks);
}
