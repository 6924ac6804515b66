import {
  type CheckMemo,
  type Configuration,
  EMPTY_STATE,
  type TestSuite,
  validateConfiguration,
  withTestModules,
} from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { checkBackendType } from './backend/configured-backend.ts';
import { loadProject } from './load-project.ts';
import { openProviders } from './open-providers.ts';
import { overrideWarnings } from './providers-elsewhere.ts';
import type { Providers } from './providers.ts';
import type { Project } from './project.ts';
import { providersInUse } from './provider-requirements.ts';
import { DEFAULT_PARALLELISM } from './run/run-request.ts';
import { runSettings } from './run/run-settings.ts';
import { SILENT } from './run-ports.ts';
import { expectationProblems } from './test/expected-failures.ts';
import { fileOverrideProblems, runOverrideProblems } from './test/override-targets.ts';
import { DEFAULT_WORKSPACE, workspaceProblem } from './workspace.ts';

/**
 * Validates the configuration, and optionally its test files and query files, without state, input values or network
 * access.
 */
export async function validate(
  project: Project,
  testDirectory?: string,
  queries: boolean = false,
): Promise<readonly Diagnostic[]> {
  const problems = await validateProject(project, testDirectory, queries);
  return [...problems, ...overrideWarnings(project)];
}

async function validateProject(
  project: Project,
  testDirectory: string | undefined,
  queries: boolean,
): Promise<readonly Diagnostic[]> {
  const loaded = await loadProject(project, project.variables, testDirectory, queries);
  const { configuration, tests, diagnostics: loading } = loaded;
  if (configuration === undefined || hasErrors(loading)) return loading;
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return [...loading, problem];
  const diagnostics = [...loading];
  const needed = withTestModules(configuration, tests);
  await using providers = await openProviders(project, needed, EMPTY_STATE, diagnostics, {
    checkLock: false,
  });
  if (providers === undefined) return diagnostics;
  providers.warm(providersInUse(needed));
  diagnostics.push(...(await validateLoaded(project, { configuration, tests }, providers)));
  return diagnostics;
}

/** A loaded configuration, with its test files if they were requested. */
export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly tests: TestSuite | undefined;
}

/** Options of {@link validateLoaded}. */
export interface ValidationOptions {
  /** true: providers are not asked, so that no process is started */
  readonly withoutProviders?: boolean;
  /** called between declarations; a promise interrupts the validation, and abandons it if it rejects */
  readonly pause?: () => Promise<void> | undefined;
  /**
   * Returns the outcomes of earlier validations of a configuration: of the root module for ".", otherwise of the module
   * of test runs with this source address
   */
  readonly memo?: (module: string) => CheckMemo;
}

/**
 * Validates a loaded configuration without errors, and its tests. Parts whose provider has no schema in `providers` are
 * skipped.
 */
export async function validateLoaded(
  project: Project,
  { configuration, tests }: LoadedConfiguration,
  providers: Providers,
  { memo, ...options }: ValidationOptions = {},
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const check = async (checked: Configuration, module: string): Promise<void> => {
    const settings = runSettings(
      project,
      checked,
      providers,
      DEFAULT_WORKSPACE,
      DEFAULT_PARALLELISM,
      SILENT,
      new Map(),
    );
    const kept = memo === undefined ? {} : { memo: memo(module) };
    diagnostics.push(...(await validateConfiguration({ ...settings, ...options, ...kept })));
  };
  await check(configuration, '.');
  diagnostics.push(...(await checkBackendType(configuration)));
  const checked = new Set<string>();
  for (const file of tests?.files.values() ?? []) {
    diagnostics.push(...fileOverrideProblems(configuration, file));
    for (const run of file.runs) {
      const other = run.module?.configuration;
      if (other !== undefined && run.module?.source.kind === 'local') {
        const { path } = run.module.source;
        if (!checked.has(path)) await check(other, path);
        checked.add(path);
      }
      diagnostics.push(
        ...expectationProblems(run),
        ...runOverrideProblems(other ?? configuration, run),
      );
    }
  }
  return diagnostics;
}
