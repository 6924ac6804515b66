import { BOOL, NUMBER, numToInt, type Type, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Expression } from '@terrane/hcl';
import type { Module } from '../config/model.ts';
import { takeDeprecations } from '../config/deprecations.ts';

/** An argument of a `list` block. */
export type ListArgument = 'limit' | 'include_resource';

/** The types of arguments of `list` blocks. */
export const LIST_ARGUMENT_TYPES: Readonly<Record<ListArgument, Type>> = {
  limit: NUMBER,
  include_resource: BOOL,
};

/** The default limit of a query's results. */
export const DEFAULT_LIMIT = 100;

const RANGE = 'value must be a whole number, between -9223372036854775808 and 9223372036854775807';

/**
 * Validates an argument of a `list` block that is converted to its type, and returns it without marks. Returns
 * undefined after errors, and for an unknown value where that is allowed. Sensitive and ephemeral values are accepted.
 */
export function checkListArgument(
  name: ListArgument,
  value: Value,
  { expression, module, allowUnknown }: ListArgumentOrigin,
  diagnostics: Diagnostic[],
): Value | undefined {
  const fail = (detail: string, more?: Partial<Diagnostic>): undefined => {
    const summary = `Invalid "${name}" argument`;
    diagnostics.push(errorDiagnostic(summary, detail, expression.range, more));
    return undefined;
  };
  takeDeprecations(value, expression.range, module, diagnostics);
  const plain = value.unmark();
  const type = name === 'limit' ? 'number' : 'bool';
  if (plain.isNull)
    return fail(`The given "${name}" argument value is null. A ${type} is required.`);
  if (!plain.isKnown) {
    if (allowUnknown) return undefined;
    const detail = `The given "${name}" argument value is unknown. A known ${type} is required.`;
    return fail(detail, { extra: { kind: 'unknown' } });
  }
  if (name === 'include_resource') return plain;
  const count = numToInt(plain.asNum());
  if (count === undefined || BigInt.asIntN(64, count) !== count)
    return fail(`The given "limit" argument value is unsuitable: ${RANGE}.`);
  if (count < 0n) {
    const reason = 'The given "limit" argument value is unsuitable';
    const detail = `${reason}: must be greater than or equal to zero.`;
    diagnostics.push(errorDiagnostic('Invalid limit argument', detail, expression.range));
    return undefined;
  }
  return plain;
}

/** The source of an argument of a `list` block. */
export interface ListArgumentOrigin {
  readonly expression: Expression;
  /** the module that is warned of deprecated values */
  readonly module: Module | undefined;
  /** it may not be known yet */
  readonly allowUnknown: boolean;
}
