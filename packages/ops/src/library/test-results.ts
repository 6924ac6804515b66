import type { TestEvent, TestedFile, TestedRun, TestStatus } from '@terrane/engine';
import { type PlainDiagnostic, plainDiagnostic } from '../plain-results.ts';

/** The result of a run of a test file. */
export interface RunTestResult {
  readonly name: string;
  readonly status: TestStatus;
  readonly durationMs: number;
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** The result of a test file. */
export interface FileTestResult {
  readonly name: string;
  readonly status: TestStatus;
  readonly runs: readonly RunTestResult[];
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** The results of the tests of a configuration. */
export interface TestResults {
  /** of all files together; `pending` without any file */
  readonly status: TestStatus;
  readonly files: readonly FileTestResult[];
  /** warnings about the configuration and the tests */
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** An event of the execution of tests. */
export type LibraryTestEvent =
  | {
      readonly kind: 'file';
      readonly progress: 'starting' | 'teardown' | 'complete';
      readonly file: FileTestResult;
    }
  | {
      readonly kind: 'run';
      readonly progress: 'starting' | 'running' | 'teardown' | 'complete';
      /** name of the test file */
      readonly file: string;
      readonly run: RunTestResult;
      readonly elapsedMs: number;
    }
  | {
      /** objects of a run were removed; `remaining` are the addresses of those that could not be */
      readonly kind: 'cleanup';
      readonly file: string;
      readonly run: string;
      readonly remaining: readonly string[];
      readonly diagnostics: readonly PlainDiagnostic[];
    };

/** Converts the results of a test file. */
export function fileResult({ name, status, runs, diagnostics }: TestedFile): FileTestResult {
  return {
    name,
    status,
    runs: runs.map(runResult),
    diagnostics: diagnostics.map(plainDiagnostic),
  };
}

function runResult({ name, status, durationMs, diagnostics }: TestedRun): RunTestResult {
  return { name, status, durationMs, diagnostics: diagnostics.map(plainDiagnostic) };
}

/** Converts an event; returns no events for one that only repeats results. */
export function testEvents(event: TestEvent): readonly LibraryTestEvent[] {
  switch (event.kind) {
    case 'file':
      return [{ kind: 'file', progress: event.progress, file: fileResult(event.file) }];
    case 'run': {
      const { progress, file, run, elapsedMs } = event;
      return [{ kind: 'run', progress, file: file.name, run: runResult(run), elapsedMs }];
    }
    case 'cleanup': {
      const { file, run, state, diagnostics } = event;
      return [
        {
          kind: 'cleanup',
          file: file.name,
          run: run.name,
          remaining: Array.from(state.managedInstances(), ({ text }) => text),
          diagnostics: diagnostics.map(plainDiagnostic),
        },
      ];
    }
    case 'interrupt': {
      const { file, run, state, states } = event;
      const all = [state, ...states.map((each) => each.state)];
      const remaining = all.flatMap((each) =>
        Array.from(each.managedInstances(), ({ text }) => text),
      );
      return [{ kind: 'cleanup', file: file.name, run: run.name, remaining, diagnostics: [] }];
    }
    case 'abstract':
    case 'conclusion':
    case 'coverage':
      return [];
  }
}
