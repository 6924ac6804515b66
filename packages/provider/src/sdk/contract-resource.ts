import type {
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  PlanAnswer,
  PlanResourceRequest,
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

/** Handles the requests for a resource type in the terms of the contract, `Provider` of `@terrane/provider`. */
export interface ContractResourceOptions<C> {
  readonly schema: Schema;
  readonly identity?: Schema;
  readonly validate?: (request: ValidateResourceRequest) => Awaitable<Answer>;
  readonly upgrade: (request: UpgradeRequest) => Awaitable<UpgradeAnswer>;
  readonly upgradeIdentity?: (request: UpgradeIdentityRequest) => Awaitable<UpgradeIdentityAnswer>;
  readonly read: (request: ReadRequest, around: ContractContext<C>) => Awaitable<ReadAnswer>;
  readonly plan: (
    request: PlanResourceRequest,
    around: ContractContext<C>,
  ) => Awaitable<PlanAnswer>;
  readonly apply: (
    request: ApplyResourceRequest,
    around: ContractContext<C>,
  ) => Awaitable<ApplyAnswer>;
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
 * A resource type implemented in terms of the contract, with values and schemas: for types with hundreds of thousands
 * of objects, or with behaviour that a definition does not support. There are no defaults, no computed values and no
 * added diagnostics.
 */
export function contractResource<C = unknown>(
  options: ContractResourceOptions<C>,
): ContractResource<C> {
  // The client has the type that the provider's resources declare.
  return { kind: 'contract resource', options: options as ContractResourceOptions<unknown> };
}
