import type {
  Answer,
  ApplyAnswer,
  ApplyRequest,
  Awaitable,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  PlanAnswer,
  PlanRequest,
  ReadAnswer,
  ReadRequest,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
  UpgradeIdentityRequest,
  UpgradeRequest,
  ValidateResourceRequest,
} from '../contract.ts';
import type { Schema } from '../schema/model.ts';
import type { Log } from './log.ts';

declare const configuredBy: unique symbol;

/** Context of a resource type that is implemented on the contract directly. */
export interface ContractContext<C> {
  readonly client: C;
  readonly log: Log;
  /** aborted when running work is to end */
  readonly stopped: AbortSignal;
}

/** Answers the requests about a resource type as the contract says, `Provider` of `@terrane/provider`. */
export interface ContractResourceOptions<C> {
  readonly schema: Schema;
  readonly identity?: Schema;
  readonly validate?: (request: ValidateResourceRequest) => Awaitable<Answer>;
  readonly upgrade: (request: UpgradeRequest) => Awaitable<UpgradeAnswer>;
  readonly upgradeIdentity?: (request: UpgradeIdentityRequest) => Awaitable<UpgradeIdentityAnswer>;
  readonly read: (request: ReadRequest, around: ContractContext<C>) => Awaitable<ReadAnswer>;
  readonly plan: (request: PlanRequest, around: ContractContext<C>) => Awaitable<PlanAnswer>;
  readonly apply: (request: ApplyRequest, around: ContractContext<C>) => Awaitable<ApplyAnswer>;
  readonly import?: (request: ImportRequest, around: ContractContext<C>) => Awaitable<ImportAnswer>;
  readonly move?: (request: MoveRequest) => Awaitable<MoveAnswer>;
}

/** A resource type of a provider whose handlers need a client of type `C`. */
export interface ContractResource<C = unknown> {
  readonly kind: 'contract resource';
  readonly options: ContractResourceOptions<unknown>;
  readonly [configuredBy]?: (client: C) => void;
}

/**
 * A resource type written against the contract itself, in values and schemas: for one that comes by the hundred
 * thousand, or that has to do what a definition does not let it. Nothing is done for it: no defaults, no
 * computed values, no words of diagnostics.
 */
export function contractResource<C = unknown>(
  options: ContractResourceOptions<C>,
): ContractResource<C> {
  // The client is the one that the type of the provider's resources says.
  return { kind: 'contract resource', options: options as ContractResourceOptions<unknown> };
}
