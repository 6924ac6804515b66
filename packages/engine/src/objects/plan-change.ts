import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { quoteText, type Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import {
  type Answer,
  type Awaitable,
  chain,
  chainWith,
  type PlanAnswer,
  type PlanResourceRequest,
  proposedNew,
  unknownIdentity,
  writeOnlyPaths,
} from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES } from '../session/provider-sessions.ts';
import { decideAction, type Decision, isReplace, requiredReplacements } from './decide.ts';
import { leavesObjects, replaceAndForget } from './forgetting.ts';
import { ignoreChanges } from './ignore-changes.ts';
import { type DeferredReason, identities, type PlannedChange } from './change.ts';
import type { ObjectRun } from './run.ts';
import {
  isRefused,
  type LiveObject,
  nothing,
  type Subject,
  whereabouts,
  withSchemaMarks,
} from './stored.ts';

/** An instance whose change is planned. */
export interface ChangingInstance extends Subject {
  readonly resource: Resource;
  readonly providerAddr: ProviderConfigAddr;
  /** Private data of a deleted object, which is passed to the provider when it plans a new one. */
  readonly remainingPrivate?: Uint8Array;
}

/** The inputs of a planned change except the prior object. */
export interface Asked {
  readonly config: Value;
  readonly createBeforeDestroy: boolean;
  readonly forced: boolean;
  /** private data of the first plan, if this is the second */
  readonly plannedPrivate?: Uint8Array;
}

type Capabilities = ObjectRun['capabilities'];
type MarkedPaths = ReturnType<Value['unmarkDeepWithPaths']>['paths'];

/** The planned result of an instance. */
interface Outcome {
  readonly after: Value;
  readonly private: Uint8Array | undefined;
  readonly identity: Value | undefined;
}

/**
 * Plans the new object of a replacement: repeats the request without a prior object and without ignored changes.
 * Returns undefined after errors.
 */
async function planReplacement(
  wanted: ChangingInstance,
  capabilities: Capabilities,
  config: Value,
  first: PlanAnswer,
  diagnostics: Diagnostic[],
): Promise<PlanAnswer | undefined> {
  const { provider, schema } = wanted;
  const request = planRequest(wanted, capabilities, nothing(schema), config);
  carryOver(request, first.private, first.identity);
  request.replacing = true;
  const second = await provider.planResourceChange(request);
  const problems = diagnosticsOf(second.diagnostics, whereabouts(wanted));
  if (!hasErrors(problems)) return second;
  diagnostics.push(...problems);
  return undefined;
}

/**
 * Requests a plan from the provider and decides the action. Called at plan time, and again with more known values
 * before the change is applied. Undefined after errors. `wait` is called if the provider defers the change to a later
 * plan.
 */
export function planChange(
  run: Pick<ObjectRun, 'previousAddresses'> & Partial<Pick<ObjectRun, 'capabilities'>>,
  wanted: ChangingInstance,
  current: LiveObject | undefined,
  inputs: Asked,
  diagnostics: Diagnostic[],
  wait: Wait = neverWait,
): Awaitable<PlannedChange | undefined> {
  const { addr, schema, provider } = wanted;
  const { capabilities = CAPABILITIES } = run;
  const isTainted = current?.stored.status === 'tainted';
  // A tainted object is planned as if it did not exist.
  const liveObject = isTainted ? undefined : current;
  const prior = liveObject === undefined ? nothing(schema) : liveObject.value;
  const original = inputs.config.unmarkDeep().value;
  const basis: Basis = {
    wanted,
    current,
    inputs,
    capabilities,
    previousAddr: run.previousAddresses.get(addr) ?? addr,
    isTainted,
    prior,
    plainPrior: prior.unmarkDeep().value,
    original,
    diagnostics,
    wait,
    marks: NO_MARKS,
  };
  const { type } = addr.resource.resource;
  const question = { type, config: original, capabilities, address: addr.text };
  return chainWith(provider.validateResourceConfig(question), basis, planValidated);
}

type Wait = (reason: DeferredReason) => void;

function neverWait(): void {}

const NO_MARKS: MarkedPaths = [];

/** The inputs of one change, which all parts of its plan use. */
interface Basis {
  readonly wanted: ChangingInstance;
  readonly current: LiveObject | undefined;
  readonly inputs: Asked;
  readonly capabilities: Capabilities;
  readonly previousAddr: InstanceAddr;
  readonly isTainted: boolean;
  /** the prior object; null for a tainted one */
  readonly prior: Value;
  /** the prior object without marks */
  readonly plainPrior: Value;
  /** the configuration without marks, before `ignore_changes` is applied */
  readonly original: Value;
  readonly diagnostics: Diagnostic[];
  readonly wait: Wait;
  /** the marks of the configuration that its object retains, once `ignore_changes` is applied */
  marks: MarkedPaths;
}

/** Requests the plan of a valid configuration. */
function planValidated(basis: Basis, validation: Answer): Awaitable<PlannedChange | undefined> {
  const { wanted, current, inputs, capabilities, isTainted, prior, plainPrior } = basis;
  if (isRefused(validation, wanted, basis.diagnostics)) return undefined;
  const { provider, resource, schema } = wanted;
  const heeded = ignoreChanges(resource, prior, inputs.config, schema.block);
  const { value: config, paths } = heeded.unmarkDeepWithPaths();
  const privateData = isTainted ? undefined : (current?.stored.private ?? wanted.remainingPrivate);
  const request = planRequest(wanted, capabilities, plainPrior, config);
  carryOver(request, privateData, isTainted ? undefined : current?.identity);
  if (inputs.plannedPrivate !== undefined) request.plannedPrivate = inputs.plannedPrivate;
  basis.marks = lastingMarks(paths);
  return chainWith(provider.planResourceChange(request), basis, decideChange);
}

/** Decides the action by the planned object, and plans the new object of a replacement. */
function decideChange(basis: Basis, response: PlanAnswer): Awaitable<PlannedChange | undefined> {
  const { wanted, inputs, plainPrior, diagnostics, marks } = basis;
  if (isRefused(response, wanted, diagnostics)) return undefined;
  if (response.deferred !== undefined) basis.wait(response.deferred.reason);
  const planned =
    response.legacyTypeSystem === true
      ? ignoreChanges(wanted.resource, plainPrior, response.planned, undefined)
      : response.planned;
  const requiredReplace = replacedPaths(wanted, response, plainPrior, planned, diagnostics);
  if (requiredReplace === undefined) return undefined;
  const { forced, createBeforeDestroy } = inputs;
  const evidence = { prior: plainPrior, planned, createBeforeDestroy, forced, requiredReplace };
  const first = decideAction(evidence);
  if (isIdentityOpen(wanted, response, first, diagnostics)) return undefined;
  if (!isReplace(first.action)) {
    return changeOf(basis, first, requiredReplace, {
      after: withSchemaMarks(planned.markWithPaths(marks), wanted.schema),
      private: response.private,
      identity: response.identity,
    });
  }
  const { capabilities, original } = basis;
  const planning = planReplacement(wanted, capabilities, original, response, diagnostics);
  return chain(planning, (second) => {
    if (second === undefined) return undefined;
    if (second.deferred !== undefined) basis.wait(second.deferred.reason);
    return changeOf(basis, first, requiredReplace, replacement(second, inputs.config, marks));
  });
}

function changeOf(
  { wanted, current, inputs, previousAddr, isTainted, prior }: Basis,
  first: Decision,
  requiredReplace: PlannedChange['requiredReplace'],
  outcome: Outcome,
): PlannedChange {
  const before = isTainted && current !== undefined ? current.value : prior;
  const isUnchanged = first.action === 'no-op' && sameMarks(outcome.after, prior);
  const decision = finalDecision(first, wanted, inputs, isTainted, isUnchanged);
  const after = decision.action === 'no-op' ? before : outcome.after;
  // A literal without a spread has no properties outside of the object: a plan holds one for each instance.
  const change: PlannedChange = {
    addr: wanted.addr,
    previousAddr,
    provider: wanted.providerAddr,
    action: decision.action,
    before,
    after: before.rawEquals(after) ? before : after,
    schemaVersion: wanted.schema.version,
    requiredReplace,
  };
  const { reason } = decision;
  const { private: plannedPrivate, identity } = outcome;
  const isPlain =
    reason === undefined &&
    plannedPrivate === undefined &&
    identity === undefined &&
    current?.identity === undefined;
  if (isPlain) return change;
  return {
    ...change,
    ...(reason === undefined ? {} : { reason }),
    ...(plannedPrivate === undefined ? {} : { private: plannedPrivate }),
    ...identities(current?.identity, identity),
  };
}

/** A request that is being built, by assignments: spreads of its optional parts would cost as much as the rest. */
type NewRequest = { -readonly [K in keyof PlanResourceRequest]: PlanResourceRequest[K] };

/** Builds the plan request for a change from a prior object, or null, to a configuration. */
function planRequest(
  wanted: ChangingInstance,
  capabilities: Capabilities,
  prior: Value,
  config: Value,
): NewRequest {
  const { addr, schema, providerMeta } = wanted;
  const request: NewRequest = {
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    proposed: proposedNew(schema.block, prior, config),
    config,
    capabilities,
  };
  if (providerMeta !== undefined) request.providerMeta = providerMeta;
  return request;
}

/** Adds private data and the identity of the prior object to a request. */
function carryOver(
  request: NewRequest,
  privateData: Uint8Array | undefined,
  identity: Value | undefined,
): void {
  if (privateData !== undefined) request.priorPrivate = privateData;
  if (identity !== undefined) request.priorIdentity = identity;
}

/** Most changes have none, and a plan retains the list of each. */
const NO_PATHS: PlannedChange['requiredReplace'] = [];

/** Returns the paths that require a replacement; undefined after errors. */
function replacedPaths(
  { addr, schema, providerAddr }: ChangingInstance,
  { requiresReplace }: PlanAnswer,
  prior: Value,
  planned: Value,
  diagnostics: Diagnostic[],
): PlannedChange['requiredReplace'] | undefined {
  if (requiresReplace.length === 0) return NO_PATHS;
  const ignoredDiagnostics: Diagnostic[] = [];
  const paths = requiredReplacements(
    requiresReplace,
    prior,
    planned,
    writeOnlyPaths(schema.block, planned),
    { provider: providerAddr.provider.text, address: addr.text },
    ignoredDiagnostics,
  );
  diagnostics.push(...ignoredDiagnostics);
  if (ignoredDiagnostics.length > 0) return undefined;
  return paths.length === 0 ? NO_PATHS : paths;
}

/**
 * Reports an identity with unknown parts for an existing object, which is a defect of the provider. Returns true if it
 * reported one.
 */
function isIdentityOpen(
  wanted: ChangingInstance,
  { identity }: PlanAnswer,
  { action }: Decision,
  diagnostics: Diagnostic[],
): boolean {
  const isNew = action === 'create' || isReplace(action);
  if (identity === undefined || isNew || identity.isWhollyKnown()) return false;
  const { addr, providerAddr } = wanted;
  const fault = unknownIdentity(quoteText(providerAddr.provider.text), addr.text);
  diagnostics.push(...diagnosticsOf([fault], whereabouts(wanted)));
  return true;
}

/**
 * Returns the new object of a replacement. As in Terraform's plans, attributes that are sensitive in the schema are not
 * marked in it. Marks of the configuration are, also for attributes in `ignore_changes`, which does not apply to a
 * replacement.
 */
function replacement(response: PlanAnswer, config: Value, marks: MarkedPaths): Outcome {
  const writtenMarks = lastingMarks(config.unmarkDeepWithPaths().paths);
  return {
    after: response.planned.markWithPaths([...marks, ...writtenMarks]),
    private: response.private,
    identity: response.identity,
  };
}

/** Returns the final action and reason. `isUnchanged` means that values and marks stay the same. */
function finalDecision(
  first: Decision,
  { resource }: ChangingInstance,
  { createBeforeDestroy }: Asked,
  isTainted: boolean,
  isUnchanged: boolean,
): Decision {
  const { action } = first;
  if (action === 'no-op') return { action: isUnchanged ? 'no-op' : 'update' };
  const replaced: Decision =
    action === 'create' && isTainted
      ? {
          action: createBeforeDestroy ? 'create-then-delete' : 'delete-then-create',
          reason: 'replace_because_tainted',
        }
      : first;
  return isReplace(replaced.action) && leavesObjects(resource)
    ? { ...replaced, action: replaceAndForget(resource) }
    : replaced;
}

/** Returns the marks of a configuration that its object retains: all except ephemeral ones. */
function lastingMarks(paths: MarkedPaths): MarkedPaths {
  if (paths.length === 0) return paths;
  return paths.map(({ path, marks }) => ({ path, marks: withoutEphemeral(marks) }));
}

function withoutEphemeral(marks: Value['marks']): Value['marks'] {
  if (!marks.has('ephemeral')) return marks;
  return new Set([...marks].filter((mark) => mark !== 'ephemeral'));
}

/** Returns true if two equal values have the same marks at the same paths. */
function sameMarks(a: Value, b: Value): boolean {
  if (!a.containsMarked() && !b.containsMarked()) return true;
  return a.rawEquals(b);
}
