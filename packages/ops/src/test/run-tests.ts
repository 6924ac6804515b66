import { quoteText, str } from '@terrane/cty';
import {
  collectTestVariables,
  collectVariables,
  type Configuration,
  Coverage,
  EMPTY_STATE,
  type InputValue,
  mergeStatus,
  type Plan,
  type TestedFile,
  type TestedSuite,
  type TestEvent,
  type TestRun,
  type TestSuite,
  type VariableOption,
  withTestModules,
} from '@terrane/engine';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { posix } from 'node:path';
import { backendOfBlock } from '../backend/configured-backend.ts';
import { openEncryptionOf } from '../encryption.ts';
import { functionPorts, loadProject } from '../load-project.ts';
import { openProviders } from '../open-providers.ts';
import type { Project } from '../project.ts';
import { providersInUse } from '../provider-requirements.ts';
import { workspaceProblem } from '../workspace.ts';
import { FileExecution, type FileSettings } from './execute-file.ts';
import { TestManifest } from './test-manifest.ts';

/** The tests to execute, and their options. */
export interface TestRequest {
  /** relative to the configuration */
  readonly testDirectory: string;
  /** names of files; empty: all */
  readonly filter: readonly string[];
  /** warns of filter names without a file, if `reported`; Terraform's JSON output has no such warning */
  readonly unknownFiles?: 'reported' | 'ignored';
  readonly variables: readonly VariableOption[];
  /** reports the plan or state of each run */
  readonly verbose: boolean;
  /** reports configuration coverage at the end */
  readonly coverage?: boolean;
  /** maximum number of parallel provider operations in a run */
  readonly parallelism?: number;
  /** defers changes that a run cannot plan yet, as `plan -allow-deferral` does */
  readonly allowDeferral?: boolean;
  /** maximum number of parallel runs, where a file allows them */
  readonly runParallelism: number;
  /** removes remaining objects instead of executing tests; "repair" excludes objects that are kept deliberately */
  readonly cleanup?: 'all' | 'repair' | undefined;
}

/** The communication of a test execution with its caller. */
export interface TestPorts {
  readonly emit: (event: TestEvent) => void;
  /** shows diagnostics before the tests start */
  readonly showDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
  /** aborted to stop gracefully: the current run is ended and cleaned up, all others are skipped */
  readonly signal?: AbortSignal;
  /** aborted to cancel running operations, without clean-up */
  readonly abort?: AbortSignal;
}

/** The test results; without a suite no tests were executed. */
export interface Tested {
  readonly suite?: TestedSuite;
  readonly diagnostics: readonly Diagnostic[];
}

/** Executes the tests of a configuration. */
export async function runTests(
  project: Project,
  request: TestRequest,
  ports: TestPorts,
): Promise<Tested> {
  const loaded = await loadTests(project, request);
  const diagnostics = [...loaded.diagnostics];
  if (loaded.result === undefined) return { diagnostics };
  const { configuration, tests, outside, ofTests } = loaded.result;
  // Without tests no provider is needed.
  const needed = tests.files.size === 0 ? undefined : withTestModules(configuration, tests);
  await using providers = await openProviders(project, needed, EMPTY_STATE, diagnostics);
  if (providers === undefined) return { diagnostics };
  if (needed !== undefined) providers.warm(providersInUse(needed));
  if (request.unknownFiles === 'reported') diagnostics.push(...unknownFiles(tests, request.filter));
  const encrypted = await openEncryptionOf(project, configuration);
  diagnostics.push(...encrypted.diagnostics);
  if (hasErrors(encrypted.diagnostics)) return { diagnostics };
  const keeping = { ...project, stateCodec: encrypted.encryption?.state };
  const manifest = await openManifest(keeping, diagnostics);
  if (manifest === undefined) return { diagnostics };
  ports.showDiagnostics(diagnostics);
  const suite = suiteOf(tests, request);
  ports.emit({ kind: 'abstract', suite });
  await loadFunctionLibraries();
  const coverage = request.coverage === true ? new Coverage(configuration) : undefined;
  const settings: Omit<FileSettings, 'globals'> = {
    project: keeping,
    manifest,
    mode: request.cleanup === undefined ? 'test' : 'cleanup',
    repair: request.cleanup === 'repair',
    providers,
    configuration,
    functions: functionTable(functionPorts(project), { baseDir: '.', pure: false }),
    assertionFunctions: (command, plan) => assertionFunctions(project, command, plan),
    verbose: request.verbose,
    coverage,
    parallelism: request.parallelism,
    allowDeferral: request.allowDeferral ?? false,
    runParallelism: request.runParallelism,
    emit: ports.emit,
    stop: ports.signal,
    abort: ports.abort,
  };
  suite.status = 'pass';
  for (const file of suite.files) {
    if (ports.abort?.aborted === true) return { suite, diagnostics: [] };
    const inDirectory = posix.dirname(file.name) === posix.normalize(request.testDirectory);
    const globals = inDirectory ? new Map([...outside, ...ofTests]) : outside;
    await new FileExecution({ ...settings, globals }, file).execute();
    suite.status = mergeStatus(suite.status, file.status);
  }
  ports.emit({ kind: 'conclusion', suite });
  if (coverage !== undefined) ports.emit({ kind: 'coverage', report: coverage.report });
  return { suite, diagnostics: [] };
}

/** The tests of a configuration and their variables. */
interface LoadedTests {
  readonly configuration: Configuration;
  readonly tests: TestSuite;
  /** values of the command line and the working directory */
  readonly outside: ReadonlyMap<string, InputValue>;
  /** values of the test directory, for the files in it */
  readonly ofTests: ReadonlyMap<string, InputValue>;
}

/** Loads the tests and everything that they depend on but providers. Without a result there are errors. */
async function loadTests(
  project: Project,
  { testDirectory, variables }: TestRequest,
): Promise<{ readonly result?: LoadedTests; readonly diagnostics: readonly Diagnostic[] }> {
  if (!isBelow(testDirectory)) {
    const detail =
      'The testing directory must be a relative path pointing to a directory local to the configuration directory.';
    return { diagnostics: [errorDiagnostic('Invalid testing directory', detail)] };
  }
  const loaded = await loadProject(project, variables, testDirectory);
  const diagnostics = [...loaded.diagnostics];
  const { configuration, tests } = loaded;
  if (configuration === undefined || tests === undefined || hasErrors(diagnostics))
    return { diagnostics };
  const ofTests = collectTestVariables(project.host, testDirectory);
  diagnostics.push(...ofTests.diagnostics);
  const outside = collectVariables(project.host, '.', variables);
  diagnostics.push(...outside.diagnostics);
  if (hasErrors(outside.diagnostics)) return { diagnostics };
  const reused = await backendProblems(tests);
  diagnostics.push(...reused);
  if (hasErrors(reused)) return { diagnostics };
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return { diagnostics: [...diagnostics, problem] };
  const result = { configuration, tests, outside: outside.values, ofTests: ofTests.values };
  return { result, diagnostics };
}

/** Warns of requested test files that do not exist. */
function unknownFiles({ files }: TestSuite, names: readonly string[]): readonly Diagnostic[] {
  return names
    .filter((name) => !files.has(name))
    .map((name) => {
      const detail = `The specified test file, ${name}, could not be found.`;
      return warningDiagnostic('Unknown test file', detail);
    });
}

function assertionFunctions(
  project: Project,
  command: TestRun['command'],
  plan: Plan,
): ReturnType<typeof functionTable> {
  return functionTable(functionPorts(project), {
    baseDir: '.',
    pure: command === 'plan',
    plantimestamp: str(plan.timestamp),
  });
}

async function openManifest(
  project: Project,
  diagnostics: Diagnostic[],
): Promise<TestManifest | undefined> {
  try {
    return await TestManifest.load(project);
  } catch (error) {
    const reason = userErrorText(error);
    const detail = `The test state manifest file could not be opened: ${reason}.`;
    diagnostics.push(errorDiagnostic('Failed to open state manifest', detail));
    return undefined;
  }
}

/** Returns errors for unknown run backends, and for backends that two runs of a file share. */
async function backendProblems({ files }: TestSuite): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { runs } of files.values()) {
    const seen = new Map<number, string>();
    for (const { name, backend: block } of runs) {
      if (block === undefined) continue;
      const { configured, diagnostics: problems } = await backendOfBlock(block);
      diagnostics.push(...problems);
      if (configured === undefined) continue;
      const other = seen.get(configured.hash);
      if (other === undefined) seen.set(configured.hash, name);
      else {
        diagnostics.push(
          errorDiagnostic(
            'Repeat use of the same backend block',
            `The run ${quoteText(name)} contains a backend configuration that's already been used in run ${quoteText(other)}. Sharing the same backend configuration between separate runs will result in conflicting state updates.`,
            block.typeRange,
          ),
        );
      }
    }
  }
  return diagnostics;
}

function suiteOf(
  { files }: TestSuite,
  { filter, cleanup }: Pick<TestRequest, 'filter' | 'cleanup'>,
): TestedSuite {
  const selectedFiles = [...files.values()].filter(
    ({ name }) => filter.length === 0 || filter.includes(name),
  );
  return {
    status: 'pending',
    ...(cleanup === undefined ? {} : { onlyCleansUp: true }),
    files: selectedFiles.map((config): TestedFile => {
      const runs = config.runs.map((run, index) => ({
        config: run,
        name: run.name,
        index,
        status: 'pending' as const,
        diagnostics: [],
        startedAt: undefined,
        durationMs: 0,
        verbose: undefined,
      }));
      return { config, name: config.name, runs, status: 'pending', diagnostics: [] };
    }),
  };
}

/** Returns true if a path stays below its starting point (Go's filepath.IsLocal). */
function isBelow(path: string): boolean {
  if (path === '' || path.startsWith('/')) return false;
  const clean = posix.normalize(path);
  return clean !== '..' && !clean.startsWith('../');
}
