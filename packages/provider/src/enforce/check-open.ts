import { conformanceErrors, nullOf } from '@terrane/cty';
import { formatContractError } from '../change/contract-error.ts';
import { assertPlanValid } from '../change/plan-valid.ts';
import type { EphemeralRequest, OpenAnswer } from '../contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { Schema } from '../schema/model.ts';
import { hasError } from './violations.ts';

/** Checks an opened ephemeral resource: configured values must be unchanged. */
export function checkOpen(
  schema: Schema,
  request: EphemeralRequest,
  answer: OpenAnswer,
): OpenAnswer {
  if (hasError(answer.diagnostics) || answer.deferred) return answer;
  const type = impliedType(schema.block);
  const shape = conformanceErrors(answer.result.type, type);
  const errors =
    shape.length > 0
      ? shape
      : assertPlanValid(schema.block, nullOf(type), request.config, answer.result);
  if (errors.length === 0) return answer;
  const violations = errors.map((error) => ({
    severity: 'error' as const,
    summary: 'Provider produced invalid ephemeral resource instance',
    detail: `The provider for ${request.type} produced an inconsistent result: ${formatContractError(error)}.`,
  }));
  return { ...answer, diagnostics: [...(answer.diagnostics ?? []), ...violations] };
}
