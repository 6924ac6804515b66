import { friendlyName, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  hasErrors,
  type Scope,
} from '@terrane/hcl';
import type { ConstantUse } from './constant-module.ts';

/** Evaluates constants and reports their dependencies. */
interface Constants {
  evaluateIn(
    expression: Expression,
    use: ConstantUse,
    diagnostics: Diagnostic[],
    others: () => undefined,
  ): { readonly value: Value; readonly scope?: Scope | undefined };
}

/**
 * Returns the elements of a constant `for_each` by key, in order; undefined, with diagnostics, if it is not constant,
 * not a map or set of strings, or sensitive (evalchecks.EvaluateForEachExpression).
 */
export function constantForEach(
  expression: Expression,
  constants: Constants,
  use: ConstantUse,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> | undefined {
  const before = diagnostics.length;
  const { value, scope } = constants.evaluateIn(expression, use, diagnostics, () => undefined);
  if (hasErrors(diagnostics, before)) return undefined;
  const problem = problemOf(value);
  if (problem !== undefined) {
    diagnostics.push(
      errorDiagnostic('Invalid for_each argument', problem, expression.range, {
        expression,
        ...(scope === undefined ? {} : { scope }),
      }),
    );
    return undefined;
  }
  const instances = new Map<string, Value>();
  for (const [key, element] of value.unmark().entries()) instances.set(key.asString(), element);
  return instances;
}

function problemOf(value: Value): string | undefined {
  const { type } = value;
  const prefix = 'The given "for_each" argument value is unsuitable:';
  if (value.hasMark('sensitive')) {
    return 'Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key.';
  }
  if (value.hasMark('ephemeral')) {
    return 'Ephemeral values, or values derived from ephemeral values, cannot be used as for_each arguments. If used, the ephemeral value could be exposed as a resource instance key.';
  }
  if (value.isNull) return `${prefix} the given "for_each" argument value is null.`;
  if (type.kind !== 'map' && type.kind !== 'object' && type.kind !== 'set') {
    return `${prefix} the "for_each" argument must be a map, or set of strings, and you have provided a value of type ${friendlyName(type)}.`;
  }
  if (!value.isKnown) return `${prefix} it is not known.`;
  if (type.kind !== 'set') return undefined;
  const plain = value.unmark();
  if (type.element.kind !== 'string' && plain.length > 0) {
    return `${prefix} "for_each" supports sets of strings, but you have provided a set containing type ${friendlyName(type.element)}.`;
  }
  return plain.elements().some((element) => element.isNull)
    ? `${prefix} "for_each" sets must not contain null values.`
    : undefined;
}
