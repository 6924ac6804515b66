import type { Diagnostic } from '@terrane/hcl';
import type { Configuration, Schemas } from '../config/model.ts';
import type { TestFile, TestRun } from '../config/test/model.ts';
import type { Plan } from '../plan/model.ts';
import type { State } from '../state/model.ts';
import type { CoverageReport } from './coverage.ts';

/** The status of a test; later ones take precedence. */
export type TestStatus = 'pending' | 'skip' | 'pass' | 'fail' | 'error';

const ORDER: readonly TestStatus[] = ['pending', 'skip', 'pass', 'fail', 'error'];

/** The status of both together. */
export function mergeStatus(a: TestStatus, b: TestStatus): TestStatus {
  return ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a;
}

/** The plan or state of a run for verbose output. */
export interface VerboseRun {
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  /** exactly one of these, by the command of the run */
  readonly plan?: Plan;
  readonly state?: State;
}

/** A run of a test file during and after its execution. Its executor owns it. */
export interface TestedRun {
  readonly config: TestRun;
  readonly name: string;
  /** in its file */
  readonly index: number;
  status: TestStatus;
  diagnostics: readonly Diagnostic[];
  /** when it was begun; undefined: it was not */
  startedAt: Date | undefined;
  durationMs: number;
  verbose: VerboseRun | undefined;
}

/** A test file during and after its execution. Its executor owns it. */
export interface TestedFile {
  readonly config: TestFile;
  readonly name: string;
  readonly runs: readonly TestedRun[];
  status: TestStatus;
  diagnostics: readonly Diagnostic[];
}

/** All executed test files. */
export interface TestedSuite {
  /** in the order of their names */
  readonly files: readonly TestedFile[];
  /** true if no tests were executed and only objects of earlier executions were removed */
  readonly onlyCleansUp?: boolean;
  status: TestStatus;
}

/** An event of the test execution. */
export type TestEvent =
  | { readonly kind: 'abstract'; readonly suite: TestedSuite }
  | {
      readonly kind: 'file';
      readonly file: TestedFile;
      readonly progress: 'starting' | 'teardown' | 'complete';
    }
  | {
      readonly kind: 'run';
      readonly run: TestedRun;
      readonly file: TestedFile;
      readonly progress: 'starting' | 'running' | 'teardown' | 'complete';
      readonly elapsedMs: number;
    }
  | {
      /** the result of removing the objects of runs */
      readonly kind: 'cleanup';
      readonly run: TestedRun;
      readonly file: TestedFile;
      readonly state: State;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      /** the clean-up was aborted; contains the existing objects */
      readonly kind: 'interrupt';
      readonly run: TestedRun;
      readonly file: TestedFile;
      /** the state of the configuration under test */
      readonly state: State;
      /** the states of other modules and keys, with the runs that created them */
      readonly states: readonly { readonly run: TestedRun; readonly state: State }[];
      /** addresses of objects that were being created */
      readonly created: readonly string[];
    }
  | { readonly kind: 'conclusion'; readonly suite: TestedSuite }
  /** after all files, if requested */
  | { readonly kind: 'coverage'; readonly report: CoverageReport };
