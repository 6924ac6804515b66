import type { Value } from '@terrane/cty';
import {
  applyPlan,
  type Configuration,
  evaluateAssertions,
  type Evaluation,
  makePlan,
  MemoryRecorder,
  mergeStatus,
  type Plan,
  ProviderSessions,
  type RunSettings,
  type State,
  targetText,
  validateConfiguration,
} from '@terrane/engine';
import { checkOrigin, type Diagnostic, hasErrors } from '@terrane/hcl';
import {
  type ComparedFailures,
  compareWithExpectations,
  expectationProblems,
  explainedExpectations,
} from './expected-failures.ts';
import { runOverrideProblems } from './override-targets.ts';
import { inputsOf, prepareRun } from './prepare-run.ts';
import { interruption, type RunContext } from './run-context.ts';
import { planOptions, referredVariables } from './run-options.ts';
import type { RunOverrides } from './test-providers.ts';
import type { TestValue } from './test-variables.ts';

/** The result of a run. */
export interface ExecutedRun {
  /** the new state, where it may have changed */
  readonly state?: State;
  readonly outputs?: Value;
}

/** Executes a run: plans, applies if that is requested, and evaluates the assertions about the result. */
export async function executeRun(context: RunContext, state: State): Promise<ExecutedRun> {
  return await new RunExecution(context).execute(state);
}

/** A valid run with the values of its variables. */
interface ReadyTestRun {
  /** with the providers of the test */
  readonly configuration: Configuration;
  readonly settings: RunSettings & { readonly givenVariables: ReadonlyMap<string, Value> };
  readonly overrides: RunOverrides;
  /** values of variables that only assertions see */
  readonly extra: ReadonlyMap<string, Value>;
}

type Planned = Partial<Awaited<ReturnType<typeof makePlan>>> & {
  readonly diagnostics: readonly Diagnostic[];
};

/** The execution of one run, which sets its status and collects its diagnostics. */
class RunExecution {
  readonly #context: RunContext;

  constructor(context: RunContext) {
    this.#context = context;
  }

  async execute(state: State): Promise<ExecutedRun> {
    const { suite, run } = this.#context;
    const ready = await this.#prepare();
    if (ready === undefined) return {};
    const planned = await this.#plan(ready, state);
    const coverage = run.config.module === undefined ? suite.coverage : undefined;
    coverage?.note(planned.plan, planned.evaluation, false);
    return run.config.command === 'plan'
      ? await this.#assertPlan(ready, planned)
      : await this.#apply(ready, planned, state);
  }

  /** Validates the run and evaluates its variables; undefined if there are errors. */
  async #prepare(): Promise<ReadyTestRun | undefined> {
    const { run, configuration, variables } = this.#context;
    const { config } = run;
    const problems = [
      ...expectationProblems(config),
      ...runOverrideProblems(configuration, config),
    ];
    if (!this.#add(problems)) return undefined;
    const prepared = prepareRun(this.#context);
    if (!this.#add(prepared.diagnostics)) return undefined;
    const invalid = await validateConfiguration(prepared.settings);
    if (!this.#add(interruption(this.#context, invalid))) return undefined;
    const referred = referredVariables(config);
    if (!this.#add(referred.diagnostics)) return undefined;
    const unsuitable: Diagnostic[] = [];
    const values = variables.valuesFor(config, referred.names, true, unsuitable);
    if (!this.#add(unsuitable)) return undefined;
    return {
      configuration: prepared.configuration,
      settings: { ...prepared.settings, ...inputsOf(prepared.configuration, values) },
      overrides: prepared.overrides,
      extra: testOnly(prepared.configuration, values),
    };
  }

  /** Plans the run. Its diagnostics name overridden objects, and an interruption. */
  async #plan({ settings, overrides }: ReadyTestRun, state: State): Promise<Planned> {
    const { suite, run } = this.#context;
    const { choice, diagnostics } = planOptions(run.config);
    if (hasErrors(diagnostics)) {
      return { diagnostics: this.#withOrigin(overrides, diagnostics) };
    }
    const planned = await makePlan({
      ...settings,
      ...choice,
      allowDeferral: suite.allowDeferral,
      targetTexts: choice.targets.map(targetText),
      // Programs compare the diagnostics of tests, and Terraform has no such warning.
      allowUnmatched: true,
      givenVariables: settings.givenVariables,
      state,
      mode: run.config.options.mode,
      refresh: run.config.options.refresh,
    });
    return { ...planned, diagnostics: this.#withOrigin(overrides, planned.diagnostics) };
  }

  /** Evaluates the assertions about a plan. */
  async #assertPlan(ready: ReadyTestRun, planned: Planned): Promise<ExecutedRun> {
    const { suite, run } = this.#context;
    const { plan, evaluation, diagnostics } = planned;
    this.#report(compareWithExpectations(run.config, diagnostics));
    if (run.status === 'error' || plan === undefined || evaluation === undefined) return {};
    const { configuration } = ready;
    if (suite.verbose) run.verbose = { configuration, schemas: suite.providers, plan };
    return await this.#assertAll(ready, evaluation, plan);
  }

  /** Applies a plan and evaluates the assertions about the new state. */
  async #apply(
    ready: ReadyTestRun,
    { plan, diagnostics }: Planned,
    state: State,
  ): Promise<ExecutedRun> {
    const { suite, run, creating } = this.#context;
    if (!this.#add(explainedExpectations(run.config, diagnostics)) || plan === undefined) return {};
    // Checks are evaluated again during the apply.
    run.diagnostics = run.diagnostics.filter(
      (diagnostic) => checkOrigin(diagnostic)?.checkable !== 'check',
    );
    creating(createdBy(plan));
    const recorder = new MemoryRecorder(state);
    const applied = await applyPlan({ ...ready.settings, plan, recorder, evaluateAll: true });
    const after = recorder.draft.freeze();
    const coverage = run.config.module === undefined ? suite.coverage : undefined;
    coverage?.note(plan, applied.evaluation, true);
    const outcome = this.#withOrigin(ready.overrides, applied.diagnostics);
    this.#report(compareWithExpectations(run.config, outcome));
    if (run.status === 'error') return { state: after };
    const { configuration } = ready;
    if (suite.verbose) run.verbose = { configuration, schemas: suite.providers, state: after };
    if (applied.evaluation === undefined) return { state: after };
    return { ...(await this.#assertAll(ready, applied.evaluation, plan)), state: after };
  }

  async #assertAll(
    { configuration, extra }: ReadyTestRun,
    evaluation: Evaluation,
    plan: Plan,
  ): Promise<ExecutedRun> {
    const { run, suite, outputs } = this.#context;
    const { providers } = suite;
    const sessions = new ProviderSessions(providers, providers);
    try {
      const outcome = await evaluateAssertions(run.config, {
        evaluation,
        configuration,
        schemas: providers,
        functions: suite.assertionFunctions(run.config.command, plan),
        sessions,
        runs: outputs,
        variables: extra,
      });
      run.status = mergeStatus(run.status, outcome.status);
      run.diagnostics = [...run.diagnostics, ...outcome.diagnostics];
      return { outputs: outcome.outputs };
    } finally {
      await sessions.close();
    }
  }

  /** Adds diagnostics to those of the run. Returns false, and sets its status, if there are errors. */
  #add(diagnostics: readonly Diagnostic[]): boolean {
    const { run } = this.#context;
    run.diagnostics = [...run.diagnostics, ...diagnostics];
    if (!hasErrors(diagnostics)) return true;
    run.status = 'error';
    return false;
  }

  /** Reports the outcome of a plan or an apply, with the expected failures if the report is verbose. */
  #report({ all, unexpected, missing }: ComparedFailures): void {
    const { run, suite } = this.#context;
    const reported = suite.verbose ? all : [...unexpected, ...missing];
    run.diagnostics = [...run.diagnostics, ...reported];
    if (hasErrors(unexpected)) run.status = 'error';
    else if (missing.length > 0) run.status = run.config.command === 'plan' ? 'error' : 'fail';
  }

  /** Adds the origin of overridden objects to diagnostics, and the interruption that caused them. */
  #withOrigin(overrides: RunOverrides, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return interruption(this.#context, overrides.pointingToData(diagnostics));
  }
}

/** Values of variables that the configuration does not declare: only assertions see them. */
function testOnly(
  configuration: Configuration,
  values: ReadonlyMap<string, TestValue>,
): ReadonlyMap<string, Value> {
  const extra = new Map<string, Value>();
  for (const [name, { value }] of values) {
    if (!configuration.root.variables.has(name)) extra.set(name, value);
  }
  return extra;
}

function createdBy({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ action, addr }) => (action === 'create' ? [addr.text] : []));
}
