import type { ModuleSource, TargetAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Body, Expression, Range, Traversal } from '@terrane/hcl';
import type {
  BackendBlock,
  CheckRule,
  Configuration,
  LocalProviderRef,
  PassedProvider,
  Variable,
} from '../model.ts';

/** The test files of a configuration. */
export interface TestSuite {
  /** the directory that is searched in addition to that of the configuration */
  readonly directory: string;
  /** test files by path relative to the configuration, sorted */
  readonly files: ReadonlyMap<string, TestFile>;
}

/** A test file: runs that are executed in order, and shared settings. */
export interface TestFile {
  /** relative to the configuration */
  readonly name: string;
  /** values for variables, by name */
  readonly variables: ReadonlyMap<string, Expression>;
  /** `variable` blocks: variables of the file itself, with types and defaults (Terraform 1.13) */
  readonly variableDefinitions: ReadonlyMap<string, Variable>;
  /** keys are "name" or "name.alias" */
  readonly providers: ReadonlyMap<string, TestProvider>;
  /** keys are the target's text */
  readonly overrides: ReadonlyMap<string, Override>;
  readonly runs: readonly TestRun[];
  /** true if its runs may be executed in parallel by default (Terraform 1.12) */
  readonly parallel: boolean;
}

/** A `provider` or a `mock_provider` block of a test file. */
export interface TestProvider extends LocalProviderRef {
  /** the settings of a real one */
  readonly body: Body;
  readonly mock?: MockData;
  /** creates an instance for each element; must be constant */
  readonly forEach?: Expression;
  readonly range: Range;
  readonly nameRange: Range;
}

/** Responses of a mock provider. */
export interface MockData {
  /** keys are resource types */
  readonly resources: ReadonlyMap<string, MockResource>;
  readonly dataSources: ReadonlyMap<string, MockResource>;
  readonly ephemerals: ReadonlyMap<string, MockResource>;
  /** true if plans also know the types that the run does not mention, including ephemeral ones */
  readonly plansAll: boolean;
  /** keys are the target's text */
  readonly overrides: ReadonlyMap<string, Override>;
}

/** A `mock_resource`, `mock_data` or `mock_ephemeral` block. */
export interface MockResource {
  readonly type: string;
  /** undefined: all values are generated */
  readonly defaults: Value | undefined;
  /** the expression of `defaults` if it calls functions: `withMockDefaults` evaluates it */
  readonly deferred?: Expression;
  /** the defaults are known to plans already */
  readonly duringPlan: boolean;
  readonly range: Range;
  readonly typeRange: Range;
  /** the range of the argument `defaults` */
  readonly defaultsRange: Range | undefined;
}

/** An `override_resource`, `override_data` or `override_module` block. */
export interface Override {
  readonly kind: 'resource' | 'data' | 'module';
  readonly target: TargetAddr;
  /** the target as in messages */
  readonly text: string;
  /** an object */
  readonly values: Value;
  /** the expression of the values if it calls functions: `withOverrideValues` evaluates it */
  readonly deferred?: Expression;
  /** the values are known to plans already */
  readonly duringPlan: boolean;
  /** true in a test file, false in a file of mock data */
  readonly inTestFile: boolean;
  readonly range: Range;
  readonly targetRange: Range;
}

/** A `run` block. */
export interface TestRun {
  readonly name: string;
  readonly command: 'apply' | 'plan';
  readonly options: TestRunOptions;
  readonly variables: ReadonlyMap<string, Expression>;
  /** keys are the target's text */
  readonly overrides: ReadonlyMap<string, Override>;
  /** the providers of the file that it uses; if empty, all matching ones */
  readonly providers: readonly PassedProvider[];
  readonly asserts: readonly CheckRule[];
  readonly module: TestRunModule | undefined;
  readonly expectFailures: readonly Traversal[];
  /** "": the key that its module implies */
  readonly stateKey: string;
  /** undefined: the file's setting applies */
  readonly parallel: boolean | undefined;
  /** true if its objects are kept in the state after the execution of the file */
  readonly skipCleanup: boolean;
  /** the backend that stores its state between executions; implies that its objects are kept */
  readonly backend: BackendBlock | undefined;
  readonly range: Range;
  readonly nameRange: Range;
}

/** The `module` block of a run: the configuration to execute instead of the one under test. */
export interface TestRunModule {
  readonly source: ModuleSource;
  readonly version?: string;
  readonly range: Range;
  readonly sourceRange: Range;
  /** undefined where it could not be loaded */
  readonly configuration: Configuration | undefined;
}

/** `plan_options` of a run. */
export interface TestRunOptions {
  readonly mode: 'normal' | 'refresh-only';
  readonly refresh: boolean;
  readonly replace: readonly Traversal[];
  readonly target: readonly Traversal[];
}
