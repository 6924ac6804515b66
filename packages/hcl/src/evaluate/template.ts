import {
  convert,
  CtyError,
  DYNAMIC,
  formatNumber,
  type Marks,
  NO_MARKS,
  NUMBER,
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
import { knownPrefix, MAX_PREFIX_BYTES } from './known-prefix.ts';

const INVALID_VALUE = 'Invalid template interpolation value';

/**
 * The maximum number of UTF-16 units of a template result. Of the part that exceeds it and the following ones only the
 * start is appended, as then at most a prefix of the text is needed.
 */
const MAX_TEXT_LENGTH = 2 ** 26;

/** The string value of a text that has `length` units with all its parts. Throws CtyError if it is too long. */
function finished(text: string, length: number): Value {
  if (length > MAX_TEXT_LENGTH) {
    throw new CtyError(`the text would be longer than ${MAX_TEXT_LENGTH} characters`);
  }
  // Normalising also flattens the text: V8 keeps the parts of a concatenated string until somebody reads it.
  return str(text);
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
  const { parts } = e;
  // By index, as destructuring allocates an iterator.
  const first = parts[0];
  if (parts.length === 1 && first?.kind === 'literal') {
    return first.value;
  }
  const start = diagnostics.length;
  let text = '';
  let length = 0;
  let marks: Marks = NO_MARKS;
  let isKnown = true;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Expression;
    const value = part.kind === 'literal' ? part.value : evaluate(part, scope, diagnostics);
    const { payload } = value;
    let piece: string | undefined;
    if (typeof payload === 'string' && value.type === STRING) {
      piece = payload;
    } else if (typeof payload === 'number' && value.type === NUMBER) {
      piece = formatNumber(payload);
    } else if (payload === null) {
      const detail =
        'The expression result is null. Cannot include a null value in a string template.';
      reportPart(detail, e, part, scope, diagnostics);
      continue;
    } else if (value.isKnown) {
      piece = convertedText(value.unmark(), e, part, scope, diagnostics);
    } else {
      isKnown = false;
    }
    if (value.marks !== NO_MARKS) {
      marks = unionMarks(marks, value.marks);
    }
    if (
      piece !== undefined &&
      isKnown &&
      !(diagnostics.length > start && hasErrors(diagnostics, start))
    ) {
      length += piece.length;
      text += length > MAX_TEXT_LENGTH ? piece.slice(0, MAX_PREFIX_BYTES) : piece;
    }
  }
  if (isKnown) {
    const value = finished(text, length);
    return marks === NO_MARKS ? value : value.withMarks(marks);
  }
  const prefix = hasErrors(diagnostics, start) ? '' : knownPrefix(text);
  const refinement = prefix === '' ? { notNull: true } : { notNull: true, prefix };
  return refine(unknownOf(STRING), refinement).withMarks(marks);
}

function convertedText(
  value: Value,
  e: TemplateExpr,
  part: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): string | undefined {
  try {
    return convert(value, STRING).asString();
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
  let text = '';
  let length = 0;
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
    let piece: Value;
    try {
      piece = value.type === STRING ? value : convert(value, STRING);
    } catch (error) {
      const detail = `Cannot include one of the interpolation results into the string template: ${faultMessage(error)}.`;
      reportFault(diagnostics, INVALID_VALUE, detail, origin);
      continue;
    }
    if (!value.isKnown) {
      return unknownOf(STRING).withMarks(marked.marks);
    }
    if (piece.marks !== NO_MARKS) {
      marks = unionMarks(marks, piece.marks);
    }
    const part = piece.payload as string;
    length += part.length;
    text += length > MAX_TEXT_LENGTH ? part.slice(0, MAX_PREFIX_BYTES) : part;
  }
  return finished(text, length).withMarks(marks);
}
