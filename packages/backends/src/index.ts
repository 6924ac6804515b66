// A state in a file of this machine
export {
  localStateFiles,
  timestampedBackupPath,
  type LocalStateFiles,
} from './local/local-files.ts';
export { localSideStorage } from './local/local-side-storage.ts';
export { localStorage, type LocalStorageOptions } from './local/local-storage.ts';

// In-memory states
export { MemoryStates } from './inmem/memory-storage.ts';

// Kinds of backends and their common interface
export {
  BackendFault,
  StateConflict,
  type Backend,
  type BackendKind,
  type BackendPorts,
  type BackendProblem,
  type BackendRuns,
  type BackendWorkspaces,
  type CloudPart,
} from './backend.ts';
export { BACKEND_KINDS, CLOUD_KIND } from './backend-kinds.ts';
export type {
  RunServer,
  CostEstimate,
  NewRun,
  PolicyCheck,
  PolicySetOutcome,
  RemoteRun,
  RunWorkspace,
} from './cloud/run-server.ts';
export type { RecordedCounts, RecordedRun } from './cloud/recorded-run.ts';
export type { PolicyEvaluation, TaskResult, TaskStage } from './cloud/task-stage.ts';
export type {
  TerraformPolicyEvaluation,
  TerraformPolicyOutcome,
  TerraformPolicySet,
} from './cloud/terraform-policy.ts';
export { storageHttp } from './storage-http.ts';
export { isLeaseOver } from './lock-text.ts';
export { LEASE_MS } from '@terrane/host';
