import type { Value } from '@terrane/cty';
import type {
  Addressed,
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  EphemeralRequest,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  OpenAnswer,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ProviderDiagnostic,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
  UpgradeAnswer,
  UpgradeRequest,
} from '../contract.ts';
import type { ProviderSchema, Schema } from '../schema/model.ts';
import { checkApply, type LooseApplyAnswer } from './check-apply.ts';
import { checkIdentity, type IdentityStage } from './check-identity.ts';
import { checkOpen } from './check-open.ts';
import { checkPlan } from './check-plan.ts';
import { checkRead, checkReadData } from './check-read.ts';
import { checkImport, checkMove, checkUpgrade, type SchemasOf } from './check-stored.ts';
import { nullObject, type Subject } from './violations.ts';

/** The maps of a provider schema with the types of objects. */
export type Kind = 'resources' | 'dataSources' | 'ephemeralResources' | 'actions';

/** The diagnostics of an exception. */
export interface Failure {
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/**
 * A request about an object, for any provider: plain functions, so that a request of a large run creates no closures.
 * `Received` is the response of the provider, `Checked` the one that callers receive.
 */
export interface Operation<Request extends Addressed, Received, Checked = Received> {
  readonly kind: Kind;
  /** the participle in the message about an exception: "failed while reading" */
  readonly doing: string;
  send(provider: Provider, request: Request, subject: Subject): Awaitable<Received>;
  /** Returns the response in place of an exception. */
  recover(failure: Failure, request: Request, subject: Subject): Received;
  check(subject: Subject, request: Request, answer: Received): Checked;
}

export const UPGRADE: Operation<UpgradeRequest, UpgradeAnswer> = {
  kind: 'resources',
  doing: 'upgrading',
  send: (provider, request) => provider.upgradeResourceState(request),
  recover: (failure, _, s) => ({ ...failure, state: nullObject(s) }),
  check: (s, request, answer) => checkUpgrade(s, request.type, answer),
};

export const READ: Operation<ReadRequest, ReadAnswer> = {
  kind: 'resources',
  doing: 'reading',
  send: (provider, request) => provider.readResource(request),
  recover: (failure, { prior }) => ({ ...failure, state: prior }),
  check: (s, request, answer) =>
    checkRead(s, request, identified(s, request.type, answer, 'final')),
};

export const PLAN: Operation<PlanResourceRequest, PlanAnswer> = {
  kind: 'resources',
  doing: 'planning',
  send: (provider, request, s) =>
    isUnplanned(s, request) ? unplannedDestroy(request) : provider.planResourceChange(request),
  recover: (failure, { prior }) => ({ ...failure, planned: prior, requiresReplace: [] }),
  check: (s, request, answer) => {
    if (isUnplanned(s, request)) return answer;
    const stage = request.proposed.isNull ? 'final' : 'planned';
    return checkPlan(s, request, identified(s, request.type, answer, stage));
  },
};

/** Returns true for a destroy that the provider does not plan, because it lacks the capability. */
function isUnplanned({ schemas }: Subject, { proposed }: PlanResourceRequest): boolean {
  return proposed.isNull && schemas.capabilities.planDestroy !== true;
}

function unplannedDestroy({ proposed: planned, priorPrivate }: PlanResourceRequest): PlanAnswer {
  return { planned, requiresReplace: [], ...(priorPrivate && { private: priorPrivate }) };
}

export const APPLY: Operation<ApplyResourceRequest, LooseApplyAnswer, ApplyAnswer> = {
  kind: 'resources',
  doing: 'applying',
  send: (provider, request) => provider.applyResourceChange(request),
  // Without a result the object counts as unchanged; a delete that threw has not been executed.
  recover: (failure, { prior, plannedPrivate }) => ({
    ...failure,
    state: prior,
    ...(plannedPrivate && { private: plannedPrivate }),
    unanswered: true,
  }),
  check: (s, request, answer) =>
    checkApply(s, request, identified(s, request.type, answer, 'final')),
};

export const IMPORT: Operation<ImportRequest, ImportAnswer> = {
  kind: 'resources',
  doing: 'importing',
  send: (provider, request) => provider.importResourceState(request),
  recover: (failure) => ({ ...failure, imported: [] }),
  check: (s, request, answer) =>
    checkImport(s, request, answer, (type) => schemasOf(s.schemas, type)),
};

export const MOVE: Operation<MoveRequest, MoveAnswer> = {
  kind: 'resources',
  doing: 'moving',
  send: (provider, request, s) =>
    provider.moveResourceState?.(request) ?? throwUnsupported(s, 'moveResourceState'),
  recover: (failure, _, s) => ({ ...failure, state: nullObject(s) }),
  check: (s, request, answer) => checkMove(s, identified(s, request.targetType, answer, 'planned')),
};

export const READ_DATA: Operation<ReadDataRequest, ReadDataAnswer> = {
  kind: 'dataSources',
  doing: 'reading',
  send: (provider, request) => provider.readDataSource(request),
  recover: (failure, _, s) => ({ ...failure, state: nullObject(s) }),
  check: checkReadData,
};

export const OPEN: Operation<EphemeralRequest, OpenAnswer> = {
  kind: 'ephemeralResources',
  doing: 'opening',
  send: (provider, request, s) =>
    provider.openEphemeralResource?.(request) ?? throwUnsupported(s, 'openEphemeralResource'),
  recover: (failure, _, s) => ({ ...failure, result: nullObject(s) }),
  check: ({ schema }, request, answer) => checkOpen(schema, request, answer),
};

/** Verifies the identity in a response by the schema of its type. */
function identified<A extends Answer & { readonly identity?: Value }>(
  s: Subject,
  type: string,
  answer: A,
  stage: IdentityStage,
): A {
  if (answer.identity === undefined) return answer;
  return checkIdentity(s, identitySchema(s.schemas, type), answer, stage);
}

function schemasOf(schemas: ProviderSchema, type: string): ReturnType<SchemasOf> {
  const schema = ownOf(schemas.resources, type);
  return schema === undefined ? undefined : { schema, identity: identitySchema(schemas, type) };
}

/** Returns the identity schema of a resource type; undefined if it has none. */
export function identitySchema({ identities }: ProviderSchema, type: string): Schema | undefined {
  return ownOf(identities ?? {}, type);
}

/** Returns the own property of a record. */
export function ownOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Throws the error for an optional method that the provider lacks. */
export function throwUnsupported(s: Subject, method: string): never {
  throw new Error(`Provider ${s.provider} does not implement ${method}.`);
}
