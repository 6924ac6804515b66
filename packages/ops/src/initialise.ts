import {
  checkCoreVersions,
  type Configuration,
  type LoadResult,
  type State,
  type StateManager,
  withTestModules,
} from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { withSpan, userErrorText } from '@terrane/host';
import { initBackend, previousBackend, type BackendEvent } from './backend/init-backend.ts';
import type { InitBackendOptions } from './backend/init-options.ts';
import type { FoundBackend } from './backend/current-backend.ts';
import { copyFromModule, type CopyEvent } from './from-module.ts';
import { installProjectProviders, type ProvidersEvent } from './install-providers.ts';
import { installModules, type ModuleEvent } from './install-modules.ts';
import type { StateBackend } from './backend/state-backend.ts';
import { openEncryptionOf } from './encryption.ts';
import { hasConfiguration, loadProject, loadRootModule } from './load-project.ts';
import { rememberPluginDirectories } from './plugin-directories.ts';
import type { Project } from './project.ts';
import { errorOf, joinedError, plainError } from './run-ports.ts';
import { stateManagerOf } from './state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';
import { selectedWorkspace, workspaceProblem } from './workspace.ts';

/** Events of `init`. */
export type InitEvent =
  | { readonly kind: 'empty' }
  | CopyEvent
  | { readonly kind: 'backend' | 'cloud' }
  | BackendEvent
  | { readonly kind: 'modules' }
  | { readonly kind: 'module'; readonly path: string; readonly directory: string }
  | Extract<ModuleEvent, { kind: 'modules-locked' }>
  | ProvidersEvent;

/** The options of `init`. */
export interface InitOptions extends InitBackendOptions {
  /** the module that the working directory is to become a copy of; "" for none */
  readonly fromModule: string;
  /** false: use the backend of the previous initialisation */
  readonly backend: boolean;
  /** the test directory, whose modules and providers are installed too */
  readonly testDirectory: string;
  /** false: modules are not installed */
  readonly get: boolean;
  /** true if versions of modules and providers are selected again */
  readonly upgrade: boolean;
  /** the lock file is not written */
  readonly readonlyLock: boolean;
  /** the `-plugin-dir` options; without any, the previous ones apply */
  readonly pluginDirectories: readonly string[];
}

/** The diagnostics of `init`, and whether the configuration itself is invalid. */
export interface Initialised {
  readonly diagnostics: readonly Diagnostic[];
  readonly invalidConfiguration: boolean;
}

/** Prepares a working directory: its backend, its modules, its providers and the lock file, in this order. */
export async function initialise(
  initialProject: Project,
  options: InitOptions,
  emit: (event: InitEvent) => void,
): Promise<Initialised> {
  let project = initialProject;
  const remembered = await remember(project, options.pluginDirectories);
  if (remembered !== undefined) return failedInit([remembered]);
  if (options.fromModule !== '') {
    const { fromModule, ports } = options;
    const copied = await copyFromModule(project, fromModule, ports.signal, emit);
    if (hasErrors(copied)) return failedInit(copied);
  }
  if (!hasConfiguration(project)) {
    emit({ kind: 'empty' });
    return failedInit([]);
  }
  const early = await loadRootModule(project, options.testDirectory);
  if (options.backend) {
    const isCloud = early.configuration?.root.cloud !== undefined;
    emit({ kind: isCloud ? 'cloud' : 'backend' });
  }
  const encryption = await prepareEncryption(project, early, options);
  if (hasErrors(encryption.diagnostics)) return failedInit(encryption.diagnostics);
  project = { ...project, stateCodec: encryption.stateCodec };
  const { traces } = project.host;
  const backend = await withSpan(traces, 'initialize backend', {}, async (span) => {
    const set = await backendFor(project, early.configuration, options, emit);
    if (hasErrors(set.diagnostics)) span.fail();
    return set;
  });
  const read = await stateIn(project, backend.backend);
  if (hasErrors(read.diagnostics)) return failedInit(read.diagnostics);
  const loaded = await loadWithModules(project, early, options, emit);
  if ('problems' in loaded) return failedInit(loaded.problems);
  const { configuration, diagnostics } = loaded;
  if (configuration === undefined || hasErrors(diagnostics)) {
    return invalid(loaded, options.backend ? backend.diagnostics : []);
  }
  if (hasErrors(backend.diagnostics)) return failedInit([...diagnostics, ...backend.diagnostics]);
  const providers = await withSpan(traces, 'install providers', {}, async (span) => {
    const installation = await installProjectProviders(
      project,
      withTestModules(configuration, loaded.tests),
      read.state,
      options,
      emit,
    );
    if (hasErrors(installation)) span.fail();
    return installation;
  });
  return failedInit([
    ...encryption.diagnostics,
    ...diagnostics,
    ...backend.diagnostics,
    ...providers,
  ]);
}

/** The result for an invalid configuration. */
function invalid(loaded: LoadResult, backendDiagnostics: readonly Diagnostic[]): Initialised {
  const { configuration, diagnostics } = loaded;
  const versions = configuration === undefined ? [] : checkCoreVersions(configuration);
  // A configuration for a later version may look invalid to this one.
  if (versions.length > 0) return failedInit(versions);
  // With module calls, Terraform ends with their errors before it reports the backend.
  const reportsBackend = configuration?.root.calls.size === 0;
  return {
    diagnostics: [...diagnostics, ...(reportsBackend ? backendDiagnostics : [])],
    invalidConfiguration: needsExplanation(loaded),
  };
}

/** Opens the encryption of the state and its keys; nothing is encrypted with `-backend=false`. */
async function prepareEncryption(
  project: Project,
  { configuration }: LoadResult,
  { backend }: InitOptions,
): Promise<{
  readonly stateCodec: Project['stateCodec'];
  readonly diagnostics: readonly Diagnostic[];
}> {
  if (!backend) return { stateCodec: undefined, diagnostics: [] };
  const { encryption, diagnostics } = await openEncryptionOf(project, configuration);
  return {
    stateCodec: encryption?.state,
    diagnostics: [...diagnostics, ...((await encryption?.prepare()) ?? [])],
  };
}

/** Loads the configuration with its modules, which are installed unless `-get=false`. */
async function loadWithModules(
  project: Project,
  { configuration, testModules }: LoadResult,
  { get, upgrade, readonlyLock, testDirectory, ports }: InitOptions,
  emit: (event: InitEvent) => void,
): Promise<LoadResult | { readonly problems: readonly Diagnostic[] }> {
  const hasCalls = (configuration?.root.calls.size ?? 0) > 0 || testModules === true;
  if (!get || configuration === undefined || !hasCalls) {
    return await loadProject(project, project.variables, testDirectory);
  }
  emit({ kind: 'modules' });
  const { traces } = project.host;
  const installed = await withSpan(traces, 'install modules', {}, async (span) => {
    const installation = await installModules(project, {
      upgrade,
      testDirectory,
      locks: { readonlyLock },
      signal: ports.signal,
      emit: forwardModuleEvents(emit),
    });
    if (installation.failed) span.fail();
    return installation;
  });
  const { loaded } = installed;
  return installed.failed || installed.interrupted ? { problems: loaded.diagnostics } : loaded;
}

function failedInit(diagnostics: readonly Diagnostic[]): Initialised {
  return { diagnostics, invalidConfiguration: false };
}

async function remember(
  project: Project,
  directories: readonly string[],
): Promise<Diagnostic | undefined> {
  if (directories.length === 0) return undefined;
  try {
    // A single empty option discards the stored ones.
    const keptDirectories = directories.length === 1 && directories[0] === '' ? [] : directories;
    await rememberPluginDirectories(project, keptDirectories);
    return undefined;
  } catch (error) {
    const reason = userErrorText(error);
    return plainError(`Error saving -plugin-dir to workspace directory: ${reason}`);
  }
}

async function backendFor(
  project: Project,
  configuration: Configuration | undefined,
  options: InitOptions,
  emit: (event: InitEvent) => void,
): Promise<FoundBackend> {
  if (!options.backend) return await previousBackend(project);
  // An unreadable configuration does not identify the backend, nor does one with two of them.
  const { backend, cloud } = configuration?.root ?? {};
  if (configuration === undefined || (backend !== undefined && cloud !== undefined))
    return { diagnostics: [] };
  return await initBackend(project, configuration, options, emit);
}

/** Reads the state, which may require further providers. */
async function stateIn(
  project: Project,
  backend: StateBackend | undefined,
): Promise<{ readonly state?: State; readonly diagnostics: readonly Diagnostic[] }> {
  if (backend === undefined) return { diagnostics: [] };
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return { diagnostics: [problem] };
  const { name } = await selectedWorkspace(project);
  let manager: StateManager;
  try {
    manager = await stateManagerOf(project, backend, name, DEFAULT_STATE_OPTIONS);
  } catch (error) {
    return { diagnostics: [plainError(`Error loading state: ${errorOf(error).summary}`)] };
  }
  const { file, diagnostics } = await manager.read();
  if (hasErrors(diagnostics)) {
    return { diagnostics: [joinedError('Error refreshing state', diagnostics)] };
  }
  return file === undefined ? { diagnostics: [] } : { state: file.state, diagnostics: [] };
}

/**
 * Returns true if the message must name the configuration as the cause. For errors in a root module with module calls,
 * Terraform prints only the errors, because it finds them while it installs the modules.
 */
function needsExplanation({ configuration, rootFault }: LoadResult): boolean {
  if (configuration === undefined) return true;
  return rootFault === 'syntax' || (rootFault !== undefined && configuration.root.calls.size === 0);
}

/** Converts module events to events of `init`. */
export function forwardModuleEvents(
  emit: (event: InitEvent) => void,
): (event: ModuleEvent) => void {
  return (event) => {
    if (event.kind === 'modules-locked') {
      emit(event);
      return;
    }
    const { key: path } = event;
    if (event.kind === 'download') emit({ ...event, path });
    else emit({ kind: 'module', path, directory: event.directory });
  };
}
