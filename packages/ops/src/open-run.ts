import {
  collectVariables,
  EMPTY_STATE,
  finalizeVariables,
  isOpenCreate,
  validateConfiguration,
  variableOrigins,
  withUncertain,
  type Configuration,
  type InputValue,
  type LockGuard,
  type RunSettings,
  type State,
  type StateFile,
  type StateManager,
  type VariableOption,
} from '@terrane/engine';
import type { Value } from '@terrane/cty';
import type { Encryption } from '@terrane/encryption';
import { forManyListeners } from '@terrane/host';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { askForVariables } from './ask-variables.ts';
import { backendOf, type FoundBackend } from './backend/current-backend.ts';
import type { SavedBackend } from './backend/saved-backend.ts';
import type { StateBackend } from './backend/state-backend.ts';
import { functionPorts, hasConfiguration, loadProject } from './load-project.ts';
import { openEncryptionOf } from './encryption.ts';
import { withLockedState, type Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { chooseProviders } from './choose-providers.ts';
import { providersInUse } from './provider-requirements.ts';
import { Providers } from './providers.ts';
import { provisionerPort } from './provisioner-port.ts';
import { errorOf, type RunPorts } from './run-ports.ts';
import {
  onlyHere,
  type RemotePlace,
  remotePlace,
  remoteVersionProblems,
} from './remote-version.ts';
import { stateManagerOf } from './state-manager.ts';
import type { StateOptions } from './state-options.ts';
import { selectedWorkspace, workspaceProblem } from './workspace.ts';

/** How many operations of providers are under way at once unless somebody says otherwise. */
export const DEFAULT_PARALLELISM = 10;

/** What every run over the configuration is told. */
export interface RunRequest {
  readonly state: StateOptions;
  readonly variables: readonly VariableOption[];
  /** 0: as nobody says otherwise; less is an error */
  readonly parallelism: number;
}

/** A run that is ready to go: state locked and read, providers and variables known. */
export interface OpenRun {
  readonly project: Project;
  readonly configuration: Configuration;
  readonly providers: Providers;
  /** what was given for variables, parsed but not converted */
  readonly givenVariables: ReadonlyMap<string, Value>;
  readonly manager: StateManager;
  readonly base: StateFile | undefined;
  readonly state: State;
  readonly workspace: string;
  /** how the backend was set up */
  readonly backend: SavedBackend | undefined;
  /** what states and plans are encrypted with, if they are */
  readonly encryption: Encryption | undefined;
  readonly settings: RunSettings;
  /** warnings up to here */
  readonly diagnostics: readonly Diagnostic[];
}

/** How a run is opened, beside the usual. */
export interface OpenRunOptions<T> {
  /** a directory without configuration is an error that says this */
  readonly emptyAllowed?: string;
  /** query files are part of the configuration */
  readonly queries?: boolean;
  /** what will be written, if it is to be encrypted; by default the state, unless the run only plans */
  readonly writes?: 'state' | 'plan';
  /** looks at the configuration before the state is touched; what it gives ends the run */
  readonly check?: (configuration: Configuration) => Outcome<T> | undefined;
  /** has the server of the backend make the run, where it is to; without it, that is an error */
  readonly remotely?: (
    place: RemotePlace,
    loaded: {
      readonly configuration: Configuration;
      readonly given: ReadonlyMap<string, InputValue>;
    },
  ) => Promise<Outcome<T>>;
  /** the state is changed here also where a server makes plans and applies them */
  readonly changesHere?: boolean;
}

/** Loads everything, locks and reads the state, works, and unlocks. Errors on the way end it. */
export async function withOpenRun<T>(
  project: Project,
  request: RunRequest,
  ports: RunPorts,
  operation: string,
  work: (run: OpenRun) => Promise<Outcome<T>>,
  options: OpenRunOptions<T> = {},
): Promise<Outcome<T>> {
  const { queries = false } = options;
  const parallelism = parallelismOf(request);
  if (typeof parallelism !== 'number') return { diagnostics: [parallelism] };
  const loaded = await loadProject(project, request.variables, undefined, queries);
  const { configuration } = loaded;
  if (configuration === undefined || hasErrors(loaded.diagnostics)) {
    return { diagnostics: loaded.diagnostics };
  }
  const early = options.check?.(configuration);
  if (early !== undefined) return early;
  const found = await findState(project, configuration);
  if (found.found === undefined) return { diagnostics: found.diagnostics };
  const collected = collectVariables(project.host, '.', request.variables);
  if (hasErrors(collected.diagnostics)) return { diagnostics: collected.diagnostics };
  if (options.changesHere !== true) {
    const elsewhere = await whereToRun(found.found);
    if (hasErrors(elsewhere.diagnostics)) return { diagnostics: elsewhere.diagnostics };
    if (elsewhere.result !== undefined) {
      const { remotely } = options;
      return remotely === undefined
        ? { diagnostics: [onlyHere(elsewhere.result)] }
        : await remotely(elsewhere.result, { configuration, given: collected.values });
    }
  }
  const opened = await openFound(found.found, found.diagnostics, request.state);
  if (opened.place === undefined) return { diagnostics: opened.diagnostics };
  if (options.emptyAllowed !== undefined && !hasConfiguration(project, queries)) {
    return { diagnostics: [errorDiagnostic('No configuration files', options.emptyAllowed)] };
  }
  const { manager, workspace, encryption } = opened.place;
  const versions =
    options.changesHere === true ? await changeProblems(opened.place, request.state) : [];
  if (hasErrors(versions)) return { diagnostics: versions };
  const writes = options.writes ?? (operation === 'OperationTypePlan' ? undefined : 'state');
  if (writes !== undefined) {
    // Better known before anything is done than after it.
    const keyless = (await encryption?.prepare(writes)) ?? [];
    if (hasErrors(keyless)) return { diagnostics: keyless };
  }
  const lockPorts = { ...ports, clock: project.host.clock };
  return await withLockedState(manager, request.state, operation, lockPorts, async (base) => {
    const state = base?.state ?? EMPTY_STATE;
    const diagnostics = [
      ...loaded.diagnostics,
      ...opened.diagnostics,
      ...versions,
      ...collected.diagnostics,
    ];
    // What interrupted runs may have created needs its providers too.
    const known = withUncertain(state, manager.interrupted.filter(isOpenCreate));
    const ofProviders: Diagnostic[] = [];
    await using providers = await openProviders(project, configuration, known, ofProviders, {
      checkLock: true,
      encryption,
    });
    const early = ports.early === undefined ? [] : ofProviders.filter(isWarning);
    if (early.length > 0) ports.early?.(early);
    diagnostics.push(...ofProviders.filter((each) => !early.includes(each)));
    if (providers === undefined) return { diagnostics };
    providers.warm(providersInUse(configuration, known));
    const given = await askForVariables(configuration, collected.values, ports);
    const variables = finalizeVariables(configuration, given);
    diagnostics.push(...variables.diagnostics);
    if (hasErrors(diagnostics)) return { diagnostics };
    const { values, ranges, unsuitable } = variables;
    const settings: RunSettings = {
      ...settingsOf(
        project,
        configuration,
        providers,
        workspace,
        parallelism,
        { ...ports, lock: manager.guard },
        values,
      ),
      variableRanges: ranges,
      variableOrigins: variableOrigins(given),
      unsuitable,
      constants: new Map(),
    };
    diagnostics.push(...(await validateConfiguration(settings)));
    if (hasErrors(diagnostics)) return { diagnostics };
    const outcome = await work({
      project,
      configuration,
      providers,
      givenVariables: variables.given,
      manager,
      base,
      state,
      workspace,
      backend: opened.place?.saved,
      encryption,
      settings,
      diagnostics,
    });
    return outcome;
  });
}

/** How many operations of providers may be under way at once, or what is wrong with what a request says. */
export function parallelismOf({
  parallelism,
}: Pick<RunRequest, 'parallelism'>): number | Diagnostic {
  if (parallelism >= 0) return parallelism === 0 ? DEFAULT_PARALLELISM : parallelism;
  return errorDiagnostic(
    'Invalid parallelism value',
    `The parallelism must be a positive value. Not ${parallelism}.`,
  );
}

/** Where plans of a state are to be made and applied, if not here. */
export async function whereToRun({
  backend,
  workspace,
}: Pick<StatePlace, 'backend' | 'workspace'>): Promise<Outcome<RemotePlace>> {
  try {
    const place = await remotePlace(backend, workspace);
    return { diagnostics: [], ...(place === undefined ? {} : { result: place }) };
  } catch (error) {
    const { summary, detail } = errorOf(error);
    return { diagnostics: [errorDiagnostic(`error starting operation: ${summary}`, detail)] };
  }
}

/** Why a state is not to be changed by hand: its backend's server runs it by a version that could not read it any more. */
export async function changeProblems(
  { backend, workspace }: StatePlace,
  options: StateOptions,
): Promise<readonly Diagnostic[]> {
  const ignored = options.ignoreRemoteVersion === true;
  return await remoteVersionProblems(backend, workspace, ignored);
}

/** Where the state is, for a command that works on it alone. */
export interface StatePlace {
  readonly manager: StateManager;
  readonly backend: StateBackend;
  /** how it was set up */
  readonly saved: SavedBackend | undefined;
  readonly workspace: string;
  /** with what its states are encrypted with */
  readonly project: Project;
  readonly encryption: Encryption | undefined;
}

/**
 * Finds the state that the project's backend keeps for the selected workspace. It is encrypted as the configuration
 * says, unless that is known already.
 */
export async function openState(
  given: Project,
  configuration: Configuration | undefined,
  options: StateOptions,
  known?: KnownState,
): Promise<{ readonly place?: StatePlace; readonly diagnostics: readonly Diagnostic[] }> {
  const { found, diagnostics } = await findState(given, configuration, known);
  return found === undefined ? { diagnostics } : await openFound(found, diagnostics, options);
}

/** What is known of a state before it is looked for. */
export interface KnownState {
  readonly encryption?: Encryption | undefined;
  /** the backend, where it is not the one that was set up here */
  readonly backend?: FoundBackend | undefined;
}

/** Where a state is, before anything is asked of what keeps it. */
export type FoundState = Omit<StatePlace, 'manager'>;

/** The same, without opening the state: nothing is made where there is none. */
export async function findState(
  given: Project,
  configuration: Configuration | undefined,
  known?: KnownState,
): Promise<{ readonly found?: FoundState; readonly diagnostics: readonly Diagnostic[] }> {
  const encrypted =
    known === undefined
      ? await openEncryptionOf(given, configuration)
      : { ...known, diagnostics: [] };
  if (hasErrors(encrypted.diagnostics)) return { diagnostics: encrypted.diagnostics };
  const { encryption } = encrypted;
  const project: Project = { ...given, stateCodec: encryption?.state };
  const looked = known?.backend ?? (await backendOf(project, configuration));
  const diagnostics = [...encrypted.diagnostics, ...looked.diagnostics];
  const { backend, saved } = looked;
  if (backend === undefined) return { diagnostics };
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return { diagnostics: [problem] };
  const { name } = await selectedWorkspace(project);
  return { found: { backend, saved, workspace: name, project, encryption }, diagnostics };
}

async function openFound(
  found: FoundState,
  diagnostics: readonly Diagnostic[],
  options: StateOptions,
): Promise<{ readonly place?: StatePlace; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    const { project, backend, workspace } = found;
    const manager = await stateManagerOf(project, backend, workspace, options);
    return { place: { ...found, manager }, diagnostics };
  } catch (error) {
    return { diagnostics: [...diagnostics, errorOf(error)] };
  }
}

/**
 * The providers of a configuration and a state with their schemas, to be closed in the end; undefined, after
 * telling why, if some are missing.
 */
export async function openProviders(
  project: Project,
  configuration: Configuration | undefined,
  state: State,
  diagnostics: Diagnostic[],
  options: {
    readonly checkLock: boolean;
    readonly encryption?: Encryption | undefined;
  } = { checkLock: true },
): Promise<Providers | undefined> {
  const choice = await chooseProviders(project, configuration, state, options);
  diagnostics.push(...choice.diagnostics);
  if (hasErrors(choice.diagnostics)) return undefined;
  const providers = await Providers.open(project, choice.providers, options.encryption);
  diagnostics.push(...providers.diagnostics);
  return hasErrors(providers.diagnostics) ? undefined : providers;
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === 'warning';

/** The part of a run's settings that does not depend on what is to be done. */
export function settingsOf(
  project: Project,
  configuration: Configuration,
  providers: Providers,
  workspace: string,
  parallelism: number,
  ports: RunPorts & { readonly lock?: LockGuard | undefined },
  variables: ReadonlyMap<string, Value>,
): RunSettings {
  const { host } = project;
  const { signal, abort, lock } = ports;
  return {
    configuration,
    schemas: providers,
    providers,
    functions: functionPorts(project),
    provisioners: provisionerPort(host),
    workspace,
    cwd: project.originalDirectory,
    variables,
    parallelism,
    emit: ports.emit,
    ...(signal === undefined ? {} : { signal: forManyListeners(signal) }),
    ...(abort === undefined ? {} : { abort: forManyListeners(abort) }),
    ...(lock === undefined ? {} : { lock }),
    now: () => host.clock.now(),
    monotonicMs: () => host.clock.monotonicMs(),
    sleep: (ms, until) => host.clock.sleep(ms, until),
  };
}
