import type { FunctionSpec } from '@terrane/cty';
import type {
  Configuration,
  Coverage,
  Plan,
  RunOutputs,
  TestedFile,
  TestedRun,
  TestFile,
  TestRun,
} from '@terrane/engine';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Project } from '../project.ts';
import type { Providers } from '../providers.ts';
import type { RunVariables } from './test-variables.ts';

/** Settings that all runs of a suite share. */
export interface SuiteSettings {
  readonly project: Project;
  readonly providers: Providers;
  /** functions of expressions in test files */
  readonly functions: ReadonlyMap<string, FunctionSpec>;
  /** functions of assertions about plans and about applied changes */
  readonly assertionFunctions: (
    command: TestRun['command'],
    plan: Plan,
  ) => ReadonlyMap<string, FunctionSpec>;
  readonly verbose: boolean;
  /** collects the coverage of the configuration under test */
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
  /** called before objects are created, with their addresses */
  readonly creating: (addresses: readonly string[]) => void;
}

/** Returns the diagnostics of an operation, or the interruption that caused them. */
export function interruption(
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
