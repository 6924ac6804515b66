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

/** A run of a test file while it is executed, and after that. Whoever executes it owns it. */
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

/** A test file while it is executed, and after that. Whoever executes it owns it. */
export interface TestedFile {
  readonly config: TestFile;
  readonly name: string;
  readonly runs: readonly TestedRun[];
  status: TestStatus;
  diagnostics: readonly Diagnostic[];
}

/** All test files that are executed. */
export interface TestedSuite {
  /** in the order of their names */
  readonly files: readonly TestedFile[];
  /** nothing was executed, only what earlier executions left was removed */
  readonly onlyCleansUp?: boolean;
  status: TestStatus;
}

/** Something that is told while tests are executed. */
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
      /** what came of removing what runs had made */
      readonly kind: 'cleanup';
      readonly run: TestedRun;
      readonly file: TestedFile;
      readonly state: State;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      /** nothing more is cleaned up: what exists by now */
      readonly kind: 'interrupt';
      readonly run: TestedRun;
      readonly file: TestedFile;
      /** of the configuration under test */
      readonly state: State;
      /** of other modules and keys, by the runs that made them */
      readonly states: readonly { readonly run: TestedRun; readonly state: State }[];
      /** addresses of what was being created */
      readonly created: readonly string[];
    }
  | { readonly kind: 'conclusion'; readonly suite: TestedSuite }
  /** after everything, where it was asked for */
  | { readonly kind: 'coverage'; readonly report: CoverageReport };
