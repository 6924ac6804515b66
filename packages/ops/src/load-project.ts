import {
  collectVariables,
  configurationFiles,
  type ConstantSettings,
  type InputValue,
  loadConfiguration,
  type LoadOptions,
  type LoadResult,
  type ModuleSourcePort,
  type VariableOption,
} from '@terrane/engine';
import type { FunctionSpec } from '@terrane/cty';
import { type FunctionPorts, functionTable, loadFunctionLibraries } from '@terrane/functions';
import type { Diagnostic } from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import { mentionsEncryption } from './encryption.ts';
import { installedModules } from './module-manifest.ts';
import { type Project, workingDirectoryOf } from './project.ts';
import { selectedWorkspace } from './workspace.ts';

/**
 * Loads the project's configuration with all modules. Variables matter for constant expressions such as module sources;
 * by default those of the project's command line are used. `tests`, the test directory, and `queries` also load test
 * files and query files.
 */
export async function loadProject(
  project: Project,
  variables: readonly VariableOption[] = project.variables,
  tests?: string,
  queries: boolean = false,
): Promise<LoadResult> {
  const modules = installedModules(project);
  const how = { modules, queries, ...(tests === undefined ? {} : { tests }) };
  return await load(project, variables, how);
}

/** The project's configuration while its modules are installed, which the port does. */
export async function loadWhileInstalling(
  project: Project,
  modules: ModuleSourcePort,
  tests?: string,
): Promise<LoadResult> {
  return await load(project, project.variables, {
    modules,
    belowErrors: true,
    ...(tests === undefined ? {} : { tests }),
  });
}

/** Loads the root module alone, which suffices to find the backend. */
export async function loadRootModule(project: Project, tests?: string): Promise<LoadResult> {
  return await load(project, project.variables, {
    modules: installedModules(project),
    rootOnly: true,
    ...(tests === undefined ? {} : { tests }),
  });
}

async function load(
  project: Project,
  variables: readonly VariableOption[],
  how: Pick<LoadOptions, 'modules' | 'rootOnly' | 'belowErrors' | 'tests' | 'queries'>,
): Promise<LoadResult> {
  let collected: ReturnType<typeof collectVariables> | undefined;
  const inputOf = (name: string): InputValue | undefined => {
    collected ??= collectVariables(project.host, '.', variables);
    return collected.values.get(name);
  };
  const { name: workspace } = await selectedWorkspace(project);
  const loaded = await loadWithConstants(project, project.host.files, inputOf, workspace, how);
  return { ...loaded, diagnostics: [...variableProblems(collected), ...loaded.diagnostics] };
}

/** Returns the diagnostics of input variables, if any were collected. */
function variableProblems(
  collected: ReturnType<typeof collectVariables> | undefined,
): readonly Diagnostic[] {
  return collected?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];
}

/** A configuration from these files, with these values for root variables. */
export async function loadWithConstants(
  project: Project,
  files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>,
  inputOf: ConstantSettings['inputOf'],
  workspace: string,
  how: Pick<LoadOptions, 'modules' | 'rootOnly' | 'belowErrors' | 'tests' | 'queries'> = {
    modules: installedModules(project),
  },
): Promise<LoadResult> {
  let table = NO_FUNCTIONS;
  let isRequested = false;
  const prepareFunctions = async (): Promise<void> => {
    await loadFunctionLibraries();
    table = functionTable(functionPorts(project), { baseDir: '.', pure: false });
  };
  const constants: ConstantSettings = {
    prepareFunctions,
    inputOf,
    workspace,
    cwd: workingDirectoryOf(project),
    functions: () => {
      isRequested = true;
      return table;
    },
  };
  const { parsedFile, declarations } = project;
  const options: LoadOptions = {
    ...how,
    constants,
    ...(parsedFile === undefined ? {} : { parsedFile }),
    ...(declarations === undefined ? {} : { declarations }),
  };
  const loaded = loadConfiguration(files, project.configurationDirectory ?? '.', options);
  // The encryption configuration is evaluated later and may call functions too.
  if (!isRequested && !mentionsEncryption(project, loaded.configuration)) return loaded;
  // Few configurations call functions this early, so only they pay for having them.
  await prepareFunctions();
  if (!isRequested) return loaded;
  return loadConfiguration(files, project.configurationDirectory ?? '.', options);
}

const NO_FUNCTIONS: ReadonlyMap<string, FunctionSpec> = new Map();

/** Returns the ports of language functions. */
export function functionPorts({ host }: Project): FunctionPorts {
  const { files, environment, clock, random } = host;
  return { files, environment, clock, random };
}

/** Returns true if the directory contains a configuration file; with `queries`, query files count. */
export function hasConfiguration(project: Project, queries: boolean = false): boolean {
  const files = configurationFiles(project.host.files, project.configurationDirectory ?? '.');
  if (files === undefined) return false;
  const { primary, overrides } = files;
  return primary.length + overrides.length + (queries ? files.queries.length : 0) > 0;
}
