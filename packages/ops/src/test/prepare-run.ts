import type { Value } from '@terrane/cty';
import {
  type Configuration,
  finalizeVariables,
  type InputValue,
  type ModuleOverride,
  type RunSettings,
  testScope,
  withOverrideValues,
  withRootProviders,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { SILENT } from '../run-ports.ts';
import { DEFAULT_PARALLELISM } from '../run/run-request.ts';
import { runSettings } from '../run/run-settings.ts';
import { DEFAULT_WORKSPACE } from '../workspace.ts';
import type { RunContext } from './run-context.ts';
import { providerBlocksFor, RunOverrides, testProviderPort } from './test-providers.ts';
import type { TestValue } from './test-variables.ts';

/** A run with the providers of its test, ready to be planned. */
export interface PreparedRun {
  /** with the providers of the test */
  readonly configuration: Configuration;
  readonly settings: RunSettings;
  readonly overrides: RunOverrides;
  readonly diagnostics: readonly Diagnostic[];
}

/** Evaluates the provider configurations, mocks and overrides of a run. */
export function prepareRun(context: RunContext): PreparedRun {
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
export function inputsOf(
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
