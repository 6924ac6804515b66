import { baseName, directoryOf, relativePath } from '@terrane/analysis';
import { hasErrors } from '@terrane/hcl';
import { DEFAULT_PARALLELISM, type Project, runTests } from '@terrane/ops';

/** The result of a test run, for people. */
export interface TestBlockResult {
  readonly message: string;
  readonly isPassed: boolean;
}

/**
 * Executes a test file up to its end, and reports the result of one of its runs: runs depend on the state that earlier
 * ones leave, so a run is not executed alone.
 */
export async function runTestBlock(
  project: Project,
  directory: string,
  path: string,
  run: string,
): Promise<TestBlockResult> {
  const folder = directoryOf(path);
  const testDirectory = folder === directory ? 'tests' : relativePath(directory, folder).slice(2);
  const file = folder === directory ? baseName(path) : `${testDirectory}/${baseName(path)}`;
  const problems: string[] = [];
  const { suite, diagnostics } = await runTests(
    project,
    {
      testDirectory,
      filter: [file],
      variables: project.variables,
      verbose: false,
      parallelism: DEFAULT_PARALLELISM,
      runParallelism: 1,
    },
    { emit: () => undefined, showDiagnostics: () => undefined },
  );
  for (const { summary } of diagnostics) problems.push(summary);
  const tested = suite?.files.flatMap(({ runs }) => runs).find(({ name }) => name === run);
  if (tested === undefined)
    return {
      message: `The run "${run}" was not executed. ${problems.join(' ')}`.trimEnd(),
      isPassed: false,
    };
  const failures = tested.diagnostics.filter(({ severity }) => severity === 'error');
  const isPassed = tested.status === 'pass' && !hasErrors(diagnostics);
  const details = failures.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n');
  return {
    message: `run "${run}": ${tested.status}${details === '' ? '' : `\n${details}`}`,
    isPassed,
  };
}
