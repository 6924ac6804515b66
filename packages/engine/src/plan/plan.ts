import {
  type AbsResource,
  compareInstances,
  type InstanceAddr,
  UNKNOWN_KEY,
} from '@terrane/addresses';
import { type FunctionSpec, str, type Value } from '@terrane/cty';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { createPool } from '@terrane/host';
import { type Awaitable, chain } from '@terrane/provider';
import { expandAction } from '../evaluate/action-config.ts';
import { drive, type NodeOutcome, evaluateExpressions } from '../evaluate/driver.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import { FunctionResults } from '../evaluate/function-results.ts';
import { inspectedRun } from '../evaluate/inspected-run.ts';
import { importsByResource } from '../evaluate/imports.ts';
import { evaluateCheck, evaluateNamed, type NamedSettings } from '../evaluate/named-values.ts';
import type { CallNode, ProgramNode, ResourceNode } from '../evaluate/node.ts';
import { buildProgram, type Program } from '../evaluate/program.ts';
import { declareProvider, withProviders } from '../evaluate/provider-node.ts';
import { type ConfigurationsOf, configurationsUsed } from '../evaluate/provider-users.ts';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { closeSessions } from '../session/close-sessions.ts';
import { Ephemerals } from '../session/ephemerals.ts';
import { haltSignal } from '../session/halt-signal.ts';
import { heedInterrupts } from '../session/heed-interrupts.ts';
import {
  CAPABILITIES,
  DEFERRING_CAPABILITIES,
  ProviderSessions,
} from '../session/provider-sessions.ts';
import { SessionGate } from '../session/session-gate.ts';
import { StateDraft } from '../state/draft.ts';
import type { StateEvent } from '../state/event.ts';
import { InstanceMap } from '../state/instance-map.ts';
import type { DeposedKey, State, StoredObject } from '../state/model.ts';
import type { PlannedChange } from '../objects/change.ts';
import { Deferrals } from '../objects/deferral.ts';
import { configAddr, createBeforeDestroyNodes, DependencyIndex } from '../evaluate/dependencies.ts';
import type { QueryResult } from '../objects/event.ts';
import { schemaOf } from '../objects/schema-of.ts';
import { isApplyable } from './applyable.ts';
import { planDestroy } from './destroy.ts';
import { excludingOf } from './excludes.ts';
import { forgottenWarning } from './forgotten.ts';
import { nodesOfGenerated, planGenerated } from './generated.ts';
import { undeclaredImports } from './import.ts';
import { invocationNodes, planInvoke, undeclaredInvoke } from './invoke.ts';
import type { Plan } from './model.ts';
import { applyMoves, type Moves } from './moves.ts';
import { takeOverMoved } from './moved-types.ts';
import { missingOrphanProviders } from './orphan-providers.ts';
import { LeavingUses } from './leaving-uses.ts';
import { planOrphans } from './orphans.ts';
import {
  excludedMoveProblems,
  moveProblems,
  removedProblems,
  targetedMoveProblems,
} from './refactoring-problems.ts';
import { contradictoryOptions, targetWarning } from './options-problems.ts';
import { compareInvocations, sortChanges, sortDeferred, sortInvocations } from './order.ts';
import { outputChanges, recordOutputs, removedOutputs } from './outputs.ts';
import { planResource } from './resource.ts';
import { conditionSeverity, type PlanChoices, type PlanRun } from './run.ts';
import type { PlanInput } from './settings.ts';
import type { Step } from './step.ts';
import { planSteps, type StepSources } from './steps.ts';
import { relevantAttributes } from './relevant.ts';
import { UnchangedObjects } from './unchanged-objects.ts';
import { unmatchedAddresses } from './unmatched-addresses.ts';
import { providersOfOrphans, queriedOf, type Targeting, targetingOf } from './targets.ts';
import {
  separateUncertain,
  type SeparatedMoves,
  type UncertainObjects,
  withUncertain,
} from './uncertain.ts';

/** A plan, complete or up to its errors, and the diagnostics. */
export interface Planned {
  /** Undefined if there is nothing to show. */
  readonly plan?: Plan;
  /** The evaluation of the configuration, if it was walked. */
  readonly evaluation?: Evaluation;
  /** The results of `list` blocks, by address. */
  readonly queries?: readonly QueryResult[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides the changes that make the infrastructure match a configuration. Changes nothing. */
export async function makePlan(request: PlanInput): Promise<Planned> {
  await loadFunctionLibraries(request.configuration.sources.values());
  const { program, diagnostics } = buildProgram(request.configuration, request.schemas);
  if (program === undefined) return { diagnostics };
  const contradictory = contradictoryOptions(request);
  if (contradictory !== undefined) return { diagnostics: [contradictory] };
  const planned = await planProgram(request, program);
  return { ...planned, diagnostics: [...targetWarning(request), ...planned.diagnostics] };
}

async function planProgram(input: PlanInput, program: Program): Promise<Planned> {
  const { request, initial } = withInitialEvents(input);
  // A destroy plan may not use a variable, but its value must be valid nevertheless.
  const unsuitable =
    request.mode === 'destroy' ? [...(request.unsuitable?.values() ?? [])].flat() : [];
  if (unsuitable.length > 0) return { diagnostics: unsuitable };
  const moves = await movedState(request);
  const separated = separateUncertain(
    { ...moves, events: [...initial, ...moves.events] },
    request.state,
    request.interrupted ?? [],
  );
  const { moves: moved } = separated;
  const leftOut = [
    ...targetedMoveProblems(moved.previous, request.targets),
    ...excludedMoveProblems(moved.previous, request.excludes ?? []),
  ];
  if (leftOut.length > 0) return { diagnostics: leftOut };
  if (hasErrors(moved.diagnostics) && moved.previous.size > 0)
    return { diagnostics: moved.diagnostics };
  const removed = request.mode === 'normal' ? removedProblems(request.configuration) : [];
  if (removed.length > 0) return { diagnostics: removed };
  const planner = new Planner(request, program, separated, request.now());
  const planned = await planner.inspected(planner.withUnmatched(await planner.plan()));
  // An invalid statement is the likely cause of other errors.
  const contradictions = planner.moveProblems();
  if (contradictions.length > 0) return { diagnostics: contradictions };
  const { diagnostics: blocked } = moved;
  if (hasErrors(blocked)) return { diagnostics: blocked };
  const isWarned = blocked.length > 0 && !hasErrors(planned.diagnostics);
  return isWarned ? { ...planned, diagnostics: [...planned.diagnostics, ...blocked] } : planned;
}

/** Adds the error of an interrupted plan, which is incomplete, unless another error is its result. */
function withInterruption({ signal }: PlanRun, diagnostics: Diagnostic[]): Diagnostic[] {
  if (signal?.aborted === true && !hasErrors(diagnostics))
    diagnostics.push(errorDiagnostic('execution halted', ''));
  return diagnostics;
}

/** Applies the initial events of a plan to its state. */
function withInitialEvents(request: PlanInput): {
  readonly request: PlanInput;
  readonly initial: readonly StateEvent[];
} {
  const initial = request.initialEvents?.(request.state, request.interrupted ?? []) ?? [];
  if (initial.length === 0) return { request, initial };
  const draft = new StateDraft(request.state);
  for (const event of initial) draft.apply(event);
  return { request: { ...request, state: draft.freeze() }, initial };
}

async function movedState(request: PlanInput): Promise<Moves> {
  const { configuration, adoption, interrupted = [] } = request;
  const state = withUncertain(request.state, interrupted);
  if (adoption !== undefined)
    return { state, events: [], previous: new Map(), ranges: new Map(), diagnostics: [] };
  const moved = applyMoves(configuration, state);
  if (moved.previous.size === 0) return moved;
  const sessions = new ProviderSessions(request.providers, request.schemas);
  try {
    return await takeOverMoved(request, sessions, moved);
  } finally {
    await sessions.close();
  }
}

const UNMOVED: ReadonlyMap<InstanceAddr, InstanceAddr> = new Map();

class Planner {
  readonly #request: PlanInput;
  readonly #program: Program;
  /** Existing and possibly existing objects, after `moved` blocks. */
  readonly #moves: Moves;
  /** The state at the end of the previous run, after `moved` blocks. */
  readonly #previous: State;
  readonly #uncertain: UncertainObjects;
  /** RFC 3339 in whole seconds. */
  readonly #timestamp: string;
  readonly #index: DependencyIndex;
  readonly #configurationsOf: ConfigurationsOf;
  readonly #adopted: StateEvent[] = [];
  readonly #functionResults: FunctionResults = new FunctionResults();
  /** The functions of expressions, once a walk has begun. */
  #functions: ReadonlyMap<string, FunctionSpec> | undefined;
  /** The evaluation from the walk over the configuration. */
  #declared: Evaluation | undefined;
  /** The sessions of the latest walk, which can be opened again. */
  #sessions: ProviderSessions | undefined;

  constructor(
    request: PlanInput,
    program: Program,
    { moves, state, uncertain }: SeparatedMoves,
    timestamp: Date,
  ) {
    this.#request = request;
    this.#program = program;
    this.#moves = moves;
    this.#previous = state;
    this.#uncertain = uncertain;
    this.#timestamp = timestamp.toISOString().replace(/\.\d+Z$/, 'Z');
    this.#index = new DependencyIndex(program);
    this.#configurationsOf = configurationsUsed(program);
    this.#adopted.push(...moves.events);
  }

  async plan(): Promise<Planned> {
    const { configuration, mode, refresh, invoke } = this.#request;
    const undeclared = undeclaredInvoke(this.#program, invoke);
    if (undeclared.length > 0) return { diagnostics: undeclared };
    const role = mode === 'destroy' && !refresh ? 'destroy' : 'orphan';
    const missingProviders = missingOrphanProviders(configuration, this.#moves.state, role);
    if (missingProviders.length > 0) return { diagnostics: missingProviders };
    if (this.#request.mode === 'destroy') return await this.#destroy();
    const run = this.#run(this.#previous, this.#uncertain, { beforeDestroy: false });
    const diagnostics = await this.#walk(run);
    const isPlain = run.choices.mode === 'normal' && this.#request.query !== true;
    if (isPlain && run.choices.generateConfigOut === undefined)
      diagnostics.push(...undeclaredImports(this.#request.configuration));
    return this.#finish(run, diagnostics);
  }

  /** Adds warnings for addresses of options that match nothing; not with errors, which may be the reason. */
  withUnmatched(planned: Planned): Planned {
    if (hasErrors(planned.diagnostics)) return planned;
    const unmatched = unmatchedAddresses(this.#request, this.#moves.state, this.#declared);
    return unmatched.length === 0
      ? planned
      : { ...planned, diagnostics: [...planned.diagnostics, ...unmatched] };
  }

  /** Has the inspector, if any, judge a plan without errors. Its errors make the plan one that cannot be applied. */
  async inspected(planned: Planned): Promise<Planned> {
    const { inspector, schemas, query } = this.#request;
    const { plan, evaluation } = planned;
    const sessions = this.#sessions;
    const isReady = plan !== undefined && evaluation !== undefined && sessions !== undefined;
    if (inspector === undefined || query === true || !isReady || hasErrors(planned.diagnostics))
      return planned;
    try {
      const run = inspectedRun(evaluation, sessions, schemas);
      const { diagnostics, annotations } = await inspector.inspectPlan(plan, run);
      const judged: Plan = {
        ...plan,
        ...(annotations === undefined ? {} : { annotations }),
        ...(hasErrors(diagnostics)
          ? { errored: true, applyable: false, complete: false, steps: [] }
          : {}),
      };
      return { ...planned, plan: judged, diagnostics: [...planned.diagnostics, ...diagnostics] };
    } finally {
      await sessions.close();
    }
  }

  /** Validates `moved` blocks against the expanded configuration. */
  moveProblems(): readonly Diagnostic[] {
    if (this.#declared === undefined || this.#request.adoption !== undefined) return [];
    return moveProblems(this.#request.configuration, this.#declared);
  }

  /**
   * Plans to destroy everything: refreshes first, as a normal plan does, then deletes. Changes that the refresh finds
   * are not reported as drift (Terraform's destroyPlan compares with the refreshed state).
   */
  async #destroy(): Promise<Planned> {
    const { refresh, minimalRefresh = false } = this.#request;
    let prior = this.#previous;
    const looksFirst = this.#uncertain.size > 0 || (refresh && !minimalRefresh && !prior.isEmpty);
    if (looksFirst) {
      const first = this.#run(prior, this.#uncertain, { beforeDestroy: true });
      const diagnostics = await this.#walk(first);
      if (hasErrors(diagnostics)) return { diagnostics };
      const { root } = this.#request.configuration;
      recordOutputs(first.adopt, root, first.evaluation.root.outputs, first.previous);
      prior = first.prior.freeze();
    }
    // Refreshed objects are already at their new addresses.
    const previousAddresses = looksFirst ? UNMOVED : this.#moves.previous;
    const run = { ...this.#run(prior, new Map(), { beforeDestroy: false }), previousAddresses };
    const heeding = heedInterrupts(run.sessions, this.#request);
    try {
      const diagnostics = await planDestroy(run, this.#request);
      const closed = await run.ephemerals.close();
      return this.#finish(run, withInterruption(run, [...diagnostics, ...closed]));
    } finally {
      heeding.end();
      await closeSessions(run);
    }
  }

  #run(
    previous: State,
    uncertain: UncertainObjects,
    choice: { readonly beforeDestroy: boolean },
  ): PlanRun {
    const request = this.#request;
    const program = this.#program;
    const index = this.#index;
    const options = { baseDir: '.', pure: true, plantimestamp: str(this.#timestamp) };
    const results = this.#functionResults;
    const { cwd, workspace } = request;
    const allowDeferral = request.allowDeferral === true && !choice.beforeDestroy;
    const capabilities = allowDeferral ? DEFERRING_CAPABILITIES : CAPABILITIES;
    const sessions = new ProviderSessions(request.providers, request.schemas, capabilities);
    this.#sessions = sessions;
    const prior = new StateDraft(previous);
    const adopt = (event: StateEvent): void => {
      this.#adopted.push(event);
      prior.apply(event);
    };
    const choices: PlanChoices = {
      mode: choice.beforeDestroy ? 'normal' : request.mode,
      refresh: request.refresh,
      beforeDestroy: choice.beforeDestroy,
      replace: new Set(request.replace.map((addr) => addr.text)),
      targeting: this.#targeting(),
      parallelism: request.parallelism,
      ...(request.generateConfigOut === undefined || choice.beforeDestroy
        ? {}
        : { generateConfigOut: request.generateConfigOut }),
      ...(request.adoption === undefined ? {} : { adoption: request.adoption }),
      allowDeferral,
      ignorePreventDestroy: request.ignorePreventDestroy === true,
    };
    return {
      options: request,
      choices,
      evaluation: new Evaluation(program, {
        purpose: 'plan',
        functions: (this.#functions ??= functionTable(request.functions, {
          ...options,
          verifyResult: (name, args, result) => results.verify(name, args, result),
        })),
        providerBlockFunctions: () => functionTable(request.functions, options),
        cwd,
        workspace,
        sessions,
        constants: request.constants,
        functionResults: results,
        deferring: allowDeferral,
        moduleOverride: request.moduleOverride,
      }),
      sessions,
      configurationsOf: this.#configurationsOf,
      ephemerals: new Ephemerals(request),
      schemas: request.schemas,
      pool: createPool(request.parallelism),
      dependencies: index,
      open: new Set(request.interrupted?.map(({ addr }) => addr)),
      uncertain: new Map(uncertain),
      imports: importsByResource(request.configuration),
      previousAddresses: this.#moves.previous,
      previous,
      prior,
      adopt,
      changes: new InstanceMap(),
      unchanged: new UnchangedObjects(program, prior),
      deposedChanges: [],
      leftData: [],
      invocations: [],
      refreshed: new Set(),
      drift: [],
      queries: [],
      signal: haltSignal(request),
      expanded: new Set(),
      deferrals: new Deferrals(),
      capabilities,
      emit: request.emit,
    };
  }

  #targeting(): Targeting | undefined {
    const { targets, excludes = [], invoke, query = false, generateConfigOut } = this.#request;
    if (query) return queriedOf(this.#program, this.#index);
    if (excludes.length > 0) return excludingOf(excludes, this.#program, this.#index);
    if (targets.length === 0 && invoke === undefined) return undefined;
    const also = [
      ...invocationNodes(this.#program, invoke),
      ...providersOfOrphans(targets, this.#program, this.#moves.state),
      ...(generateConfigOut === undefined ? [] : nodesOfGenerated(targets, this.#program)),
    ];
    return targetingOf(targets, this.#program, this.#index, also);
  }

  async #walk(run: PlanRun): Promise<Diagnostic[]> {
    const { evaluation, choices } = run;
    this.#declared = evaluation;
    const { variables, variableRanges, unsuitable } = this.#request;
    const signal = run.signal;
    const settings: NamedSettings = {
      inputs: variables,
      inputRanges: variableRanges,
      unsuitable,
      suppliedInputs: this.#request.givenVariables,
      conditionSeverity: conditionSeverity(choices),
    };
    const createFirst = createBeforeDestroyNodes(
      this.#index,
      (node) => choices.targeting?.includes(node) !== false,
    );
    const planAndHold = (node: ResourceNode): Awaitable<NodeOutcome> => {
      const planning = planResource(run, {
        node,
        schema: schemaOf(run, node),
        createBeforeDestroy: createFirst.has(node),
      });
      return chain(planning, (outcome) => {
        leaving.holdFor(node);
        return outcome;
      });
    };
    const work = (node: ProgramNode): NodeOutcome | Promise<NodeOutcome> => {
      switch (node.kind) {
        case 'moduleEnd':
          return [];
        case 'action':
          return evaluateExpressions(evaluation, (pass) => expandAction(evaluation, node, pass));
        case 'close':
          // A dependency of a provider configuration is used until that provider is closed.
          return node.providers.length > 0 ? [] : run.ephemerals.closeAll(configAddr(node).text);
        case 'provider':
          return declareProvider(evaluation, run.sessions, node);
        case 'resource':
          return planAndHold(node);
        case 'check':
          return evaluateExpressions(evaluation, (pass) => evaluateCheck(evaluation, node, pass));
        default:
          return evaluateExpressions(evaluation, (pass) => {
            evaluateNamed(evaluation, node, settings, pass);
            if (node.kind === 'call' && evaluation.deferring)
              pass.commit(() => noteOpenCalls(run, node));
          });
      }
    };
    const excluded = (node: ProgramNode): boolean => choices.targeting?.includes(node) === false;
    const { sessions, configurationsOf } = run;
    for (const node of this.#program.nodes) {
      if (excluded(node)) continue;
      for (const configuration of configurationsOf(node)) sessions.expect(configuration);
    }
    const leaving = new LeavingUses(run);
    const gate = new SessionGate(sessions, choices.parallelism, (id) => {
      const node = this.#program.nodes[id];
      return node === undefined || excluded(node) ? [] : configurationsOf(node);
    });
    const heeding = heedInterrupts(sessions, this.#request);
    try {
      const driven = await drive(this.#program, {
        run: (node) => withProviders(sessions, configurationsOf(node), () => work(node)),
        excluded,
        limit: Number.MAX_SAFE_INTEGER,
        gate,
        ...(signal === undefined ? {} : { signal }),
      });
      const decided = new Set(
        this.#index.resources.filter((node) => driven.done(node)).map((node) => node.resource),
      );
      const orphaned =
        driven.stopped || choices.adoption !== undefined || this.#request.query === true
          ? []
          : await planOrphans(run, leaving, (addr) => decided.has(addr) || run.expanded.has(addr));
      const generated =
        driven.stopped || this.#request.query === true
          ? []
          : await planGenerated(run, (module, reference) =>
              this.#program
                .nodesOf(module, reference)
                .every((node) => driven.done(node) && choices.targeting?.includes(node) !== false),
            );
      const { invoke } = this.#request;
      const invoked =
        invoke === undefined || driven.stopped || hasErrors(driven.diagnostics)
          ? []
          : await planInvoke(run, invoke, this.#request.targets);
      const closed = await run.ephemerals.close();
      return withInterruption(run, [
        ...driven.diagnostics,
        ...generated,
        ...orphaned,
        ...invoked,
        ...closed,
      ]);
    } finally {
      heeding.end();
      await closeSessions(run);
    }
  }

  #finish(run: PlanRun, reported: readonly Diagnostic[]): Planned {
    const request = this.#request;
    const { evaluation, choices } = run;
    const diagnostics = [
      ...reported,
      ...forgottenWarning([...run.changes.values(), ...run.deposedChanges]),
    ];
    const errored = hasErrors(diagnostics);
    const { root } = request.configuration;
    const outputs = this.#outputs(run);
    if (choices.mode !== 'destroy') {
      const unknown = choices.adoption === undefined ? 'left out' : 'null';
      recordOutputs(run.adopt, root, evaluation.root.outputs, run.previous, unknown);
    }
    const changes = sortChanges([...run.changes.values(), ...run.deposedChanges]);
    const invocations = sortInvocations(run.invocations);
    const priorState = run.prior.freeze();
    for (const addr of run.leftData) this.#adopted.push({ kind: 'drop', addr });
    const steps = errored
      ? () => []
      : orderWhenRead(this.#stepSources(choices, { changes, invocations, state: priorState }));
    const relevant = relevantAttributes(
      evaluation,
      changedResources(changes, run.leftData),
      outputs,
    );
    const plan: Plan = {
      mode: request.mode,
      changes,
      drift: sortChanges(run.drift),
      deferred: sortDeferred(run.deferrals.changes),
      deferredModules: [...run.deferrals.modules].sort(),
      deferredInvocations: run.deferrals.invocations.sort((a, b) =>
        compareInvocations(a.invocation, b.invocation),
      ),
      invocations,
      outputs,
      priorState,
      previousState: this.#previous,
      adopted: this.#adopted,
      checks: evaluation.checks.results(),
      ...this.#keptVariables(),
      get relevant() {
        return relevant();
      },
      timestamp: this.#timestamp,
      functionResults: this.#functionResults.all(),
      applyable: !errored && isApplyable(run, changes, outputs),
      complete:
        !errored &&
        run.deferrals.isEmpty &&
        request.targets.length + (request.excludes?.length ?? 0) === 0,
      errored,
      targets: request.targetTexts,
      excludes: request.excludeTexts ?? [],
      replace: request.replace.map((addr) => addr.text),
      get steps() {
        return steps();
      },
      terraformVersion: TERRAFORM_VERSION,
      configuration: request.configuration,
      schemas: request.schemas,
    };
    const queries = run.queries.sort((a, b) => compareInstances(a.addr, b.addr));
    return { plan, evaluation, queries, diagnostics };
  }

  #stepSources(
    { mode, targeting }: PlanChoices,
    {
      changes,
      invocations,
      state,
    }: Pick<StepSources, 'changes' | 'invocations'> & { readonly state: State },
  ): StepSources {
    const includes = (node: ProgramNode): boolean => targeting?.includes(node) !== false;
    return {
      program: mode === 'destroy' ? undefined : this.#program,
      includes,
      changes,
      stored: (addr, deposed) => storedObject(state, addr, deposed),
      original: (addr, deposed) =>
        storedObject(this.#moves.state, addr, deposed) ?? storedObject(state, addr, deposed),
      createBeforeDestroy: createBeforeDestroyNodes(this.#index, includes),
      newDeposedKey: (addr) => this.#newDeposedKey(state, addr),
      invocations,
    };
  }

  /** A key that no object of the instance has. */
  #newDeposedKey(state: State, addr: InstanceAddr): DeposedKey {
    const { random } = this.#request.functions;
    const deposedObjects = state.instance(addr)?.deposed;
    for (;;) {
      const key = Buffer.from(random.bytes(4)).toString('hex');
      if (deposedObjects?.has(key) !== true) return key;
    }
  }

  #outputs({ choices, evaluation, previous }: PlanRun): Plan['outputs'] {
    const { root } = this.#request.configuration;
    if (choices.mode === 'destroy') {
      // With targets, remaining outputs may still be shown.
      return choices.targeting === undefined ? removedOutputs(root, previous) : [];
    }
    const isLeftOut = (name: string): boolean => this.#isLeftOut(choices, name);
    return outputChanges(root, evaluation.root.outputs, previous, isLeftOut);
  }

  #isLeftOut({ targeting }: PlanChoices, name: string): boolean {
    const node = this.#program.find(this.#request.configuration.root, `output.${name}`);
    if (targeting === undefined) return false;
    return node === undefined || !targeting.includes(node);
  }

  /**
   * Returns the variables to store. Ephemeral values are not stored; those that were not null must be set again for the
   * apply.
   */
  #keptVariables(): Pick<Plan, 'variables' | 'variableOrigins' | 'applyTimeVariables'> {
    const declared = this.#request.configuration.root.variables;
    const variables = new Map<string, Value>();
    const applyTimeVariables: string[] = [];
    for (const [name, value] of this.#request.givenVariables) {
      if (declared.get(name)?.ephemeral !== true) variables.set(name, value);
      else if (!value.isNull) applyTimeVariables.push(name);
    }
    const { variableOrigins } = this.#request;
    return {
      variables,
      ...(variableOrigins === undefined ? {} : { variableOrigins }),
      applyTimeVariables,
    };
  }
}

/**
 * Returns a function that orders the changes of a plan when it is first called: a plan that is neither saved nor applied
 * needs no order. The sources are released then.
 */
function orderWhenRead(sources: StepSources): () => readonly Step[] {
  let pending: StepSources | undefined = sources;
  let steps: readonly Step[] = [];
  return () => {
    if (pending !== undefined) steps = planSteps(pending);
    pending = undefined;
    return steps;
  };
}

/** Defers everything in a module call with unknown instances, and its outputs. */
function noteOpenCalls({ evaluation, deferrals }: PlanRun, { module, call }: CallNode): void {
  for (const cells of evaluation.instancesOf(module)) {
    const open = cells.calls.get(call.name)?.instances.get(UNKNOWN_KEY);
    if (open !== undefined) deferrals.modules.add(open.instance.text);
  }
}

/** Returns the resources of all changes and of the removed data, in no particular order. */
function changedResources(
  changes: readonly PlannedChange[],
  leftData: Iterable<InstanceAddr>,
): ReadonlySet<AbsResource> {
  const resources = new Set<AbsResource>();
  let last: AbsResource | undefined;
  for (const { action, addr } of changes) {
    if (action === 'no-op' || addr.resource === last) continue;
    last = addr.resource;
    resources.add(last);
  }
  for (const { resource } of leftData) resources.add(resource);
  return resources;
}

function storedObject(
  state: State,
  addr: InstanceAddr,
  deposed: string | undefined,
): StoredObject | undefined {
  const instance = state.instance(addr);
  return deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
}
