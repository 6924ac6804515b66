import { nullOf, type Type } from '@terrane/cty';
import type {
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  Deferred,
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
import { impliedType } from '../schema/implied-type.ts';
import type { Schema } from '../schema/model.ts';
import type { ContractResourceOptions } from './contract-resource.ts';
import { error } from './diagnostics.ts';
import { deferredAnswer, Findings } from './handling.ts';
import type { Surroundings } from './handling.ts';
import {
  applyResource,
  importNotImplemented,
  importResource,
  planResource,
  readResource,
} from './resource-runtime.ts';
import type { ResourcePart } from './resource-runtime.ts';
import { moveNotImplemented, moveState, upgradeIdentity, upgradeState } from './stored-runtime.ts';
import { withoutNullEntries } from './null-entries.ts';
import { validatePart } from './validate-runtime.ts';

/** The requests of a resource type, independent of how it is implemented. */
export interface ResourceCalls {
  readonly schema: Schema;
  readonly identity: Schema | undefined;
  validate(request: ValidateResourceRequest, around: Surroundings): Awaitable<Answer>;
  upgrade(request: UpgradeRequest, around: Surroundings): Awaitable<UpgradeAnswer>;
  upgradeIdentity(
    request: UpgradeIdentityRequest,
    around: Surroundings,
  ): Awaitable<UpgradeIdentityAnswer>;
  read(request: ReadRequest, around: Surroundings): Awaitable<ReadAnswer>;
  plan(request: PlanResourceRequest, around: Surroundings): Awaitable<PlanAnswer>;
  apply(request: ApplyResourceRequest, around: Surroundings): Awaitable<ApplyAnswer>;
  import(request: ImportRequest, around: Surroundings): Awaitable<ImportAnswer>;
  move(request: MoveRequest, around: Surroundings): Awaitable<MoveAnswer>;
}

/** Handles the requests for a resource type according to its definition. */
export function definedCalls(part: ResourcePart): ResourceCalls {
  return {
    schema: part.schema,
    identity: part.identity?.schema,
    validate({ config, address = part.name, capabilities }, { log }) {
      const normalizedConfig =
        part.options.olderTypeSystem === true ? withoutNullEntries(config) : config;
      return validatePart(
        part,
        address,
        normalizedConfig,
        capabilities.writeOnlyAttributesAllowed,
        log,
      );
    },
    upgrade: (request, { log }) => upgradeState(part, request, log),
    upgradeIdentity: (request, { log }) => upgradeIdentity(part, request, log),
    read: (request, around) => readResource(part, request, around),
    plan: (request, around) => planResource(part, request, around),
    apply: (request, around) => applyResource(part, request, around),
    import: (request, around) => importResource(part, request, around),
    move: (request, around) => moveState(part, request, around),
  };
}

/** Returns the response that defers a request that requires the client. */
function deferredResponse(
  type: Type,
  { deferral }: Surroundings,
  allowed: boolean,
): Answer & { readonly deferred?: Deferred } {
  const findings = new Findings(type);
  const answer = deferredAnswer(findings, deferral?.reason ?? 'unknown', allowed);
  return { diagnostics: findings.diagnostics, ...answer };
}

/** Forwards requests to a resource type that implements the provider contract directly. */
export function contractCalls(
  name: string,
  options: ContractResourceOptions<unknown>,
): ResourceCalls {
  const { schema, identity } = options;
  const type = impliedType(schema.block);
  return {
    schema,
    identity,
    validate: (request) => options.validate?.(request) ?? {},
    upgrade: (request) => options.upgrade(request),
    upgradeIdentity: (request) =>
      options.upgradeIdentity?.(request) ?? {
        identity: nullOf(impliedType(identity?.block ?? schema.block)),
        diagnostics: [
          error(
            'Unable to Upgrade Resource Identity',
            `The resource type ${name} has no upgrade from version ${request.version} of its identity.`,
          ),
        ],
      },
    read(request, around) {
      const { prior: state, identity: known } = request;
      if (around.deferral === undefined) return options.read(request, around);
      const privatePart = { ...(request.private && { private: request.private }) };
      const { deferralAllowed } = request.capabilities;
      return {
        state,
        ...privatePart,
        ...(known && { identity: known }),
        ...deferredResponse(type, around, deferralAllowed),
      };
    },
    plan(request, around) {
      if (around.deferral === undefined) return options.plan(request, around);
      const { proposed: planned, priorPrivate, priorIdentity } = request;
      return {
        planned,
        requiresReplace: [],
        ...(priorPrivate && { private: priorPrivate }),
        ...(priorIdentity && { identity: priorIdentity }),
        ...deferredResponse(type, around, request.capabilities.deferralAllowed),
      };
    },
    apply: (request, around) => options.apply(request, around),
    import(request, around) {
      if (options.import === undefined) return importNotImplemented();
      if (around.deferral !== undefined)
        return { imported: [], ...deferredResponse(type, around, true) };
      return options.import(request, around);
    },
    move: (request) => options.move?.(request) ?? moveNotImplemented(type, request),
  };
}
