import { conforms, nullOf, unknownAsNull } from '@terrane/cty';
import { formatContractError, formatContractErrorAt } from '../change/contract-error.ts';
import { normalizeLegacyObject } from '../change/legacy-object.ts';
import type {
  ProviderDiagnostic,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
} from '../contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import { containsWriteOnly } from '../schema/value-paths.ts';
import {
  deferralViolation,
  hasError,
  PROVIDER_BUG,
  typeErrors,
  violation,
  writeOnlyViolations,
} from './violations.ts';
import type { Subject } from './violations.ts';

const INVALID = 'Provider produced invalid object';

/**
 * Verifies a refreshed object: it must have the schema's type, be wholly known, and have null write-only arguments. On
 * errors the state of the response is the prior one. Null or unknown nested blocks, which only the legacy SDK produces,
 * are repaired.
 */
export function checkRead(s: Subject, request: ReadRequest, answer: ReadAnswer): ReadAnswer {
  if (isSound(s, answer)) return normalized(s, answer);
  const violations: ProviderDiagnostic[] = [];
  if (answer.deferred && !request.capabilities.deferralAllowed && !hasError(answer.diagnostics)) {
    violations.push(deferralViolation(s.address));
  }
  if (violations.length === 0 && !hasError(answer.diagnostics))
    violations.push(...violationsOf(s, answer));
  if (violations.length > 0 || hasError(answer.diagnostics)) {
    return {
      ...answer,
      state: request.prior,
      ...(request.private && { private: request.private }),
      diagnostics: [...(answer.diagnostics ?? []), ...violations],
    };
  }
  return normalized(s, answer);
}

/** Returns true if a response satisfies all rules and has neither diagnostics nor a deferral, as most do. */
function isSound({ schema: { block } }: Subject, answer: ReadAnswer): boolean {
  const { state, diagnostics, deferred } = answer;
  if (deferred !== undefined || (diagnostics !== undefined && diagnostics.length > 0)) return false;
  return (
    state.isWhollyKnown() &&
    conforms(state.type, impliedType(block)) &&
    !state.containsInfinity() &&
    !containsWriteOnly(block)
  );
}

function normalized(s: Subject, answer: ReadAnswer): ReadAnswer {
  const state = normalizeLegacyObject(s.schema.block, answer.state);
  return state === answer.state ? answer : { ...answer, state };
}

function violationsOf(s: Subject, answer: ReadAnswer): readonly ProviderDiagnostic[] {
  const { state, deferred } = answer;
  const planViolation = (reason: string) =>
    violation(
      INVALID,
      `Provider ${s.provider} planned an invalid value for ${s.address} during refresh: ${reason}.${PROVIDER_BUG}`,
    );
  const violations: ProviderDiagnostic[] = [];
  if (deferred === undefined && !state.isWhollyKnown()) {
    violations.push(planViolation('The returned state contains unknown values'));
  }
  for (const error of typeErrors(state, s.schema))
    violations.push(planViolation(formatContractError(error)));
  if (violations.length > 0) return violations;
  return writeOnlyViolations(
    INVALID,
    (path) =>
      `Provider ${s.providerConfig} returned a value for the write-only attribute "${s.address}${path}" during refresh. Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.`,
    state,
    s.schema.block,
  );
}

/** Checks the result of reading a data source: it must have the schema's type, not be null and be wholly known. */
export function checkReadData(
  s: Subject,
  request: ReadDataRequest,
  answer: ReadDataAnswer,
): ReadDataAnswer {
  const type = impliedType(s.schema.block);
  if (hasError(answer.diagnostics)) return { ...answer, state: answer.state ?? nullOf(type) };
  const diagnostics = answer.diagnostics ?? [];
  if (answer.deferred) {
    if (request.capabilities.deferralAllowed) return answer;
    return { ...answer, diagnostics: [...diagnostics, deferralViolation(s.address)] };
  }
  // An in-process provider that omits the state is treated like one that returns null.
  const state = answer.state ?? nullOf(type);
  const violations: ProviderDiagnostic[] = [];
  for (const error of typeErrors(state, s.schema)) {
    const at = formatContractErrorAt(s.address, error);
    const detail = `Provider ${s.providerConfig} produced an invalid value for ${at}.${PROVIDER_BUG}`;
    violations.push(violation(INVALID, detail));
  }
  if (violations.length > 0) {
    return { ...answer, state: nullOf(type), diagnostics: [...diagnostics, ...violations] };
  }
  if (state.isNull) {
    const detail = `Provider ${s.providerConfig} produced a null value for ${s.address}.${PROVIDER_BUG}`;
    violations.push(violation('Provider produced null object', detail));
  } else if (!state.isWhollyKnown()) {
    const detail = `Provider ${s.providerConfig} produced a value for ${s.address} that is not wholly known.${PROVIDER_BUG}`;
    violations.push(violation(INVALID, detail));
  }
  if (violations.length === 0) return answer;
  return { ...answer, state: unknownAsNull(state), diagnostics: [...diagnostics, ...violations] };
}
