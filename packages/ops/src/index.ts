// A working directory
export {
  type GivenProvider,
  openProject,
  type Project,
  type ProjectOptions,
  providerAddress,
  type ProviderOption,
} from './project.ts';
export { listFunctions } from './function-signatures.ts';
export { hasConfiguration, loadProject } from './load-project.ts';
export {
  DEFAULT_WORKSPACE,
  isWorkspaceName,
  selectedWorkspace,
  selectWorkspace,
  type SelectedWorkspace,
} from './workspace.ts';
export { DEFAULT_STATE_OPTIONS, type StateOptions } from './state-options.ts';

// A working directory with all operations, in JavaScript data
export {
  type ApplyResult,
  type InitResult,
  type LibraryApplyOptions,
  type LibraryInitOptions,
  type LibraryTestOptions,
  openWorkingDirectory,
  type PlanResult,
  type RefreshResult,
  type SavedPlanOptions,
  type WorkingDirectory,
  type WorkingDirectoryOptions,
} from './library/working-directory.ts';
export type { LibraryEvent } from './library/library-event.ts';
export type {
  LibraryPlanOptions,
  OperationOptions,
  VariableValues,
} from './library/library-options.ts';
export type { LibraryRun } from './library/library-run.ts';
export { RunError } from './library/run-error.ts';
export type {
  FileTestResult,
  LibraryTestEvent,
  RunTestResult,
  TestResults,
} from './library/test-results.ts';

// Run ports
export type { AnswerToQuestion, Ask, Question } from './ask.ts';
export { plainError, type RemotePorts, type RunPorts, SILENT } from './run-ports.ts';
export type { Failure, Outcome } from './locked-state.ts';

// Observed runs
export {
  type BaseState,
  type ObservedEnd,
  type ObservedRun,
  type RunObservation,
  type RunObserver,
} from './run-observer.ts';
export { configurationSources, loadSnapshot } from './configuration-snapshot.ts';
export { sideStorageOf } from './side-storage.ts';
export { openProjectState } from './read-state.ts';
export type { OpenedState } from './opened-state.ts';

// Values and diagnostics as JavaScript data
export {
  plainFromValue,
  type PlainInput,
  type PlainValue,
  SensitiveValue,
  UNKNOWN_VALUE,
  type UnknownValue,
  valueFromPlain,
} from '@terrane/cty';
export {
  formatDiagnostic,
  type PlainChange,
  plainChanges,
  type PlainDiagnostic,
  plainDiagnostic,
  plainOutputs,
  plainPlannedOutputs,
} from './plain-results.ts';

// The main workflow
export { getModules } from './get-modules.ts';
export { initialise, type Initialised, type InitEvent, type InitOptions } from './initialise.ts';
export { runTests, type Tested, type TestPorts, type TestRequest } from './test/run-tests.ts';
export { query, type QueryRequest } from './query.ts';
export {
  type LoadedConfiguration,
  validate,
  validateLoaded,
  type ValidationOptions,
} from './validate.ts';
export {
  type ConfigurationSnapshot,
  DEFAULT_PARALLELISM,
  type RunRequest,
} from './run/run-request.ts';
export type { MadePlan } from './made-plan.ts';
export type { RemoteOutcome } from './remote-runs/run-remotely.ts';
export { plan, type PlanOutcome } from './plan.ts';
export type { PlanRequest } from './plan-request.ts';
export {
  apply,
  type Applied,
  type ApplyOutcome,
  type ApplyPorts,
  type ApplyRequest,
  type ChangeCounts,
} from './apply.ts';
export { timingKey, type Timings } from './timings.ts';
export {
  type ApplyEvent,
  requestFor,
  streamApply,
  type StreamOptions,
  streamPlan,
  streamRefresh,
} from './run-streams.ts';
export { type Running, running, type RunningOptions } from './running.ts';
export { importResource, type ImportRequest, type Imported } from './import-resource.ts';
export { refresh, type RefreshOutcome } from './refresh.ts';
export { readTargetFile, type TargetFile } from './target-files.ts';
export { explain, explainPlan, type ExplainRequest } from './explain.ts';

export { type ReadOnlyRun, withReadOnlyRun } from './read-only-run.ts';

// Encryption
export { openStandaloneStorage, type StandaloneStorage } from './backend/standalone-storage.ts';
export { openEncryptionOf, type OpenedEncryption } from './encryption.ts';

// Looking
export {
  show,
  schemasFor,
  showConfiguration,
  showModule,
  type Shown,
  type ShownConfiguration,
} from './show.ts';
export { BACKEND_SETUP } from './backend/current-backend.ts';
export { readState, readStateAt, type ReadState } from './read-state.ts';
export {
  openValues,
  type ValuesRequest,
  withConsole,
  type ConsoleRequest,
} from './open-console.ts';
export { openAvailableProviders, type AvailableProviders } from './open-providers.ts';
export type { Providers } from './providers.ts';
export {
  lockProjectProviders,
  type LockRequest,
  mirrorProjectProviders,
  type MirrorRequest,
} from './fetch-providers.ts';
export { providerSchemas } from './provider-schemas.ts';
export { providerTree, type ProviderTree } from './provider-tree.ts';
export { drawGraph, type DrawnGraph, type GraphSubject } from './draw-graph.ts';
export { moduleTree, type ModuleTree } from './module-tree.ts';
export { versions, type Versions } from './versions.ts';

// Providers
export { BUNDLED_ADDRESSES } from './bundled-providers.ts';
export type { ChosenProvider, ProviderOrigin } from './provider-choice.ts';

// States and workspaces
export { forceUnlock, inspectLock, type StateLock, type Unlocked } from './state-lock.ts';
export {
  type Edit,
  type Edited,
  type EditPorts,
  editState,
  forget,
  move,
  type MoveRequest,
  noStateText,
  taint,
} from './edit-state.ts';
export {
  type ProviderReplacement,
  replaceProviders,
  type ReplaceProvidersPorts,
} from './replace-providers.ts';
export { recoverState, type RecoverRequest, type Recovery } from './recover-state.ts';
export { pushState, type PushRequest } from './push-state.ts';
export {
  createWorkspace,
  deleteWorkspace,
  type DeletedWorkspace,
  listWorkspaces,
  type Workspaces,
  UNLISTED,
} from './workspaces.ts';

// Text
export { formatFiles, type FormatRequest, type Formatted, formatText } from './format-files.ts';
export { unifiedDifference } from './line-difference.ts';

// Credentials of hosts
export { credentialsOf } from './cli-config/cli-config-of.ts';
export { logIn, type LoggedIn } from './login/log-in.ts';
export { type LoggedOut, logOut } from './login/log-out.ts';
export {
  DEFAULT_LOGIN_HOST,
  type LoginEvent,
  type LoginPorts,
  type TokenStore,
} from './login/login-ports.ts';
