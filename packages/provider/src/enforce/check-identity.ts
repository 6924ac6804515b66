import { conformanceErrors } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { formatContractError } from '../change/contract-error.ts';
import type { Answer, ProviderDiagnostic } from '../contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { Schema } from '../schema/model.ts';
import { hasError, violation } from './violations.ts';
import type { Subject } from './violations.ts';

const END =
  " \n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.";

/** Returns the error for an identity that must be wholly known; `provider` is quoted. */
export function unknownIdentity(provider: string, address: string): ProviderDiagnostic {
  const detail = `Provider ${provider} returned an identity with unknown values for ${address}.${END}`;
  return violation('Provider produced invalid identity', detail);
}

/** The stage of a check: a `planned` identity may contain unknown values. */
export type IdentityStage = 'planned' | 'final';

/**
 * Verifies the identity in a response: it must have the type of its schema and, except in a plan, be wholly known. An
 * invalid identity is omitted with an error. An identity of a type without an identity schema is omitted without an
 * error, as in Terraform since 1.12.
 */
export function checkIdentity<A extends Answer & { readonly identity?: Value }>(
  s: Subject,
  schema: Schema | undefined,
  answer: A,
  stage: IdentityStage,
): A {
  const { identity } = answer;
  if (identity === undefined) return answer;
  const { identity: _, ...rest } = answer;
  // Every response with an identity may omit it.
  const withoutIdentity = rest as A;
  if (schema === undefined || identity.isNull) return withoutIdentity;
  const violations = violationsOf(s, schema, identity, stage);
  if (!hasError(violations)) return answer;
  return { ...withoutIdentity, diagnostics: [...violations, ...(answer.diagnostics ?? [])] };
}

function violationsOf(
  s: Subject,
  schema: Schema,
  identity: Value,
  stage: IdentityStage,
): readonly ProviderDiagnostic[] {
  const unknown =
    stage === 'final' && !identity.isWhollyKnown() ? [unknownIdentity(s.provider, s.address)] : [];
  const shape = conformanceErrors(identity.type, impliedType(schema.block)).map((error) =>
    violation(
      "Provider produced an identity that doesn't match the schema",
      `Provider ${s.provider} returned an identity for ${s.address} that doesn't match the identity schema: ${formatContractError(error)}.${END}`,
    ),
  );
  return [...unknown, ...shape];
}
