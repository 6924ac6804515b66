import type {
  ApplyAnswer,
  ApplyRequest,
  ImportAnswer,
  ImportRequest,
  PlanAnswer,
  PlanRequest,
  ProviderDiagnostic,
  ReadRequest,
  Schema,
  UpgradeAnswer,
  UpgradeRequest,
  ValidateResourceRequest,
} from '@terrane/provider';
import type { Awaitable, ReadAnswer } from '@terrane/provider';
import type { Value } from '@terrane/cty';

/** A resource type against the contract: what differs from what `ofKind` makes of all of them. */
export interface Kind {
  readonly schema: Schema;
  readonly identity?: Schema;
  readonly validate?: (request: ValidateResourceRequest) => readonly ProviderDiagnostic[];
  /** changes a plan that was made as for every kind; not asked where the object is to be deleted */
  readonly plan?: (request: PlanRequest, answer: PlanAnswer) => PlanAnswer;
  /** changes what came of creating or updating */
  readonly apply?: (request: ApplyRequest, answer: ApplyAnswer) => Awaitable<ApplyAnswer>;
  readonly read?: (request: ReadRequest, found: ReadAnswer) => ReadAnswer;
  readonly import?: (request: ImportRequest) => ImportAnswer;
  readonly upgrade?: (request: UpgradeRequest) => UpgradeAnswer;
  /** plans of deletions fail too */
  readonly keep?: (prior: Value) => readonly ProviderDiagnostic[];
}

export function problem(
  severity: 'error' | 'warning',
  summary: string,
  attribute?: ProviderDiagnostic['attribute'],
): ProviderDiagnostic {
  return {
    severity,
    summary,
    detail: `The provider says: ${summary}.`,
    ...(attribute === undefined ? {} : { attribute }),
  };
}
