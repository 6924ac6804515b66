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
  /** where they are looked for besides the directory of the configuration */
  readonly directory: string;
  /** by their paths, relative to the configuration; in the order of their names */
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
  /** by "name" or "name.alias" */
  readonly providers: ReadonlyMap<string, TestProvider>;
  /** by the text of the target */
  readonly overrides: ReadonlyMap<string, Override>;
  readonly runs: readonly TestRun[];
  /** whether its runs may be executed at the same time unless they say otherwise (Terraform 1.12) */
  readonly parallel: boolean;
}

/** A `provider` or a `mock_provider` block of a test file. */
export interface TestProvider extends LocalProviderRef {
  /** the settings of a real one */
  readonly body: Body;
  readonly mock?: MockData;
  /** there is one for each element; it has to be constant */
  readonly forEach?: Expression;
  readonly range: Range;
  readonly nameRange: Range;
}

/** Responses of a mock provider. */
export interface MockData {
  /** by resource type */
  readonly resources: ReadonlyMap<string, MockResource>;
  readonly dataSources: ReadonlyMap<string, MockResource>;
  readonly ephemerals: ReadonlyMap<string, MockResource>;
  /** types that it does not mention are known to plans too, and there are ephemeral ones among them */
  readonly plansAll: boolean;
  /** by the text of the target */
  readonly overrides: ReadonlyMap<string, Override>;
}

/** A `mock_resource`, `mock_data` or `mock_ephemeral` block. */
export interface MockResource {
  readonly type: string;
  /** undefined: everything is made up */
  readonly defaults: Value | undefined;
  /** the expression of `defaults` if it calls functions: `withMockDefaults` evaluates it */
  readonly deferred?: Expression;
  /** the defaults are known to plans already */
  readonly duringPlan: boolean;
  readonly range: Range;
  readonly typeRange: Range;
  /** of the argument `defaults` */
  readonly defaultsRange: Range | undefined;
}

/** An `override_resource`, `override_data` or `override_module` block. */
export interface Override {
  readonly kind: 'resource' | 'data' | 'module';
  readonly target: TargetAddr;
  /** the target as it is written in messages */
  readonly text: string;
  /** an object */
  readonly values: Value;
  /** the expression of the values if it calls functions: `withOverrideValues` evaluates it */
  readonly deferred?: Expression;
  /** the values are known to plans already */
  readonly duringPlan: boolean;
  /** it stands in a test file and not in a file of mock data */
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
  /** by the text of the target */
  readonly overrides: ReadonlyMap<string, Override>;
  /** which providers of the file it uses; empty: all that fit */
  readonly providers: readonly PassedProvider[];
  readonly asserts: readonly CheckRule[];
  readonly module: TestRunModule | undefined;
  readonly expectFailures: readonly Traversal[];
  /** "": the key that its module implies */
  readonly stateKey: string;
  /** undefined: as the file says */
  readonly parallel: boolean | undefined;
  /** whether what it made stays when the file has been executed, in the state that it left */
  readonly skipCleanup: boolean;
  /** where its state is kept from one execution to the next; then it stays as well */
  readonly backend: BackendBlock | undefined;
  readonly range: Range;
  readonly nameRange: Range;
}

/** The `module` block of a run: what it executes instead of the configuration. */
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
