// addrs
// lang
export { OPENTOFU_VERSION, TERRAFORM_VERSION, TERRANE_VERSION } from './lang/version.ts';
export { formatCtyError } from './lang/format-error.ts';
export { referencesInBody, referencesInExpression, referencesOf } from './lang/references.ts';
export type { References } from './lang/references.ts';
// config
export type * from './config/model.ts';
export { listBlockSchema } from './config/list-schema.ts';
export { loadConfiguration } from './config/load.ts';
export { DeclarationCache } from './config/declaration-cache.ts';
export { type CheckCounts, CheckMemo } from './config/check/check-memo.ts';
export type {
  LoadOptions,
  LoadResult,
  ModuleSourcePort,
  ParsedConfigurationFile,
} from './config/load.ts';
export type { ConstantSettings } from './config/constant/constant-settings.ts';
export { configurationFiles } from './config/configuration-files.ts';
export { checkCoreVersions } from './config/core-version.ts';
export { dialectRules } from './config/dialect.ts';
export { collectTestVariables, collectVariables } from './config/collect-variables.ts';
export type { InputValue, VariableOption } from './config/collect-variables.ts';
export {
  type FinalVariables,
  finalizeVariables,
  missingVariables,
  parseVariables,
  undeclaredVariables,
} from './config/finalize-variables.ts';
export { prepareVariable } from './config/prepare-variable.ts';
export type { PreparedVariable } from './config/prepare-variable.ts';
export { actionSchemaOf } from './config/action-schema.ts';
export { providerBlockOf, providersRequired, resolveProvider } from './config/resolve-provider.ts';
export type * from './config/test/model.ts';
export { withMockDefaults, withOverrideValues } from './config/test/evaluate-data.ts';
export { targetText } from './config/test/decode-override.ts';
export { testProviderInstances } from './config/decode-provider.ts';
export { MAIN_STATE_KEY, stateKeyOf } from './config/test/state-key.ts';
export { withTestModules } from './config/test/with-test-modules.ts';
export { withRootProviders } from './config/test/with-providers.ts';
export { TestProviderBody } from './config/test/test-provider-body.ts';
export type { ProviderScope } from './config/test/test-provider-body.ts';
export { runModuleKeys } from './config/test/load-tests.ts';
export { providerKey } from './config/provider-ref.ts';
// state
export type {
  CheckObjectResult,
  CheckResult,
  CheckResults,
  CheckStatus,
  DeposedKey,
  InstanceState,
  OutputState,
  State,
  StateFile,
  StoredObject,
} from './state/model.ts';
export { EMPTY_STATE } from './state/snapshot.ts';
export type { StateEvent, StoredIdentity } from './state/event.ts';
export { eventFromJson, eventToJson } from './state/event-json.ts';
export type { SnapshotName } from './state/journal-record.ts';
export { digestOf } from './state/stored-state.ts';
export {
  canBeLookedUp as canBeLookedFor,
  type Interrupted,
  isOpenCreate,
  plannedId,
  tellingValues,
} from './state/interrupted.ts';
export { withUncertain } from './plan/uncertain.ts';
export { isLeavingObjects } from './plan/forgotten.ts';
export { interruptedDetail } from './state/recovery.ts';
export type { RecoveredChange } from './state/recovered-change.ts';
export { MemoryRecorder } from './state/memory-recorder.ts';
export { replay, StateDraft } from './state/draft.ts';
export { sameState } from './state/equal.ts';
export { decodeStored, encodeStored } from './state/stored-value.ts';
export { readStateFile } from './state/statefile-read.ts';
export { stateFileBytes, writeStateFile } from './state/statefile-write.ts';
export type { Journal } from './state/journal.ts';
export { type FinishedRecording, recordingFailure, type StateRecorder } from './state/recorder.ts';
export { decodeEncryptionBody } from './config/decode-encryption.ts';
export type { LockGuard } from './state/held-lock.ts';
export { createStateManager } from './state/manager.ts';
export { nextStateFile, stateFileText, stateOf } from './state/next-state-file.ts';
export type {
  LockedSession,
  LockRequest,
  StateManager,
  StateManagerOptions,
} from './state/manager.ts';
export type { DeadJournal } from './state/read-merged-state.ts';
export type {
  ReadState,
  StateReading,
  StateSession,
  WritableState,
} from './state/state-session.ts';
export type { StoreOptions } from './state/snapshot-store.ts';
export type { JournalSeal, StateCodec, StateName } from './state/state-codec.ts';
export { didYouMeanClosest } from './lang/did-you-mean.ts';
export { lockInfoText } from './state/lock-message.ts';
export {
  legacyObjectId,
  parseStateAddress,
  selectInstances,
  stateAddressText,
  storedSuggestion,
} from './state/commands/select.ts';
export type { StateObjectAddr } from './state/commands/select.ts';
export { moveInState } from './state/commands/move.ts';
export type { StateMove } from './state/commands/move.ts';
export { removeFromState } from './state/commands/remove.ts';
export { parseProviderReplacement, replaceProvider } from './state/commands/replace-provider.ts';
export { checkPush, pushedFile } from './state/commands/push.ts';
export { taint, untaint } from './state/commands/taint.ts';
export type { TaintResult } from './state/commands/taint.ts';
// tests
export { evaluateAssertions } from './testing/assertions.ts';
export type { AssertionOutcome, AssertionSettings } from './testing/assertions.ts';
export { testReferences, testScope } from './testing/test-scope.ts';
export type { RunOutputs, TestPlace, TestValues } from './testing/test-scope.ts';
export type { Evaluation, ModuleOverride } from './evaluate/evaluation.ts';
export { parseInput } from './config/finalize-variables.ts';
// session
export type { ProviderPort } from './session/provider-sessions.ts';
export { CAPABILITIES, ProviderSessions } from './session/provider-sessions.ts';
// plan
export type {
  Action,
  ActionReason,
  DeferredChange,
  DeferredReason,
  PlannedChange,
  PlannedInvocation,
} from './objects/change.ts';
export type { FoundObject, GeneratedImport, QueryResult, RunEvent } from './objects/event.ts';
export type { OutputChange, Plan, PlanPurpose } from './plan/model.ts';
export type { PlanOptions } from './plan/plan-options.ts';
export type { PlanInput } from './plan/settings.ts';
export type {
  InspectedModule,
  InspectedProvider,
  InspectedRun,
  Inspector,
  OverriddenRule,
  PlanInspection,
} from './plan/inspector.ts';
export type { RunSettings } from './objects/settings.ts';
export type { Step, StepId, StepWork } from './plan/step.ts';
export { makePlan } from './plan/plan.ts';
export type { Planned } from './plan/plan.ts';
export { openConsole, openPlanConsole } from './plan/console.ts';
export type { Console, OpenedConsole } from './evaluate/console.ts';
export type { NamedGraph, NamedNode, NamedNodeKind } from './evaluate/named-graph.ts';
export { planGraph } from './evaluate/plan-graph.ts';
export { resourceGraph } from './evaluate/resource-graph.ts';
export type { ResourceGraph } from './evaluate/resource-graph.ts';
export { applyGraph } from './plan/apply-graph.ts';
export { destroyGraph } from './plan/destroy-graph.ts';
export type { Completions } from './evaluate/console-completion.ts';
export { validateConfiguration, type ValidationSettings } from './plan/validate.ts';
// apply
export * from './testing/coverage.ts';
export * from './testing/test-results.ts';
export { applyPlan } from './apply/apply.ts';
export type { Applied } from './apply/apply.ts';
export type { ApplyCounts, ApplyInput } from './apply/request.ts';
export { snapshotFiles } from './plan/snapshot-files.ts';
export { decodePlanFile, encodePlanFile, PlanFileError } from './plan/plan-file.ts';
export type { PlanFile, PlanOrigin } from './plan/plan-file.ts';
// lang/functions
// config/check
export { referenceProblems } from './config/check/static-reference.ts';
export type { ReferenceOrigin } from './config/check/static-reference.ts';
export { schemaTraversalProblems } from './config/check/schema-traversal.ts';
export { explainUnknownFunction } from './config/unknown-function.ts';
export type { ProvisionerPort, ProvisionRequest } from './session/provisioner-port.ts';
// explain
export type { Cause, CauseKind, Explanation, UnknownAttribute } from './explain/model.ts';
export type { Explained, Explainer } from './explain/explain.ts';
export { openExplainer } from './explain/open-explainer.ts';
export type { WorldSettings } from './explain/worlds.ts';
export { type VariableOrigin, variableOrigins } from './config/variable-origin.ts';
