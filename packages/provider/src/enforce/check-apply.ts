import {
  conforms,
  formatPath,
  infiniteAsNull,
  infinitePaths,
  unknownAsNull,
  walk,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { formatContractError, formatContractErrorAt } from '../change/contract-error.ts';
import { assertObjectCompatible } from '../change/object-compatible.ts';
import type { ApplyAnswer, ApplyResourceRequest, ProviderDiagnostic } from '../contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import { containsWriteOnly } from '../schema/value-paths.ts';
import {
  hasError,
  nullObject,
  PROVIDER_BUG,
  typeErrors,
  violation,
  writeOnlyViolations,
} from './violations.ts';
import type { Subject } from './violations.ts';

const INVALID_OBJECT = 'Provider produced invalid object';
const INVALID_RESULT = 'Provider returned invalid result object after apply';

/** An in-process provider may omit the state, which counts as "nothing returned". */
export type LooseApplyAnswer = Omit<ApplyAnswer, 'state'> & { readonly state?: Value };

/**
 * Checks the result of an apply: it must have the schema's type, null write-only arguments, no unknown values, equal
 * the known planned values, and be null exactly after a delete. The check is complete even if the provider returned
 * errors, because a partial result must be kept: its unknown values become null. A result that cannot be stored becomes
 * null, which together with errors means that the stored object remains valid.
 */
export function checkApply(
  s: Subject,
  request: ApplyResourceRequest,
  answer: LooseApplyAnswer,
): ApplyAnswer {
  if (isSound(s, request, answer)) return answer;
  const { prior, planned } = request;
  const diagnostics: ProviderDiagnostic[] = [...(answer.diagnostics ?? [])];
  let state = answer.state;
  if (state === undefined) {
    // After an error, the object is probably unchanged, or deleted if that was planned.
    state = planned.isNull ? nullObject(s) : prior;
    if (!hasError(diagnostics)) {
      const detail = `Provider ${s.providerConfig} produced an invalid nil value after apply for ${s.address}.${PROVIDER_BUG}`;
      diagnostics.push(violation(INVALID_OBJECT, detail));
    }
  }
  for (const path of infinitePaths(state)) {
    const detail = `After the apply operation, the provider returned an infinite number for ${s.address}${formatPath(path)}, which cannot be saved in the state.${PROVIDER_BUG} Terraform will still save the other object values in the state.`;
    diagnostics.push(violation(INVALID_RESULT, detail));
  }
  state = infiniteAsNull(state);
  const unusable = storageViolations(s, state);
  if (unusable.length > 0) {
    return { ...answer, state: nullObject(s), diagnostics: [...diagnostics, ...unusable] };
  }
  if (!state.isWhollyKnown()) {
    pushUnknowns(s, state, diagnostics);
    state = unknownAsNull(state);
  }
  if (!planned.isNull && !hasError(diagnostics) && answer.legacyTypeSystem !== true) {
    for (const error of assertObjectCompatible(s.schema.block, planned, state)) {
      const detail = `When applying changes to ${s.address}, provider ${s.providerConfig} produced an unexpected new value: ${formatContractError(error)}.${PROVIDER_BUG}`;
      diagnostics.push(violation('Provider produced inconsistent result after apply', detail));
    }
  }
  if (!hasError(diagnostics)) pushPresence(s, request, state, diagnostics);
  if (state === answer.state && diagnostics.length === (answer.diagnostics?.length ?? 0)) {
    return { ...answer, state };
  }
  return { ...answer, state, diagnostics };
}

/** Returns true if a response satisfies all rules and has no diagnostics, as most do. */
function isSound(
  { schema: { block } }: Subject,
  { planned }: ApplyResourceRequest,
  answer: LooseApplyAnswer,
): answer is ApplyAnswer {
  const { state, diagnostics = NONE } = answer;
  if (state === undefined || diagnostics.length > 0 || planned.isNull !== state.isNull)
    return false;
  if (!conforms(state.type, impliedType(block)) || containsWriteOnly(block)) return false;
  if (!state.isWhollyKnown() || state.containsInfinity()) return false;
  return (
    planned.isNull ||
    answer.legacyTypeSystem === true ||
    assertObjectCompatible(block, planned, state).length === 0
  );
}

const NONE: readonly ProviderDiagnostic[] = [];

function storageViolations(s: Subject, state: Value): readonly ProviderDiagnostic[] {
  const errors = typeErrors(state, s.schema);
  if (errors.length > 0) {
    return errors.map((error) => {
      const at = formatContractErrorAt(s.address, error);
      const detail = `Provider ${s.providerConfig} produced an invalid value after apply for ${at}. The result cannot not be saved in the Terraform state.${PROVIDER_BUG}`;
      return violation(INVALID_OBJECT, detail);
    });
  }
  return writeOnlyViolations(
    INVALID_OBJECT,
    (path) =>
      `Provider ${s.providerConfig} returned a value for the write-only attribute "${s.address}${path}" after apply. Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.`,
    state,
    s.schema.block,
  );
}

function pushUnknowns(s: Subject, state: Value, diagnostics: ProviderDiagnostic[]): void {
  walk(state, (path, v) => {
    if (!v.isKnown) {
      const detail = `After the apply operation, the provider still indicated an unknown value for ${s.address}${formatPath(path)}. All values must be known after apply, so this is always a bug in the provider and should be reported in the provider's own repository. Terraform will still save the other known object values in the state.`;
      diagnostics.push(violation(INVALID_RESULT, detail));
    }
    return true;
  });
}

function pushPresence(
  s: Subject,
  { prior, planned }: ApplyResourceRequest,
  state: Value,
  diagnostics: ProviderDiagnostic[],
): void {
  if (planned.isNull && !state.isNull) {
    const detail = `After applying a Delete plan, the provider returned a non-null object for ${s.address}. Destroying should always produce a null value, so this is always a bug in the provider and should be reported in the provider's own repository. Terraform will still save this errant object in the state for debugging and recovery.`;
    diagnostics.push(violation(INVALID_RESULT, detail));
  }
  if (!planned.isNull && state.isNull) {
    const action = prior.isNull ? 'Create' : 'Update';
    const detail = `After applying a ${action} plan, the provider returned a null object for ${s.address}. Only destroying should always produce a null value, so this is always a bug in the provider and should be reported in the provider's own repository.`;
    diagnostics.push(violation(INVALID_RESULT, detail));
  }
}
