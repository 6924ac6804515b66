import { BOOL, convert, CtyError, STRING, type Type, type Value } from '@terrane/cty';
import {
  Source,
  asKeyword,
  asList,
  asMap,
  asRelativeTraversal,
  asTraversal,
  errorDiagnostic,
  evaluate,
  hasErrors,
  parseTraversal,
  startRange,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Diagnostic, Expression, Traversal } from '@terrane/hcl';

/** Terraform's description of valid names. */
export const BAD_IDENTIFIER: string =
  'A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.';

/** Returns a literal argument of type bool; otherwise undefined, with diagnostics. */
export function staticBool(e: Expression, diagnostics: Diagnostic[]): boolean | undefined {
  return staticOf(e, BOOL, diagnostics)?.asBool();
}

/** Returns a literal argument of type string; otherwise undefined, with diagnostics. */
export function staticString(e: Expression, diagnostics: Diagnostic[]): string | undefined {
  return staticOf(e, STRING, diagnostics)?.asString();
}

function staticOf(e: Expression, type: Type, diagnostics: Diagnostic[]): Value | undefined {
  return suitable(evaluate(e, undefined, diagnostics), e, type, diagnostics);
}

/** Converts an argument to its required type; undefined, with diagnostics, on failure. */
export function suitable(
  evaluated: Value,
  e: Expression,
  type: Type,
  diagnostics: Diagnostic[],
): Value | undefined {
  let message: string;
  try {
    const value = convert(evaluated, type);
    if (!value.isKnown) message = 'value must be known';
    else if (value.isNull) message = 'null value is not allowed';
    else return value.unmark();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    message = error.message;
  }
  diagnostics.push(
    errorDiagnostic('Unsuitable value type', `Unsuitable value: ${message}`, startRange(e), {
      context: e.range,
    }),
  );
  return undefined;
}

/** Returns the elements of a literal list; otherwise empty, with a diagnostic. */
export function staticList(e: Expression, diagnostics: Diagnostic[]): readonly Expression[] {
  const list = asList(e);
  if (list !== undefined) return list;
  diagnostics.push(
    errorDiagnostic('Invalid expression', 'A static list expression is required.', startRange(e)),
  );
  return [];
}

/** Returns the pairs of a literal map; otherwise empty, with a diagnostic. */
export function staticMap(
  e: Expression,
  diagnostics: Diagnostic[],
): readonly { readonly key: Expression; readonly value: Expression }[] {
  const map = asMap(e);
  if (map !== undefined) return map;
  diagnostics.push(
    errorDiagnostic('Invalid expression', 'A static map expression is required.', startRange(e)),
  );
  return [];
}

/** Returns an expression as an absolute traversal; otherwise undefined, with a diagnostic. */
export function staticTraversal(e: Expression, diagnostics: Diagnostic[]): Traversal | undefined {
  return requireTraversal(e, asTraversal(e), diagnostics);
}

/** Returns an expression as a relative traversal (`ignore_changes`); otherwise undefined, with a diagnostic. */
export function staticRelativeTraversal(
  e: Expression,
  diagnostics: Diagnostic[],
): Traversal | undefined {
  return requireTraversal(e, asRelativeTraversal(e), diagnostics);
}

function requireTraversal(
  e: Expression,
  traversal: Traversal | undefined,
  diagnostics: Diagnostic[],
): Traversal | undefined {
  if (traversal === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid expression',
        'A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.',
        e.range,
      ),
    );
  }
  return traversal;
}

/** Returns true if the expression is a quoted string of the native syntax, the legacy syntax of references. */
export function isQuotedString(e: Expression): boolean {
  return e.kind === 'template';
}

/**
 * Converts a quoted reference or keyword, the syntax of Terraform 0.11, to a traversal, with a warning; returns any
 * other expression unchanged.
 */
export function unquoteTraversal(
  written: Expression,
  want: 'keyword' | 'reference',
  diagnostics: Diagnostic[],
): Expression {
  const e = written.kind === 'objectKey' ? written.wrapped : written;
  if (!isQuotedString(e)) return e;
  const evaluated: Diagnostic[] = [];
  const value = evaluate(e, undefined, evaluated);
  if (hasErrors(evaluated) || value.isNull || !value.isKnown || value.type !== STRING) return e;
  const source = new Source(e.range.filename, value.unmark().asString(), {
    container: e.range.source,
    offset: e.range.start + 1,
  });
  const parsed = parseTraversal(source);
  diagnostics.push(...parsed.diagnostics);
  diagnostics.push(
    want === 'keyword'
      ? warningDiagnostic(
          'Quoted keywords are deprecated',
          'In this context, keywords are expected literally rather than in quotes. Terraform 0.11 and earlier required quotes, but quoted keywords are now deprecated and will be removed in a future version of Terraform. Remove the quotes surrounding this keyword to silence this warning.',
          e.range,
        )
      : warningDiagnostic(
          'Quoted references are deprecated',
          'In this context, references are expected literally rather than in quotes. Terraform 0.11 and earlier required quotes, but quoted references are now deprecated and will be removed in a future version of Terraform. Remove the quotes surrounding this reference to silence this warning.',
          e.range,
        ),
  );
  if (parsed.traversal === undefined) return e;
  return { kind: 'scopeTraversal', range: e.range, traversal: parsed.traversal };
}

/** Returns the keyword of an expression, if it is one of `words`. */
export function keywordOf<W extends string>(e: Expression, words: readonly W[]): W | undefined {
  const keyword = asKeyword(e);
  return words.find((word) => word === keyword);
}
