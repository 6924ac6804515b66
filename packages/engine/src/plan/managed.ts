import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { nullOf, unknownOf, type Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { type Awaitable, chain } from '@terrane/provider';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import type { WarningScope } from '../config/deprecations.ts';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { evaluateConditions } from '../evaluate/conditions.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import type { StoredObject } from '../state/model.ts';
import { isKeptInState } from '../objects/forgetting.ts';
import { type DeferredReason, identities, type PlannedChange } from '../objects/change.ts';
import { type Asked, planChange } from '../objects/plan-change.ts';
import { previousAddress } from '../objects/run.ts';
import {
  type LiveObject,
  nothing,
  refreshStored,
  type Subject,
  type Refreshed,
  upgradeStored,
  withSchemaMarks,
} from '../objects/stored.ts';
import { ephemeralProblems } from './ephemeral.ts';
import { importingOf, importObject } from './import.ts';
import { checkPreventDestroy } from './prevent-destroy.ts';
import { isReplaceTriggered } from './replace-triggers.ts';
import { deferTriggers, planTriggers } from './triggers.ts';
import { conditionSeverity, type PlanRun } from './run.ts';
import { settle, settleUncertain } from './uncertain.ts';

/** Returns the configuration without marks; undefined if it cannot be evaluated. */
function plainConfig(run: PlanRun, wanted: WantedInstance): Value | undefined {
  const { resource, schema, addr } = wanted;
  const problems: Diagnostic[] = [];
  const config = evaluateBody(
    resource.body,
    schema.block,
    scopeOf(run, wanted),
    addr.text,
    problems,
  );
  return hasErrors(problems) ? undefined : config.unmarkDeep().value;
}

/**
 * Plans an instance: upgrades the stored object, refreshes it, evaluates the configuration and decides. The result is
 * immediate if the provider responds synchronously.
 */
export function planManaged(
  run: PlanRun,
  target: WantedInstance,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  return new ManagedPlan(run, target, diagnostics).make();
}

/** The plan of one managed instance, in steps that each continue with the result of the one before. */
class ManagedPlan {
  readonly #run: PlanRun;
  readonly #target: WantedInstance;
  readonly #diagnostics: Diagnostic[];
  readonly #priorObject: StoredObject | undefined;
  readonly #stored: StoredObject | undefined;
  readonly #isUncertain: boolean;
  #deferredBy: DeferredReason | undefined;

  constructor(run: PlanRun, target: WantedInstance, diagnostics: Diagnostic[]) {
    this.#run = run;
    this.#target = target;
    this.#diagnostics = diagnostics;
    this.#priorObject = run.prior.instance(target.addr)?.current;
    this.#stored = this.#priorObject ?? run.uncertain.get(target.addr);
    this.#isUncertain = target.importing === undefined && run.uncertain.has(target.addr);
  }

  readonly #wait = (reason: DeferredReason): void => {
    this.#deferredBy ??= reason;
  };

  make(): Awaitable<void> {
    const stored = this.#stored;
    if (stored === undefined) return this.#find(undefined);
    return chain(upgradeStored(this.#target, stored, this.#diagnostics), (upgraded) =>
      upgraded === undefined ? undefined : this.#find(upgraded),
    );
  }

  /** Continues with the upgraded object, or with the one that is imported. */
  #find(upgraded: LiveObject | undefined): Awaitable<void> {
    const { importing, generated } = this.#target;
    if (importing === undefined) return this.#refresh(upgraded);
    if (generated !== undefined) return this.#refresh(generated.object);
    const run = this.#run;
    const target = this.#target;
    const reading = importObject(run, target, importing, this.#diagnostics, this.#wait, () =>
      plainConfig(run, target),
    );
    return chain(reading, (imported) =>
      imported === undefined && this.#deferredBy === undefined
        ? undefined
        : this.#refresh(imported),
    );
  }

  #refresh(existing: LiveObject | undefined): Awaitable<void> {
    const run = this.#run;
    const target = this.#target;
    const before = existing === undefined ? undefined : withLifecycle(existing, target);
    const planning = planUnseen(run, target, this.#stored, before, this.#diagnostics);
    if (planning === undefined) return this.#see(existing, before, undefined);
    return chain(planning, (early) =>
      early === 'failed' ? undefined : this.#see(existing, before, early),
    );
  }

  /** Continues with the remote object; `early` is the plan of one that is not refreshed. */
  #see(
    existing: LiveObject | undefined,
    before: LiveObject | undefined,
    early: Unseen | undefined,
  ): Awaitable<void> {
    if (early?.deferredBy !== undefined) this.#wait(early.deferredBy);
    const target = this.#target;
    // An imported object has just been read.
    if (before === undefined || early !== undefined || target.importing !== undefined)
      return this.#plan(existing, before, early?.change, { object: before, failed: false });
    const refreshing = refreshObject(this.#run, target, before, this.#diagnostics, this.#wait);
    return chain(refreshing, (seen) =>
      seen.failed ? undefined : this.#plan(existing, before, undefined, seen),
    );
  }

  /** Plans the object as it was seen; `early` is the change of one that was not refreshed. */
  #plan(
    existing: LiveObject | undefined,
    before: LiveObject | undefined,
    early: PlannedChange | undefined,
    { object: current, remainingPrivate }: Refreshed,
  ): Awaitable<void> {
    const run = this.#run;
    const target = this.#target;
    const diagnostics = this.#diagnostics;
    this.#recordSeen(existing, before, current);
    if (run.choices.mode === 'refresh-only') {
      return chain(checkRefreshed(run, target, current, diagnostics), () => {
        if (this.#deferredBy !== undefined && before !== undefined && current !== undefined)
          run.deferrals.add(deferredRefresh(target, before, current), this.#deferredBy);
      });
    }
    if (early !== undefined) return this.#record(early, current);
    const isLeft = remainingPrivate !== undefined && before?.stored.status !== 'tainted';
    const remembering = isLeft ? { ...target, remainingPrivate } : target;
    const planning = planInstance(run, remembering, current, diagnostics, this.#wait);
    return chain(planning, (planned) => {
      if (planned !== undefined) return this.#record(planned, current);
      recordGenerated(run, target);
      return undefined;
    });
  }

  /** Records the prior state, drift and whether the object was refreshed. */
  #recordSeen(
    existing: LiveObject | undefined,
    before: LiveObject | undefined,
    current: LiveObject | undefined,
  ): void {
    const run = this.#run;
    const target = this.#target;
    const isUncertain = this.#isUncertain;
    const isDeferred = this.#deferredBy !== undefined;
    const { addr, importing } = target;
    // An object that is being imported is already identified.
    if (importing !== undefined && current !== undefined && run.open.has(addr)) settle(run, addr);
    if (!isDeferred) {
      if (isUncertain || current?.stored !== before?.stored || before?.stored !== existing?.stored)
        run.refreshed.add(addr);
      // An uncertain object was not part of the previous state, so it cannot have drifted.
      if (!isUncertain) recordDrift(run, target, before, current);
    }
    if ((importing === undefined || !isDeferred) && !run.uncertain.has(addr))
      recordPrior(run, addr, this.#priorObject, current?.stored);
  }

  /** Records the change, or defers it, and checks it. */
  #record(planned: PlannedChange, current: LiveObject | undefined): Awaitable<void> {
    const run = this.#run;
    const target = this.#target;
    const { importing } = target;
    const change =
      importing === undefined
        ? planned
        : { ...planned, importing: importingOf(importing, current), ...generatedPart(target) };
    if (target.mayBeImported) this.#wait('resource_config_unknown');
    if (run.deferrals.holdsBack(target.dependencies)) this.#wait('deferred_prereq');
    const reason = this.#deferredBy;
    if (reason === undefined) {
      const priorText = this.#priorObject?.attributesJson;
      const isStored = current?.stored.attributesJson === priorText;
      recordChange(run, target, change, isStored ? priorText : undefined);
      return checkChange(run, target, change, current, this.#diagnostics);
    }
    setPlanned(target, change);
    const repetition = repetitionOf(target.cell.expansion, target.key);
    run.deferrals.add(change, reason);
    deferTriggers(run, { ...target, repetition }, change);
  }
}

/** Makes the planned value of an instance visible to references. */
function setPlanned({ cell, key, schema }: WantedInstance, change: PlannedChange): void {
  cell.set(key, withSchemaMarks(change.after, schema));
}

/**
 * Records a change that is not deferred, and the planned value of the instance. `priorText` is the text of the object in
 * the prior state.
 */
function recordChange(
  run: PlanRun,
  target: WantedInstance,
  change: PlannedChange,
  priorText: string | undefined,
): void {
  const { addr, cell, schema } = target;
  const { unchanged, changes } = run;
  changes.set(addr, unchanged.retain(target.resource, change, priorText));
  if (!unchanged.isReadFromChanges(target.resource)) {
    setPlanned(target, change);
    return;
  }
  // One source serves all instances.
  if (cell.hasSource) return;
  const { resource } = addr;
  cell.setSource((key) => {
    const recorded = changes.get(resource.instance(key));
    return recorded === undefined ? undefined : withSchemaMarks(recorded.after, schema);
  });
}

/** Checks a change that is not deferred, and plans the actions that it triggers. */
function checkChange(
  run: PlanRun,
  target: WantedInstance,
  change: PlannedChange,
  current: LiveObject | undefined,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  return chain(checkPreventDestroy(run, target, change, diagnostics), () =>
    checkRecorded(run, target, change, current, diagnostics),
  );
}

/** Checks the postconditions of a change that is permitted, and plans the actions that it triggers. */
function checkRecorded(
  run: PlanRun,
  target: WantedInstance,
  change: PlannedChange,
  current: LiveObject | undefined,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  if (change.action === 'no-op' && current !== undefined) {
    recordPrior(
      run,
      target.addr,
      current.stored,
      withDependencies(current.stored, target.dependencies()),
    );
  }
  const checking = checkPostconditions(run, target, change.after, diagnostics);
  if (target.resource.actionTriggers.length === 0 || run.choices.beforeDestroy) return checking;
  return chain(checking, () => planTriggered(run, target, change, diagnostics));
}

/** Plans the actions that a change triggers. */
async function planTriggered(
  run: PlanRun,
  target: WantedInstance,
  change: PlannedChange,
  diagnostics: Diagnostic[],
): Promise<void> {
  const repetition = repetitionOf(target.cell.expansion, target.key);
  const outcome = await planTriggers(run, { ...target, repetition }, change, diagnostics);
  if (outcome !== 'deferred') return;
  // The two changes are only possible together.
  run.changes.delete(target.addr);
  run.deferrals.add(change, 'absent_prereq');
  deferTriggers(run, { ...target, repetition }, change);
}

/** The plan for an object without a refresh, because nothing changes. */
interface Unseen {
  readonly change: PlannedChange;
  readonly deferredBy: DeferredReason | undefined;
}

/**
 * Plans with the stored object before any refresh, for runs that refresh only objects with changes. Undefined if the
 * object must be refreshed after all.
 */
function planUnseen(
  run: PlanRun,
  wanted: WantedInstance,
  stored: StoredObject | undefined,
  before: LiveObject | undefined,
  diagnostics: Diagnostic[],
): Awaitable<Unseen | 'failed' | undefined> {
  const { refresh, mode } = run.choices;
  const { minimalRefresh = false } = run.options;
  if (run.uncertain.has(wanted.addr)) return undefined;
  if (!minimalRefresh || !refresh || mode !== 'normal' || wanted.importing !== undefined)
    return undefined;
  if (before === undefined || stored?.schemaVersion !== wanted.schema.version) return undefined;
  const problems: Diagnostic[] = [];
  let deferredBy: DeferredReason | undefined;
  const planning = planInstance(run, wanted, before, problems, (reason) => {
    deferredBy ??= reason;
  });
  return chain(planning, (change) => {
    if (change !== undefined && change.action !== 'no-op') return undefined;
    diagnostics.push(...problems);
    return change === undefined ? 'failed' : { change, deferredBy };
  });
}

/** Returns the displayed change of an object whose refresh the provider deferred. */
export function deferredRefresh(
  { addr, providerAddr, schema }: Pick<WantedInstance, 'addr' | 'providerAddr' | 'schema'>,
  before: LiveObject,
  after: LiveObject,
): PlannedChange {
  return {
    addr,
    previousAddr: addr,
    provider: providerAddr,
    action: 'read',
    before: before.value,
    after: after.value,
    schemaVersion: schema.version,
    requiredReplace: [],
  };
}

/** Keeps a generated configuration even if it is not valid for a plan. */
function recordGenerated(run: PlanRun, wanted: WantedInstance): void {
  if (wanted.generated === undefined) return;
  const { addr, schema, providerAddr, generated } = wanted;
  const { value } = generated.object;
  run.changes.set(addr, {
    addr,
    previousAddr: addr,
    provider: providerAddr,
    action: 'no-op',
    before: value,
    after: value,
    schemaVersion: schema.version,
    requiredReplace: [],
    ...generatedPart(wanted),
  });
}

function generatedPart({ generated }: WantedInstance): Pick<PlannedChange, 'generatedConfig'> {
  return generated === undefined ? {} : { generatedConfig: generated.config };
}

function refreshObject(
  run: PlanRun,
  wanted: WantedInstance,
  before: LiveObject,
  diagnostics: Diagnostic[],
  wait: (reason: DeferredReason) => void,
): Awaitable<Refreshed> {
  const isUncertain = run.uncertain.has(wanted.addr);
  if (!run.choices.refresh && !isUncertain) return { object: before, failed: false };
  return refreshExisting(run, wanted, { before, isUncertain }, diagnostics, wait);
}

function refreshExisting(
  run: PlanRun,
  wanted: WantedInstance,
  { before, isUncertain }: { readonly before: LiveObject; readonly isUncertain: boolean },
  diagnostics: Diagnostic[],
  wait: (reason: DeferredReason) => void,
): Awaitable<Refreshed> {
  const refreshing: Awaitable<Refreshed> = isUncertain
    ? settleUncertain(run, wanted, before, diagnostics)
    : refreshStored(run, wanted, before, diagnostics);
  return chain(refreshing, (outcome) => {
    const { object, failed, deferred } = outcome;
    if (failed) return outcome;
    if (deferred !== undefined) {
      wait(deferred);
      return outcome;
    }
    if (object === undefined) return outcome;
    const merged = mergeSorted(wanted.dependencies(), object.stored.dependencies);
    const stored = withDependencies(object.stored, merged);
    return stored === object.stored ? outcome : { object: { ...object, stored }, failed };
  });
}

/** Returns the object with the state's `lifecycle` settings and provider address updated from the configuration. */
function withLifecycle(live: LiveObject, wanted: WantedInstance): LiveObject {
  const { createBeforeDestroy, providerAddr: provider } = wanted;
  const before = live.stored;
  const skipDestroy = isKeptInState(wanted.resource);
  const isSame =
    before.createBeforeDestroy === createBeforeDestroy &&
    (before.skipDestroy ?? false) === skipDestroy &&
    before.provider === provider;
  if (isSame) return live;
  const { skipDestroy: _, ...stored } = before;
  return {
    ...live,
    stored: { ...stored, provider, createBeforeDestroy, ...(skipDestroy ? { skipDestroy } : {}) },
  };
}

/** The object with other dependencies; the same object where they are the same. */
function withDependencies(stored: StoredObject, dependencies: readonly string[]): StoredObject {
  return haveSameTexts(stored.dependencies, dependencies) ? stored : { ...stored, dependencies };
}

function mergeSorted(a: readonly string[], b: readonly string[]): readonly string[] {
  if (haveSameTexts(a, b)) return a;
  const merged = new Set([...a, ...b]);
  return merged.size === a.length ? a : [...merged].sort();
}

function haveSameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}

/** Records the changes of a stored object by upgrade and refresh. */
export function recordPrior(
  run: PlanRun,
  addr: InstanceAddr,
  before: StoredObject | undefined,
  after: StoredObject | undefined,
): void {
  if (before === after) return;
  if (after === undefined) run.adopt({ kind: 'drop', addr });
  else run.adopt({ kind: 'put', addr, object: after });
}

/** Records the difference between the stored and the remote object, and a moved instance. */
export function recordDrift(
  run: PlanRun,
  subject: Subject & { readonly providerAddr: ProviderConfigAddr },
  before: LiveObject | undefined,
  after: LiveObject | undefined,
): void {
  // A state may contain an object without a value.
  if (before === undefined || before.value.isNull) return;
  const previous = previousAddress(run, subject.addr);
  const moved = previous !== subject.addr;
  const same =
    before.value === after?.value || (after !== undefined && before.value.rawEquals(after.value));
  if (same && !moved) return;
  run.drift.push({
    addr: subject.addr,
    previousAddr: previous,
    provider: subject.providerAddr,
    action: after === undefined ? 'delete' : same ? 'no-op' : 'update',
    before: before.value,
    after: after?.value ?? nullOf(before.value.type),
    schemaVersion: subject.schema.version,
    requiredReplace: [],
    ...identities(before.identity, after?.identity),
  });
}

async function checkRefreshed(
  run: PlanRun,
  wanted: WantedInstance,
  current: LiveObject | undefined,
  diagnostics: Diagnostic[],
): Promise<void> {
  // A missing object is expected if another object is being imported.
  const coming =
    run.choices.adoption === undefined ? undefined : unknownOf(nothing(wanted.schema).type);
  const value = current?.value ?? coming;
  if (value !== undefined) wanted.cell.set(wanted.key, value);
  await run.evaluation.evaluate(diagnostics, (pass) =>
    checkPreconditions(run, wanted, scopeOf(run, wanted), pass),
  );
  if (current !== undefined) await checkPostconditions(run, wanted, current.value, diagnostics);
}

function scopeOf(run: PlanRun, wanted: WantedInstance, self?: Value): WarningScope {
  return run.evaluation.scope(wanted.cells, repetitionOf(wanted.cell.expansion, wanted.key), self);
}

function checkPreconditions(
  run: PlanRun,
  wanted: WantedInstance,
  scope: WarningScope,
  pass: EvaluationPass,
): void {
  const rules = wanted.resource.preconditions;
  if (rules.length === 0) return;
  const checked = {
    configAddr: wanted.addr.config.text,
    address: wanted.addr.text,
    book: run.evaluation.checks,
  };
  evaluateConditions('precondition', rules, checked, scope, conditionSeverity(run.choices), pass);
}

function checkPostconditions(
  run: PlanRun,
  wanted: WantedInstance,
  self: Value,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const rules = wanted.resource.postconditions;
  if (rules.length === 0) return;
  const checked = {
    configAddr: wanted.addr.config.text,
    address: wanted.addr.text,
    book: run.evaluation.checks,
  };
  return run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateConditions(
      'postcondition',
      rules,
      checked,
      scopeOf(run, wanted, self),
      conditionSeverity(run.choices),
      pass,
    ),
  );
}

function planInstance(
  run: PlanRun,
  wanted: WantedInstance,
  current: LiveObject | undefined,
  diagnostics: Diagnostic[],
  wait: (reason: DeferredReason) => void,
): Awaitable<PlannedChange | undefined> {
  const settling = run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateChange(run, wanted, pass),
  );
  return chain(settling, (inputs) => {
    if (inputs === undefined) return undefined;
    const planning = planChange(run, wanted, current, inputs, diagnostics, wait);
    if (!inputs.triggered) return planning;
    return chain(planning, (change) =>
      change === undefined ? undefined : { ...change, reason: 'replace_by_triggers' },
    );
  });
}

/** Evaluates the configuration of an instance and its conditions. Undefined after errors. */
function evaluateChange(
  run: PlanRun,
  wanted: WantedInstance,
  pass: EvaluationPass,
): (Asked & { readonly triggered: boolean }) | undefined {
  const { diagnostics } = pass;
  const repetition = repetitionOf(wanted.cell.expansion, wanted.key);
  const scope = run.evaluation.scope(wanted.cells, repetition);
  const { replaceTriggeredBy } = wanted.resource;
  const triggered = isReplaceTriggered(
    replaceTriggeredBy,
    wanted.cells,
    repetition,
    run,
    diagnostics,
  );
  if (hasErrors(diagnostics)) return undefined;
  checkPreconditions(run, wanted, scope, pass);
  if (hasErrors(diagnostics)) return undefined;
  const config = evaluateBody(
    wanted.resource.body,
    wanted.schema.block,
    scope,
    wanted.addr.text,
    diagnostics,
  );
  if (hasErrors(diagnostics)) return undefined;
  const problems = ephemeralProblems(
    config,
    wanted.schema.block,
    wanted.resource.body,
    wanted.addr.text,
  );
  diagnostics.push(...problems);
  if (problems.length > 0) return undefined;
  const { createBeforeDestroy } = wanted;
  const { replace } = run.choices;
  const forced = triggered || (replace.size > 0 && replace.has(wanted.addr.text));
  return { config, createBeforeDestroy, forced, triggered };
}
