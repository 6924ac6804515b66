import { applyPath, NULL, nullOf, unknownAsNull } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type {
  ApplyAnswer,
  ApplyRequest,
  Awaitable,
  ImportAnswer,
  ImportRequest,
  PlanAnswer,
  PlanRequest,
  ReadAnswer,
  ReadRequest,
} from '../contract.ts';
import { error, withoutRepeats } from './diagnostics.ts';
import type { ErasedIdentity, ErasedResource } from './erased.ts';
import { deferredAnswer, Findings, handle, hasErrors, signalOf } from './handling.ts';
import type { Surroundings, Work } from './handling.ts';
import { keepMeaning } from './keep-meaning.ts';
import { Deferral, Gone } from './outcomes.ts';
import { changeObject, partOf, placeIn, readObject, timeoutOf, writeObject } from './part.ts';
import type { Part } from './part.ts';
import { planObject, withoutDuplicates } from './plan-object.ts';
import { isPrivateData, PrivateState } from './private-state.ts';

/** A resource type, prepared. */
export interface ResourcePart extends Part<ErasedResource> {
  readonly name: string;
  readonly identity: (Part & { readonly of: ErasedIdentity['of'] }) | undefined;
}

/** Prepares a resource type. */
export function resourcePart(name: string, options: ErasedResource): ResourcePart {
  const { identity } = options;
  return {
    ...partOf(options),
    name,
    identity: identity && { ...partOf(identityObject(identity)), of: identity.of },
  };
}

function identityObject({ version, attributes }: ErasedIdentity) {
  return { attributes, ...(version !== undefined && { version }) };
}

type Place = string | readonly (string | number)[];

function work(
  part: ResourcePart,
  address: string | undefined,
  doing: string,
  { log }: Surroundings,
): Work {
  const subject = address ?? part.name;
  const findings = new Findings(part.type);
  return { doing, subject, findings, log: log.with({ resource: subject, operation: doing }) };
}

/** What every handler is given. */
function context(
  { findings, log }: Work,
  around: Surroundings,
  signal: AbortSignal | undefined,
): object {
  const { client } = around;
  const { warn, error: fail, report, pathTo } = findings;
  return { client, log, signal: signalOf(around, signal), warn, error: fail, report, pathTo };
}

/** Whether two objects differ at a place; null has nothing anywhere. */
function differ(part: ResourcePart, before: Value, after: Value, at: Place): boolean {
  const path = placeIn(part.type, at);
  const [a, b] = [valueAt(before, path), valueAt(after, path)];
  return a.isNull || b.isNull ? a.isNull !== b.isNull : !a.rawEquals(b);
}

function valueAt(v: Value, path: Path): Value {
  if (v.isNull) return NULL;
  try {
    return applyPath(v, path);
  } catch {
    return NULL;
  }
}

/** Values of an object that are worked out when a handler asks for them. */
function lazily(part: Pick<Part, 'fields'>, v: Value): () => unknown {
  let object: unknown;
  return () => (object ??= v.isNull ? null : readObject(part, v));
}

function identityOf(part: ResourcePart, v: Value | undefined): unknown {
  return part.identity === undefined || v === undefined || v.isNull
    ? null
    : readObject(part.identity, v);
}

/** The identity of an object, for an answer. */
function identityAnswer(part: ResourcePart, state: Value): { readonly identity?: Value } {
  const { identity } = part;
  if (identity === undefined || state.isNull || !state.isWhollyKnown()) return {};
  return { identity: writeObject(identity, identity.of(readObject(part, state)), undefined) };
}

/** Plans a change or a destruction of an object. */
export function planResource(
  part: ResourcePart,
  request: PlanRequest,
  around: Surroundings,
): Awaitable<PlanAnswer> {
  const { prior, proposed, config, priorPrivate, priorIdentity } = request;
  const same = priorIdentity && { identity: priorIdentity };
  if (around.deferral !== undefined) {
    const findings = new Findings(part.type);
    const allowed = request.capabilities.deferralAllowed;
    const put = deferredAnswer(findings, around.deferral.reason, allowed);
    const { diagnostics } = findings;
    return {
      planned: proposed,
      requiresReplace: [],
      diagnostics,
      ...put,
      ...same,
      ...(priorPrivate && { private: priorPrivate }),
    };
  }
  if (proposed.isNull) return planDelete(part, request, around);
  const object = planObject(part.object, prior, proposed, config);
  const { modifyPlan } = part.options;
  if (modifyPlan === undefined || hasErrors(object.diagnostics)) {
    return {
      planned: object.planned,
      requiresReplace: object.requiresReplace,
      diagnostics: withoutRepeats(object.diagnostics),
      ...(priorPrivate && { private: priorPrivate }),
      ...same,
    };
  }
  const doing = work(part, request.address, 'planning', around);
  const kept = new PrivateState(priorPrivate);
  const replace: Path[] = [...object.requiresReplace];
  const [configured, plan, state] = [
    lazily(part, config),
    lazily(part, object.planned),
    lazily(part, prior),
  ];
  const call = () =>
    modifyPlan({
      ...context(doing, around, undefined),
      get config() {
        return configured();
      },
      get plan() {
        return plan();
      },
      get state() {
        return state();
      },
      get private() {
        return kept.entries;
      },
      isNew: prior.isNull,
      setPrivate: kept.change,
      changed: (at: Place) => differ(part, prior, object.planned, at),
      requireReplace: (at: Place) => void replace.push(placeIn(part.type, at)),
      providerMeta: around.meta(request.providerMeta),
    });
  const answer = (planned: Value, more: object = {}): PlanAnswer => ({
    planned,
    requiresReplace: withoutDuplicates(replace),
    diagnostics: withoutRepeats([...object.diagnostics, ...doing.findings.diagnostics]),
    ...kept.answer,
    ...same,
    ...more,
  });
  return handle(
    doing,
    call,
    (given) => {
      if (given instanceof Deferral) {
        const allowed = request.capabilities.deferralAllowed;
        return answer(object.planned, deferredAnswer(doing.findings, given.reason, allowed));
      }
      if (given === undefined || given === null) return answer(object.planned);
      return answer(changeObject(part, object.planned, given));
    },
    () => answer(object.planned),
  );
}

function planDelete(
  part: ResourcePart,
  request: PlanRequest,
  around: Surroundings,
): Awaitable<PlanAnswer> {
  const { prior, proposed: planned, priorPrivate } = request;
  const kept = new PrivateState(priorPrivate);
  const { planDelete: look } = part.options;
  if (look === undefined) return { planned, requiresReplace: [], ...kept.answer };
  const doing = work(part, request.address, 'planning to delete', around);
  const answer = (): PlanAnswer => ({
    planned,
    requiresReplace: [],
    diagnostics: doing.findings.diagnostics,
    ...kept.answer,
  });
  const call = () =>
    look({
      ...context(doing, around, undefined),
      state: readObject(part, prior),
      private: kept.entries,
      setPrivate: kept.change,
      providerMeta: around.meta(request.providerMeta),
    });
  return handle(doing, call, answer, answer);
}

/** Reads an object as it is now. */
export function readResource(
  part: ResourcePart,
  request: ReadRequest,
  around: Surroundings,
): Awaitable<ReadAnswer> {
  const { prior, identity, capabilities } = request;
  const own = request.private !== undefined && isPrivateData(request.private);
  const kept = new PrivateState(own ? request.private : undefined);
  const same = identity && { identity };
  const { read } = part.options;
  const doing = work(part, request.address, 'reading', around);
  const { findings } = doing;
  const answer = (state: Value, more: object = {}): ReadAnswer => ({
    state,
    diagnostics: findings.diagnostics,
    ...kept.answer,
    ...same,
    ...more,
  });
  const putOff = ({ reason }: Deferral): ReadAnswer =>
    answer(prior, deferredAnswer(findings, reason, capabilities.deferralAllowed));
  if (around.deferral !== undefined) return putOff(around.deferral);
  if (read === undefined) return answer(prior);
  const call = () =>
    read({
      ...context(doing, around, undefined),
      state: readObject(part, prior),
      identity: identityOf(part, identity),
      get private() {
        return kept.entries;
      },
      setPrivate: kept.change,
      timeout: timeoutOf(part, 'read', prior),
      providerMeta: around.meta(request.providerMeta),
    });
  return handle(
    doing,
    call,
    (given) => {
      if (given instanceof Deferral) return putOff(given);
      if (given instanceof Gone) return answer(nullOf(part.type));
      const state = keepMeaning(part.object, prior, writeObject(part, given, prior));
      return answer(state, identityAnswer(part, state));
    },
    () => answer(prior),
  );
}

/** Creates, updates or deletes an object. */
export function applyResource(
  part: ResourcePart,
  request: ApplyRequest,
  around: Surroundings,
): Awaitable<ApplyAnswer> {
  const { prior, planned } = request;
  if (planned.isNull) return deleteObject(part, request, around);
  const create = prior.isNull;
  const handler = create ? part.options.create : part.options.update;
  const kept = new PrivateState(request.plannedPrivate);
  const doing = work(part, request.address, create ? 'creating' : 'updating', around);
  const { findings } = doing;
  const answer = (state: Value, more: object = {}): ApplyAnswer => ({
    state,
    diagnostics: findings.diagnostics,
    ...kept.answer,
    ...(request.plannedIdentity && { identity: request.plannedIdentity }),
    ...more,
  });
  const finish = (state: Value): ApplyAnswer => answer(state, identityAnswer(part, state));
  if (handler === undefined) return finish(planned);
  let saved: Value | undefined;
  const save = (soFar: unknown): void => {
    saved = unknownAsNull(changeObject(part, saved ?? planned, soFar));
  };
  let ended = false;
  const [plan, config] = [lazily(part, planned), lazily(part, request.config)];
  const call = () =>
    handler({
      ...context(doing, around, request.signal),
      get plan() {
        return plan();
      },
      get config() {
        return config();
      },
      get private() {
        return kept.entries;
      },
      ...(!create && {
        state: readObject(part, prior),
        identity: identityOf(part, request.plannedIdentity),
      }),
      isNew: create,
      setPrivate: kept.change,
      changed: (at: Place) => differ(part, prior, planned, at),
      save,
      timeout: timeoutOf(part, create ? 'create' : 'update', planned),
      providerMeta: around.meta(request.providerMeta),
    });
  return handle(
    doing,
    call,
    (given) => {
      ended = true;
      return finish(keepMeaning(part.object, planned, writeObject(part, given, planned)));
    },
    () => {
      // A handler that came to its end has done its work, even if its answer cannot be used.
      const state = saved ?? (ended ? unknownAsNull(planned) : prior);
      return answer(state);
    },
  );
}

function deleteObject(
  part: ResourcePart,
  request: ApplyRequest,
  around: Surroundings,
): Awaitable<ApplyAnswer> {
  const { prior } = request;
  const gone = nullOf(part.type);
  const remove = part.options.delete;
  if (remove === undefined) return { state: gone, diagnostics: [] };
  const doing = work(part, request.address, 'deleting', around);
  const { diagnostics } = doing.findings;
  const kept = new PrivateState(request.plannedPrivate);
  const failed = (): ApplyAnswer => ({
    state: prior,
    diagnostics,
    ...kept.answer,
    ...(request.plannedIdentity && { identity: request.plannedIdentity }),
  });
  const call = () =>
    remove({
      ...context(doing, around, request.signal),
      state: readObject(part, prior),
      identity: identityOf(part, request.plannedIdentity),
      private: kept.entries,
      timeout: timeoutOf(part, 'delete', prior),
      providerMeta: around.meta(request.providerMeta),
    });
  return handle(
    doing,
    call,
    () => (hasErrors(diagnostics) ? failed() : { state: gone, diagnostics }),
    failed,
  );
}

/** Takes an object that exists into the state. */
export function importResource(
  part: ResourcePart,
  request: ImportRequest,
  around: Surroundings,
): Awaitable<ImportAnswer> {
  const { id, identity } = request;
  const read = part.options.import;
  if (read === undefined) {
    const detail =
      'This resource does not support import. Please contact the provider developer for additional information.';
    return { imported: [], diagnostics: [error('Resource Import Not Implemented', detail)] };
  }
  const doing = work(part, request.address, 'importing', around);
  const { findings } = doing;
  const { diagnostics } = findings;
  const none = (): ImportAnswer => ({ imported: [], diagnostics });
  const putOff = ({ reason }: Deferral): ImportAnswer => ({
    ...none(),
    ...deferredAnswer(findings, reason, true),
  });
  if (around.deferral !== undefined) return putOff(around.deferral);
  const kept = new PrivateState(undefined);
  const given = identity === undefined || identity.isNull ? undefined : identity;
  const call = () =>
    read({
      ...context(doing, around, undefined),
      ...(given === undefined
        ? { id: id ?? '', identity: undefined }
        : { id: undefined, identity: identityOf(part, given) }),
      private: kept.entries,
      setPrivate: kept.change,
    });
  return handle(
    doing,
    call,
    (answer) => {
      if (answer instanceof Deferral) return putOff(answer);
      if (answer instanceof Gone) {
        const what = given === undefined ? `the ID ${id ?? ''}` : 'that identity';
        const detail = `There is no object of type ${part.name} with ${what}. Check it, and that the provider is configured for the account or region that holds the object.`;
        findings.error('Cannot import non-existent remote object', detail);
        return none();
      }
      if (hasErrors(diagnostics)) return none();
      const state = writeObject(part, answer, undefined);
      const object = { type: part.name, state, ...kept.answer, ...identityAnswer(part, state) };
      return { imported: [object], diagnostics };
    },
    none,
  );
}
