import { nullOf, unknownAsNull } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type {
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  Deferred,
  ImportAnswer,
  ImportedObject,
  ImportRequest,
  PlanAnswer,
  PlanResourceRequest,
  ProviderDiagnostic,
  ReadAnswer,
  ReadRequest,
} from '../contract.ts';
import { emptyValue } from '../schema/empty-value.ts';
import { error, withoutRepeats } from './diagnostics.ts';
import type { ErasedIdentity, ErasedResource } from './erased.ts';
import { ChangingContext, ImportingContext, ObjectContext, PlanningContext } from './contexts.ts';
import type { ObjectValues } from './contexts.ts';
import { deferredAnswer, Findings, handle, hasErrors, Work } from './handling.ts';
import type { Surroundings } from './handling.ts';
import { keepMeaning } from './keep-meaning.ts';
import { Deferral, Gone, ImportedOther, ToBeRead } from './outcomes.ts';
import { changeObject, partOf, readObject, writeObject } from './part.ts';
import type { Part } from './part.ts';
import { withoutNullEntries } from './null-entries.ts';
import { planObject, withoutDuplicates } from './plan-object.ts';
import { isPrivateData, PrivateState } from './private-state.ts';

/** A resource type with its derived schema and types. */
export interface ResourcePart extends Part<ErasedResource> {
  readonly name: string;
  readonly identity: (Part & Pick<ErasedIdentity, 'of' | 'planned'>) | undefined;
}

/** Derives the schema and types of a resource type. */
export function resourcePart(name: string, options: ErasedResource): ResourcePart {
  const { identity } = options;
  return {
    ...partOf(options),
    name,
    identity: identity && {
      ...partOf(identityObject(identity)),
      of: identity.of,
      ...(identity.planned && { planned: identity.planned }),
    },
  };
}

function identityObject({ version, attributes }: ErasedIdentity) {
  return { attributes, ...(version !== undefined && { version }) };
}

function workOn(
  part: ResourcePart,
  address: string | undefined,
  doing: string,
  { log }: Surroundings,
): Work {
  return new Work(doing, address ?? part.name, part.type, log);
}

/** Returns the identity of an object for an answer; empty if it requires a client that is not available. */
export function identityAnswer(
  part: ResourcePart,
  state: Value,
  { client, needsClient }: Surroundings,
): { readonly identity?: Value } {
  const { identity } = part;
  if (identity === undefined || state.isNull || !state.isWhollyKnown()) return {};
  if (needsClient && client === undefined) return {};
  const identityData = identity.of(readObject(part, state), { client });
  return { identity: writeObject(identity, identityData, undefined) };
}

/** Returns the identity that the definition of a resource type plans for an object. */
function plannedIdentity(
  { identity, ...part }: ResourcePart,
  planned: Value,
  { client }: Surroundings,
): Value | undefined {
  const identityData = identity?.planned?.(readObject(part, planned), { client });
  if (identity === undefined || identityData === undefined) return undefined;
  return writeObject(identity, identityData, undefined);
}

function requestWithoutNullEntries(request: PlanResourceRequest): PlanResourceRequest {
  const { proposed, config } = request;
  return {
    ...request,
    proposed: withoutNullEntries(proposed),
    config: withoutNullEntries(config),
  };
}

function deferredPlan(
  part: ResourcePart,
  { proposed, priorPrivate, priorIdentity, capabilities }: PlanResourceRequest,
  reason: Deferred['reason'],
): PlanAnswer {
  const findings = new Findings(part.type);
  const deferred = deferredAnswer(findings, reason, capabilities.deferralAllowed);
  return {
    planned: proposed,
    requiresReplace: [],
    diagnostics: findings.diagnostics,
    ...deferred,
    ...(priorIdentity && { identity: priorIdentity }),
    ...(priorPrivate && { private: priorPrivate }),
  };
}

/** Plans a change or a destruction of an object. */
export function planResource(
  part: ResourcePart,
  rawRequest: PlanResourceRequest,
  around: Surroundings,
): Awaitable<PlanAnswer> {
  const older = part.options.olderTypeSystem === true;
  const request = older ? requestWithoutNullEntries(rawRequest) : rawRequest;
  const { prior, proposed, config, priorPrivate, priorIdentity } = request;
  const same = priorIdentity && { identity: priorIdentity };
  if (around.deferral !== undefined) {
    return deferredPlan(part, request, around.deferral.reason);
  }
  if (proposed.isNull) return planDelete(part, request, around);
  const { modifyPlan } = part.options;
  const object = planObject(part.object, prior, proposed, config, older);
  const legacy = older ? { legacyTypeSystem: true } : {};
  const plansIdentity = part.identity?.planned !== undefined;
  if ((modifyPlan === undefined && !plansIdentity) || hasErrors(object.diagnostics)) {
    return {
      planned: object.planned,
      requiresReplace: object.requiresReplace,
      diagnostics: withoutRepeats(object.diagnostics),
      ...(priorPrivate && { private: priorPrivate }),
      ...legacy,
      ...same,
    };
  }
  const work = workOn(part, request.address, 'planning', around);
  const privateState = new PrivateState(priorPrivate);
  const { planned } = object;
  const values = { ...objectOf(part, request), planned, identity: priorIdentity };
  const context = new PlanningContext(work, around, values, privateState);
  const answer = (changed: Value, more: object = {}): PlanAnswer => ({
    planned: changed,
    requiresReplace: withoutDuplicates([...object.requiresReplace, ...context.replace]),
    diagnostics: withoutRepeats([...object.diagnostics, ...work.findings.diagnostics]),
    ...privateState.answer,
    ...legacy,
    ...same,
    ...more,
  });
  return handle(
    work,
    () => modifyPlan?.(context),
    (changes) => {
      if (changes instanceof Deferral) {
        const allowed = request.capabilities.deferralAllowed;
        return answer(planned, deferredAnswer(work.findings, changes.reason, allowed));
      }
      const unchanged = changes === undefined || changes === null;
      const changed = unchanged ? planned : changeObject(part, planned, changes);
      const identity = context.plannedIdentity ?? plannedIdentity(part, changed, around);
      return answer(changed, identity && { identity });
    },
    () => answer(planned),
  );
}

/** Returns the handler context fields that all requests for objects of a type have in common. */
function objectOf(
  part: ResourcePart,
  request: {
    readonly prior: Value;
    readonly config?: Value;
    readonly providerMeta?: Value;
  },
): ObjectValues {
  const nullObject = nullOf(part.type);
  return {
    part,
    identityPart: part.identity,
    prior: request.prior,
    planned: nullObject,
    config: request.config ?? nullObject,
    identity: undefined,
    meta: request.providerMeta,
    operation: 'read',
  };
}

function planDelete(
  part: ResourcePart,
  request: PlanResourceRequest,
  around: Surroundings,
): Awaitable<PlanAnswer> {
  const { proposed: planned, priorPrivate } = request;
  const privateState = new PrivateState(priorPrivate);
  const { planDelete: handler } = part.options;
  if (handler === undefined) return { planned, requiresReplace: [], ...privateState.answer };
  const work = workOn(part, request.address, 'planning to delete', around);
  const answer = (): PlanAnswer => ({
    planned,
    requiresReplace: [],
    diagnostics: work.findings.diagnostics,
    ...privateState.answer,
  });
  const values = { ...objectOf(part, request), identity: request.priorIdentity };
  return handle(
    work,
    () => handler(new ObjectContext(work, around, values, privateState)),
    answer,
    answer,
  );
}

/** Reads the current state of an object. */
export function readResource(
  part: ResourcePart,
  request: ReadRequest,
  around: Surroundings,
): Awaitable<ReadAnswer> {
  const { prior, identity, capabilities } = request;
  const isOwnPrivate = request.private !== undefined && isPrivateData(request.private);
  const privateState = new PrivateState(isOwnPrivate ? request.private : undefined);
  const same = identity && { identity };
  const { read } = part.options;
  const work = workOn(part, request.address, 'reading', around);
  const { findings } = work;
  const answer = (state: Value, more: object = {}): ReadAnswer => ({
    state,
    diagnostics: findings.diagnostics,
    ...privateState.answer,
    ...same,
    ...more,
  });
  const putOff = ({ reason }: Deferral): ReadAnswer =>
    answer(prior, deferredAnswer(findings, reason, capabilities.deferralAllowed));
  if (around.deferral !== undefined) return putOff(around.deferral);
  if (read === undefined) return answer(prior);
  const values = { ...objectOf(part, request), identity };
  return handle(
    work,
    () => read(new ObjectContext(work, around, values, privateState)),
    (result) => {
      if (result instanceof Deferral) return putOff(result);
      if (result instanceof Gone) return answer(nullOf(part.type));
      const state = keepMeaning(part.object, prior, writeObject(part, result, prior));
      return answer(state, identityAnswer(part, state, around));
    },
    () => answer(prior),
  );
}

/** Creates, updates or deletes an object. */
export function applyResource(
  part: ResourcePart,
  request: ApplyResourceRequest,
  around: Surroundings,
): Awaitable<ApplyAnswer> {
  const { prior, planned } = request;
  if (planned.isNull) return deleteObject(part, request, around);
  const create = prior.isNull;
  const handler = create ? part.options.create : part.options.update;
  const privateState = new PrivateState(request.plannedPrivate);
  const answer = (
    state: Value,
    applyDiagnostics: readonly ProviderDiagnostic[],
    more: object,
  ): ApplyAnswer => ({
    state,
    diagnostics: applyDiagnostics,
    ...privateState.answer,
    ...(part.options.olderTypeSystem === true && { legacyTypeSystem: true }),
    ...(request.plannedIdentity && { identity: request.plannedIdentity }),
    ...more,
  });
  if (handler === undefined) return answer(planned, [], identityAnswer(part, planned, around));
  const work = workOn(part, request.address, create ? 'creating' : 'updating', around);
  const { diagnostics } = work.findings;
  const operation = create ? 'create' : 'update';
  const identity = request.plannedIdentity;
  const older = part.options.olderTypeSystem === true;
  const config = older ? withoutNullEntries(request.config) : request.config;
  const { progress } = request;
  const object = objectOf(part, { ...request, config });
  const values = { ...object, planned, identity, operation, progress };
  const context = new ChangingContext(work, around, values, privateState, request.signal);
  let ended = false;
  return handle(
    work,
    () => handler(context),
    (result) => {
      ended = true;
      const state = keepMeaning(part.object, planned, writeObject(part, result, planned));
      return answer(state, diagnostics, identityAnswer(part, state, around));
    },
    () => {
      // A handler that returned has completed the operation, even if its result is invalid.
      const state = context.saved ?? (ended ? unknownAsNull(planned) : prior);
      return answer(state, diagnostics, {});
    },
  );
}

function deleteObject(
  part: ResourcePart,
  request: ApplyResourceRequest,
  around: Surroundings,
): Awaitable<ApplyAnswer> {
  const { prior } = request;
  const nullObject = nullOf(part.type);
  const remove = part.options.delete;
  if (remove === undefined) return { state: nullObject, diagnostics: [] };
  const work = workOn(part, request.address, 'deleting', around);
  const { diagnostics } = work.findings;
  const privateState = new PrivateState(request.plannedPrivate);
  const identity = request.plannedIdentity;
  const failed = (): ApplyAnswer => ({
    state: prior,
    diagnostics,
    ...privateState.answer,
    ...(identity && { identity }),
  });
  const { progress } = request;
  const values = { ...objectOf(part, request), identity, operation: 'delete', progress };
  return handle(
    work,
    () => remove(new ObjectContext(work, around, values, privateState, request.signal)),
    () => (hasErrors(diagnostics) ? failed() : { state: nullObject, diagnostics }),
    failed,
  );
}

/** Returns the response of resource types that cannot be imported. */
export function importNotImplemented(): ImportAnswer {
  const detail =
    'This resource does not support import. Please contact the provider developer for additional information.';
  return { imported: [], diagnostics: [error('Resource Import Not Implemented', detail)] };
}

/** Imports an existing object into the state. */
export function importResource(
  part: ResourcePart,
  request: ImportRequest,
  around: Surroundings,
): Awaitable<ImportAnswer> {
  const { id, identity } = request;
  const read = part.options.import;
  if (read === undefined) return importNotImplemented();
  const work = workOn(part, request.address, 'importing', around);
  const { findings } = work;
  const { diagnostics } = findings;
  const none = (): ImportAnswer => ({ imported: [], diagnostics });
  const putOff = ({ reason }: Deferral): ImportAnswer => ({
    ...none(),
    ...deferredAnswer(findings, reason, true),
  });
  if (around.deferral !== undefined) return putOff(around.deferral);
  const privateState = new PrivateState(undefined);
  const importIdentity = identity === undefined || identity.isNull ? undefined : identity;
  const named = importIdentity === undefined ? (id ?? '') : undefined;
  const values = { ...objectOf(part, { prior: nullOf(part.type) }), identity: importIdentity };
  return handle(
    work,
    () => read(new ImportingContext(work, around, values, privateState, named)),
    (answer) => {
      if (answer instanceof Deferral) return putOff(answer);
      if (answer instanceof Gone) {
        const subject = named === undefined ? 'that identity' : `the ID ${named}`;
        const detail = `There is no object of type ${part.name} with ${subject}. Check it, and that the provider is configured for the account or region that holds the object.`;
        findings.error('Cannot import non-existent remote object', detail);
        return none();
      }
      if (hasErrors(diagnostics)) return none();
      const several: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
      const objects = several.map((each) =>
        each instanceof ImportedOther
          ? around.importOther(each, around)
          : importedObject(part, each, privateState, around, importIdentity),
      );
      return { imported: objects, diagnostics };
    },
    none,
  );
}

function importedObject(
  part: ResourcePart,
  result: unknown,
  kept: PrivateState,
  around: Surroundings,
  asked?: Value,
): ImportedObject {
  if (result instanceof ToBeRead && part.options.read !== undefined) {
    const state = changeObject(part, emptyValue(part.schema.block), result.object);
    return { type: part.name, state, ...kept.answer, ...(asked && { identity: asked }) };
  }
  const state = writeObject(part, result instanceof ToBeRead ? result.object : result, undefined);
  return { type: part.name, state, ...kept.answer, ...identityAnswer(part, state, around) };
}

/**
 * Converts an imported object of another type of the provider: `part` is undefined if the type is missing or several
 * types share one definition.
 */
export function importedOther(
  part: ResourcePart | undefined,
  imported: ImportedOther,
  around: Surroundings,
): ImportedObject {
  if (part === undefined) {
    throw new Error(
      'it gives an object of a resource type that it does not have under one name, and one only',
    );
  }
  const privateState = new PrivateState(undefined);
  if (imported.private !== undefined) privateState.change(imported.private);
  return importedObject(part, imported.object, privateState, around);
}
