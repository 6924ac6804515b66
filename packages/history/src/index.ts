export { historyObserver, type HistoryOptions } from './record/observer.ts';
export { lazyHistoryObserver } from './lazy-observer.ts';
export { addressFilter } from './record/address-filter.ts';
export { Blobs, HistoryError } from './record/blobs.ts';
export type {
  ObjectCounts,
  OpenOperation,
  RecordedError,
  RecordedVariable,
  RunOutcome,
  RunRecord,
  RunStart,
  RunSummary,
} from './record/model.ts';
export {
  ACTOR_VARIABLE,
  actorOf,
  type HistorySettings,
  historySettings,
  SETTINGS_VARIABLE,
} from './record/settings.ts';
export {
  History,
  historyOf,
  openHistory,
  type OpenedHistory,
  type RunDifference,
  type ShownRun,
} from './read/history.ts';
export {
  type PlannedObject,
  ServerRuns,
  serverRunsOf,
  type ShownServerRun,
} from './read/server-runs.ts';
export type { Blame, BlamedAttribute, BlamedObject, BlamedRun } from './read/blame.ts';
export type { AttributeChange, PlainJson } from './read/attribute-changes.ts';
export type { ObjectAction } from './read/object-action.ts';
export type { ObjectChange, OutputDifference, StateChanges } from './read/object-changes.ts';
export { type HistoryIndex, HistoryStore, type StoredRun } from './record/history-store.ts';
export { unreadable } from './read/history.ts';
export {
  type ChangesSince,
  type LaterRun,
  type ObjectReference,
  type RestoreConsequences,
  restoreConsequences,
} from './restore/consequences.ts';
export {
  type Restored,
  type RestorePorts,
  type RestoreRequest,
  restoreState,
} from './restore/restore-state.ts';
export type { ClassifiedAction, UndoClass } from './undo/classify.ts';
export {
  applyUndo,
  planUndo,
  type ShowReport,
  type UndoConflict,
  type UndoReport,
  type UndoRequest,
} from './undo/undo.ts';
