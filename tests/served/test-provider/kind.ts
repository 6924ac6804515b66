import type {
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  PlanAnswer,
  PlanResourceRequest,
  Schema,
} from '@terrane/provider';

/** A resource type against the contract: what differs from what `ofKind` makes of all of them. */
export interface Kind {
  readonly schema: Schema;
  /** changes a plan that was made as for every kind; not asked where the object is to be deleted */
  readonly plan?: (request: PlanResourceRequest, answer: PlanAnswer) => PlanAnswer;
  /** changes what came of creating or updating */
  readonly apply?: (request: ApplyResourceRequest, answer: ApplyAnswer) => Awaitable<ApplyAnswer>;
}
