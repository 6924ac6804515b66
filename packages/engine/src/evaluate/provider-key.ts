import { convert, CtyError, STRING } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Scope,
} from '@terrane/hcl';
import type { ProviderKey } from '../config/resolve-provider.ts';
import type { ModuleCells } from './module-cells.ts';
import type { Repetition } from './repetition.ts';

/**
 * Returns the module instance whose call passes a provider instance, with the repetition of that call; undefined if the
 * resource names the instance itself.
 */
export function passingCells(
  cells: ModuleCells,
  { through }: ProviderKey,
): { readonly cells: ModuleCells; readonly repetition: Repetition } | undefined {
  if (through === undefined) return undefined;
  let passing: ModuleCells | undefined = cells;
  while (passing !== undefined && passing.module !== through) passing = passing.parent;
  return passing?.parent === undefined
    ? undefined
    : { cells: passing.parent, repetition: passing.repetition };
}

/**
 * Evaluates the key of a provider instance and converts it to a string; undefined, with diagnostics, if it is
 * sensitive, ephemeral, null, unknown or of another type.
 *
 * @param user address of the object that uses the provider, for messages
 */
export function evaluateProviderKey(
  expression: Expression,
  scope: Scope,
  user: string,
  diagnostics: Diagnostic[],
): string | undefined {
  const { range } = expression;
  const before = diagnostics.length;
  const value = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  const fail = (detail: string, extra: Diagnostic['extra'] | undefined): undefined => {
    const more = extra === undefined ? {} : { extra };
    diagnostics.push(errorDiagnostic('Invalid provider instance key', detail, range, more));
    return undefined;
  };
  if (value.hasMark('sensitive')) {
    const detail = 'A provider instance key must not be derived from a sensitive value.';
    return fail(detail, { kind: 'sensitive' });
  }
  if (value.hasMark('ephemeral')) {
    const detail = 'A provider instance key must not be derived from an ephemeral value.';
    return fail(detail, { kind: 'ephemeral' });
  }
  if (value.isNull) return fail('A provider instance key must not be null.', undefined);
  if (!value.isKnown) {
    return fail(
      `The provider instance key for ${user} depends on values that cannot be determined until apply, and so Terraform cannot select a provider instance to create a plan for this resource instance.`,
      { kind: 'unknown' },
    );
  }
  try {
    return convert(value, STRING).unmark().asString();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return fail(`The given instance key is unsuitable: ${error.message}.`, undefined);
  }
}
