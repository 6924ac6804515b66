import { convert, CtyError, quoteText, STRING } from '@terrane/cty';
import {
  asList,
  type Attribute,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  startRange,
} from '@terrane/hcl';
import { normalHashes } from './dependency-lock.ts';

/** Evaluates the `hashes` argument of a block; `subject` names the kind of package in messages. */
export function hashesOf(
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
  subject: 'provider' | 'module' = 'provider',
): readonly string[] {
  if (attribute === undefined) return [];
  const { expression } = attribute;
  const elements = asList(expression);
  if (elements === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid expression',
        'A static list expression is required.',
        startRange(expression),
      ),
    );
    return [];
  }
  if (elements.length === 0) {
    diagnostics.push(
      errorDiagnostic(
        `Invalid ${subject} hash set`,
        'The "hashes" argument must either be omitted or contain at least one hash value.',
        expression.range,
      ),
    );
  }
  const hashes: string[] = [];
  for (const element of elements) {
    const raw = textOf(element, diagnostics);
    if (raw === undefined) continue;
    const hash = raw ?? '';
    if (hash.indexOf(':') > 0) hashes.push(hash);
    else {
      diagnostics.push(
        errorDiagnostic(
          `Invalid ${subject} hash string`,
          `Cannot interpret ${quoteText(hash)} as a ${subject} hash: hash string must start with a scheme keyword followed by a colon.`,
          expression.range,
        ),
      );
    }
  }
  return normalHashes(hashes);
}

/** Evaluates an expression to a string; undefined, with diagnostics, if it is not one. */
export function textOf(
  expression: Expression,
  diagnostics: Diagnostic[],
): string | null | undefined {
  const evaluationDiagnostics: Diagnostic[] = [];
  const value = evaluate(expression, undefined, evaluationDiagnostics);
  diagnostics.push(...evaluationDiagnostics);
  if (hasErrors(evaluationDiagnostics)) return undefined;
  try {
    const text = convert(value, STRING);
    if (text.isNull) return null;
    return text.isKnown ? text.asString() : undefined;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Unsuitable value type',
        `Unsuitable value: ${error.message}`,
        startRange(expression),
        { context: expression.range },
      ),
    );
    return undefined;
  }
}
