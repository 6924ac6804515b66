import { applyPath, CtyError, nullOf } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { formatContractErrorAt } from '../change/contract-error.ts';
import { assertPlanValid } from '../change/plan-valid.ts';
import type { PlanAnswer, PlanResourceRequest, ProviderDiagnostic } from '../contract.ts';
import { describePath } from '../go-syntax/describe.ts';
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

const INVALID = 'Provider produced invalid plan';
const NONE: readonly ProviderDiagnostic[] = [];

/**
 * Verifies a plan: it must be null exactly for a destroy, have the schema's type, null write-only arguments and the
 * configured values, and request replacement only for existing attributes. A provider on the legacy SDK may change
 * configured values. If there are errors, the planned object is the prior one.
 */
export function checkPlan(
  s: Subject,
  request: PlanResourceRequest,
  answer: PlanAnswer,
): PlanAnswer {
  const violations = hasError(answer.diagnostics) ? NONE : violationsOf(s, request, answer);
  if (violations.length === 0 && !hasError(answer.diagnostics)) return answer;
  return {
    ...answer,
    planned: answer.planned ?? request.prior,
    requiresReplace: answer.requiresReplace ?? [],
    diagnostics: [...(answer.diagnostics ?? []), ...violations],
  };
}

function violationsOf(
  s: Subject,
  request: PlanResourceRequest,
  answer: PlanAnswer,
): readonly ProviderDiagnostic[] {
  if (answer.deferred) {
    return request.capabilities.deferralAllowed ? [] : [deferralViolation(s.address)];
  }
  const planned = answer.planned ?? nullOf(impliedType(s.schema.block));
  if (request.proposed.isNull && request.config.isNull) {
    if (planned.isNull) return NONE;
    const detail = `Provider ${s.provider} planned a non-null destroy value for ${s.address}.${PROVIDER_BUG}`;
    return [violation(INVALID, detail)];
  }
  const shape = shapeViolations(s, planned);
  if (shape.length > 0) return shape;
  if (answer.legacyTypeSystem !== true && request.replacing !== true) {
    const { prior, config } = request;
    const errors = assertPlanValid(s.schema.block, prior, config, planned);
    if (errors.length > 0) {
      return errors.map((error) => invalidValue(s, formatContractErrorAt(s.address, error)));
    }
  }
  return replaceViolations(s, request.prior, planned, answer.requiresReplace);
}

function invalidValue(s: Subject, at: string): ProviderDiagnostic {
  const detail = `Provider ${s.provider} planned an invalid value for ${at}.${PROVIDER_BUG}`;
  return violation(INVALID, detail);
}

function shapeViolations(s: Subject, planned: Value): readonly ProviderDiagnostic[] {
  const errors = typeErrors(planned, s.schema);
  if (errors.length > 0) {
    return errors.map((error) => invalidValue(s, formatContractErrorAt(s.address, error)));
  }
  return containsWriteOnly(s.schema.block) ? plannedWriteOnly(s, planned) : NONE;
}

function plannedWriteOnly(s: Subject, planned: Value): readonly ProviderDiagnostic[] {
  return writeOnlyViolations(
    INVALID,
    (path) =>
      `Provider ${s.providerConfig} returned a value for the write-only attribute "${s.address}${path}" during planning. Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.`,
    planned,
    s.schema.block,
  );
}

function replaceViolations(
  s: Subject,
  prior: Value,
  planned: Value,
  paths: readonly Path[],
): readonly ProviderDiagnostic[] {
  if (prior.isNull || paths.length === 0) return NONE;
  const violations: ProviderDiagnostic[] = [];
  for (const path of paths) {
    if (exists(prior, path) || exists(planned, path)) continue;
    const detail = `Provider ${s.provider} has indicated "requires replacement" on ${s.address} for a non-existent attribute path ${describePath(path)}.${PROVIDER_BUG}`;
    violations.push(violation(INVALID, detail));
  }
  return violations;
}

function exists(v: Value, path: Path): boolean {
  try {
    applyPath(v, path);
    return true;
  } catch (error) {
    if (error instanceof CtyError) return false;
    throw error;
  }
}
