import {
  type InstanceAddr,
  parseInstanceTraversal,
  parseReference,
  parseTargetTraversal,
  type TargetAddr,
} from '@terrane/addresses';
import type { FunctionSpec, Value } from '@terrane/cty';
import {
  applyPlan,
  type Configuration,
  type Coverage,
  evaluateAssertions,
  type Evaluation,
  finalizeVariables,
  type InputValue,
  makePlan,
  MemoryRecorder,
  mergeStatus,
  type ModuleOverride,
  type Plan,
  ProviderSessions,
  type RunOutputs,
  type RunSettings,
  type State,
  targetText,
  type TestedFile,
  type TestedRun,
  type TestRun,
  testScope,
  validateConfiguration,
  withRootProviders,
  type TestFile,
  withOverrideValues,
} from '@terrane/engine';
import {
  checkOrigin,
  type Diagnostic,
  errorDiagnostic,
  hasErrors,
  variables as referencesIn,
} from '@terrane/hcl';
import { DEFAULT_PARALLELISM } from '../run/run-request.ts';
import { runSettings } from '../run/run-settings.ts';
import type { Project } from '../project.ts';
import type { Providers } from '../providers.ts';
import { SILENT } from '../run-ports.ts';
import { DEFAULT_WORKSPACE } from '../workspace.ts';
import {
  type ComparedFailures,
  compareWithExpectations,
  expectationProblems,
  explainedExpectations,
} from './expected-failures.ts';
import { runOverrideProblems } from './override-targets.ts';
import { providerBlocksFor, RunOverrides, testProviderPort } from './test-providers.ts';
import type { RunVariables, TestValue } from './test-variables.ts';

/** Settings that all runs of a suite share. */
export interface SuiteSettings {
  readonly project: Project;
  readonly providers: Providers;
  /** functions of expressions in test files */
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** functions of assertions about plans, and about what was applied */
  readonly assertionFunctions: (
    command: TestRun['command'],
    plan: Plan,
  ) => ReadonlyMap<string, FunctionSpec>;
  readonly verbose: boolean;
  /** collects what runs of the configuration under test exercise */
  readonly coverage: Coverage | undefined;
  readonly parallelism: number | undefined;
  readonly allowDeferral: boolean;
  /** aborted to cancel running operations */
  readonly abort?: AbortSignal | undefined;
}

/** The context of executing a run. */
export interface RunContext {
  readonly suite: SuiteSettings;
  readonly file: TestedFile;
  /** the providers of the file, with mock data evaluated */
  readonly testProviders: TestFile['providers'];
  readonly run: TestedRun;
  /** the configuration to execute: the one under test, or that of the run's module */
  readonly configuration: Configuration;
  readonly variables: RunVariables;
  /** the outputs of earlier runs */
  readonly outputs: RunOutputs;
  /** called when something is about to be made, with the addresses */
  readonly creating: (addresses: readonly string[]) => void;
}

/** The result of a run. */
export interface ExecutedRun {
  /** the new state, where it may have changed */
  readonly state?: State;
  readonly outputs?: Value;
}

/** Executes a run: plans, applies if that is asked for, and holds the result against the assertions. */
export async function executeRun(context: RunContext, state: State): Promise<ExecutedRun> {
  const { run, configuration } = context;
  const { config } = run;
  const addDiagnostics = (diagnostics: readonly Diagnostic[]): boolean => {
    run.diagnostics = [...run.diagnostics, ...diagnostics];
    if (!hasErrors(diagnostics)) return true;
    run.status = 'error';
    return false;
  };
  /** Reports what a plan or an apply led to, with the expected failures if the report is verbose. */
  const report = ({ all, unexpected, missing }: ComparedFailures): void => {
    const reported = context.suite.verbose ? all : [...unexpected, ...missing];
    run.diagnostics = [...run.diagnostics, ...reported];
    if (hasErrors(unexpected)) run.status = 'error';
    else if (missing.length > 0) run.status = config.command === 'plan' ? 'error' : 'fail';
  };
  if (
    !addDiagnostics([...expectationProblems(config), ...runOverrideProblems(configuration, config)])
  )
    return {};
  const prepared = prepareRun(context);
  if (!addDiagnostics(prepared.diagnostics)) return {};
  if (!addDiagnostics(interruption(context, await validateConfiguration(prepared.settings))))
    return {};
  const referred = referredVariables(config);
  if (!addDiagnostics(referred.diagnostics)) return {};
  const problems: Diagnostic[] = [];
  const values = context.variables.valuesFor(config, referred.names, true, problems);
  if (!addDiagnostics(problems)) return {};
  const settings = { ...prepared.settings, ...inputsOf(prepared.configuration, values) };
  const options = planOptions(config);
  const planned = hasErrors(options.diagnostics)
    ? { diagnostics: options.diagnostics }
    : await makePlan({
        ...settings,
        ...options.choice,
        allowDeferral: context.suite.allowDeferral,
        targetTexts: options.choice.targets.map(targetText),
        // Programs compare the diagnostics of tests, and Terraform has no such warning.
        allowUnmatched: true,
        givenVariables: settings.givenVariables,
        state,
        mode: config.options.mode,
        refresh: config.options.refresh,
      });
  const { plan } = planned;
  const evaluation = 'evaluation' in planned ? planned.evaluation : undefined;
  const pointing = (problems: readonly Diagnostic[]): readonly Diagnostic[] =>
    interruption(context, prepared.overrides.pointingToData(problems));
  const outcome = pointing(planned.diagnostics);
  const coverage = config.module === undefined ? context.suite.coverage : undefined;
  coverage?.note(plan, evaluation, false);
  const extra = testOnly(prepared.configuration, values);
  if (config.command === 'plan') {
    report(compareWithExpectations(config, outcome));
    if (run.status === 'error' || plan === undefined || evaluation === undefined) return {};
    if (context.suite.verbose) {
      run.verbose = {
        configuration: prepared.configuration,
        schemas: context.suite.providers,
        plan,
      };
    }
    return await assertAll(context, prepared.configuration, evaluation, plan, extra);
  }
  if (!addDiagnostics(explainedExpectations(config, outcome)) || plan === undefined) return {};
  // What is applied is checked again.
  run.diagnostics = run.diagnostics.filter(
    (diagnostic) => checkOrigin(diagnostic)?.checkable !== 'check',
  );
  context.creating(createdBy(plan));
  const recorder = new MemoryRecorder(state);
  const applied = await applyPlan({ ...settings, plan, recorder, evaluateAll: true });
  const after = recorder.draft.freeze();
  coverage?.note(plan, applied.evaluation, true);
  report(compareWithExpectations(config, pointing(applied.diagnostics)));
  if (run.status === 'error') return { state: after };
  if (context.suite.verbose) {
    const { configuration: used } = prepared;
    run.verbose = { configuration: used, schemas: context.suite.providers, state: after };
  }
  if (applied.evaluation === undefined) return { state: after };
  const asserted = await assertAll(
    context,
    prepared.configuration,
    applied.evaluation,
    plan,
    extra,
  );
  return { ...asserted, state: after };
}

/**
 * Removes all that a run, and those before it with the same state, have made; or brings it back to what the run itself
 * makes.
 */
export async function cleanUpRun(
  context: RunContext,
  state: State,
  how: 'destroy' | 'restore',
): Promise<{ readonly state: State; readonly diagnostics: readonly Diagnostic[] }> {
  const { run } = context;
  const prepared = prepareRun(context);
  const diagnostics = [...prepared.diagnostics];
  if (hasErrors(diagnostics) || state.isEmpty) return { state, diagnostics };
  const values = context.variables.valuesFor(run.config, new Set(), false, diagnostics);
  if (hasErrors(diagnostics)) return { state, diagnostics };
  const settings = { ...prepared.settings, ...inputsOf(prepared.configuration, values) };
  const { plan, ...planned } = await makePlan({
    ...settings,
    allowDeferral: context.suite.allowDeferral,
    givenVariables: settings.givenVariables,
    state,
    mode: how === 'destroy' ? 'destroy' : 'normal',
    refresh: how === 'destroy',
    ignorePreventDestroy: true,
    targets: [],
    targetTexts: [],
    replace: [],
  });
  diagnostics.push(...interruption(context, planned.diagnostics));
  if (hasErrors(diagnostics) || plan === undefined) return { state, diagnostics };
  const recorder = new MemoryRecorder(state);
  const applied = await applyPlan({ ...settings, plan, recorder });
  diagnostics.push(...interruption(context, applied.diagnostics));
  return { state: recorder.draft.freeze(), diagnostics };
}

interface PreparedRun {
  /** with the providers of the test */
  readonly configuration: Configuration;
  readonly settings: RunSettings;
  readonly overrides: RunOverrides;
  readonly diagnostics: readonly Diagnostic[];
}

function prepareRun(context: RunContext): PreparedRun {
  const { suite, run, file, testProviders, variables, outputs } = context;
  const { project, providers } = suite;
  const diagnostics: Diagnostic[] = [];
  const { blocks, mocks } = providerBlocksFor(
    context.configuration,
    run.config,
    testProviders,
    (expressions, problems) => {
      const values = variables.referredTo(expressions, problems);
      const { functions } = suite;
      return testScope(
        'provider',
        expressions,
        { variables: values, runs: outputs, functions },
        problems,
      );
    },
    diagnostics,
  );
  const configuration = withRootProviders(context.configuration, blocks);
  const evaluatedMocks = new Map(
    Array.from(mocks, ([key, mock]) => {
      const overrides = withOverrideValues(mock.overrides, suite.functions, diagnostics);
      return [key, { ...mock, overrides }];
    }),
  );
  const overrides = new RunOverrides(
    withOverrideValues(run.config.overrides, suite.functions, diagnostics),
    withOverrideValues(file.config.overrides, suite.functions, diagnostics),
    configuration,
    evaluatedMocks,
  );
  const moduleOverride: ModuleOverride = (instance) => {
    const override = overrides.module(instance.text);
    if (override === undefined || override.kind !== 'module') return undefined;
    return new Map(override.values.entries().map(([key, value]) => [key.asString(), value]));
  };
  const settings: RunSettings = {
    ...runSettings(
      project,
      configuration,
      providers,
      DEFAULT_WORKSPACE,
      suite.parallelism ?? DEFAULT_PARALLELISM,
      suite.abort === undefined ? SILENT : { ...SILENT, signal: suite.abort },
      new Map(),
    ),
    providers: testProviderPort(providers, overrides, project.host.random),
    ...(overrides.isEmpty ? {} : { moduleOverride }),
    constants: new Map(),
  };
  return { configuration, settings, overrides, diagnostics };
}

/** Returns the input variables of the configuration, as plan settings. */
function inputsOf(
  configuration: Configuration,
  values: ReadonlyMap<string, TestValue>,
): Pick<RunSettings, 'variables' | 'variableRanges' | 'unsuitable'> & {
  readonly givenVariables: ReadonlyMap<string, Value>;
} {
  const inputs = new Map<string, InputValue>();
  for (const [name, { value, source, range }] of values) {
    if (!configuration.root.variables.has(name)) continue;
    inputs.set(name, { source, value, ...(range === undefined ? {} : { range }) });
  }
  const final = finalizeVariables(configuration, inputs);
  return {
    variables: final.values,
    variableRanges: final.ranges,
    unsuitable: final.unsuitable,
    givenVariables: final.parsed,
  };
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

/** The variables that assertions refer to. */
function referredVariables({ asserts }: TestRun): {
  readonly names: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const names = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const { condition, errorMessage } of asserts) {
    for (const traversal of [...referencesIn(condition), ...referencesIn(errorMessage)]) {
      const { reference, diagnostics: problems } = parseReference(traversal);
      diagnostics.push(...problems);
      if (reference?.subject.kind === 'variable') names.add(reference.subject.name);
    }
  }
  return { names, diagnostics };
}

function planOptions({ options }: TestRun): {
  readonly choice: { readonly targets: TargetAddr[]; readonly replace: InstanceAddr[] };
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const targets: TargetAddr[] = [];
  for (const traversal of options.target) {
    const { target, diagnostics: problems } = parseTargetTraversal(traversal);
    diagnostics.push(...problems);
    if (target !== undefined) targets.push(target);
  }
  const replace: InstanceAddr[] = [];
  for (const traversal of options.replace) {
    const { address, diagnostics: problems } = parseInstanceTraversal(traversal);
    diagnostics.push(...problems);
    if (address === undefined || hasErrors(problems)) continue;
    if (address.resource.resource.mode === 'managed') replace.push(address);
    else {
      diagnostics.push(
        errorDiagnostic(
          'Can only target managed resources for forced replacements.',
          address.text,
          traversal.range,
        ),
      );
    }
  }
  return { choice: { targets, replace }, diagnostics };
}

async function assertAll(
  { run, suite, outputs }: RunContext,
  configuration: Configuration,
  evaluation: Evaluation,
  plan: Plan,
  extra: ReadonlyMap<string, Value>,
): Promise<ExecutedRun> {
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

function createdBy({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ action, addr }) => (action === 'create' ? [addr.text] : []));
}

/** Returns the diagnostics of an operation, or the interruption that caused them. */
function interruption(
  { suite }: RunContext,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (suite.abort?.aborted !== true) return diagnostics;
  return [
    errorDiagnostic(
      'Test interrupted',
      'The test operation could not be completed due to an interrupt signal. Please read the remaining diagnostics carefully for any sign of failed state cleanup or dangling resources.',
    ),
    ...diagnostics,
  ];
}
