import type { OverriddenRule, SnapshotName } from '@terrane/engine';

/**
 * The outcome of a run. `interrupted`: its process ended before it could store the state; the next run completed the record.
 */
export type RunOutcome = 'succeeded' | 'failed' | 'stopped' | 'interrupted';

/** Numbers of objects that a run changed, by kind of change. */
export interface ObjectCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** other changes of the state: moved, deposed, imported and forgotten objects */
  readonly other: number;
  /** objects that others had changed or removed, as the run found; absent if there were none */
  readonly outside?: number;
}

/** The data of a run that are recorded at its start. */
export interface RunStart {
  /** time in UTC and a digest: `20261128-024233-5f21c0de`; sorts by time */
  readonly id: string;
  /** RFC 3339 */
  readonly started: string;
  /** `USER@HOST`, or the identity that the caller set, such as `agent:NAME` */
  readonly who: string;
  /** name of the operation: `apply`, `destroy`, `refresh`, `import`, `state-rm`, … */
  readonly command: string;
  readonly mode?: 'normal' | 'destroy' | 'refresh-only';
  /** ID of the run whose changes an undo reverts */
  readonly reverts?: string;
  readonly workspace: string;
  /** version of this program */
  readonly version: string;
  /** versions of providers by source address */
  readonly providers: Readonly<Record<string, string>>;
  /** digest of the plan: its actions, the configuration, the variables and the state that it starts from */
  readonly plan?: string;
  /** digest of the configuration snapshot, which is stored under this name */
  readonly configuration?: string;
  readonly variables?: readonly RecordedVariable[];
  /** names of ephemeral variables that were set */
  readonly ephemeralVariables?: readonly string[];
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  readonly replace?: readonly string[];
  /** addresses of objects that the plan imports */
  readonly imported?: readonly string[];
  /** addresses of objects that the plan removes from the state without destroying them */
  readonly forgotten?: readonly string[];
  /** name of the snapshot that the run started from; undefined if there was no state */
  readonly base?: SnapshotName;
  /** the process that made the run */
  readonly writer: { readonly host: string; readonly pid: number; readonly identity: string };
}

/** A variable of the root module as it was set, without conversion. */
export interface RecordedVariable {
  readonly name: string;
  /** MessagePack in base64, with its type */
  readonly value: string;
  readonly sensitive: boolean;
}

/** An operation that was started and has no result. */
export interface OpenOperation {
  readonly action: string;
  /** the address of the object or of the action */
  readonly address: string;
  readonly deposed?: string;
  readonly since?: string;
}

/** An error of a run. The detail is omitted, as it may contain values. */
export interface RecordedError {
  readonly summary: string;
  readonly address?: string;
}

/** The entry of a run in the list of runs. */
export interface RunSummary extends Pick<
  RunStart,
  'id' | 'started' | 'who' | 'command' | 'mode' | 'reverts' | 'plan' | 'configuration' | 'base'
> {
  /** RFC 3339 */
  readonly ended: string;
  readonly outcome: RunOutcome;
  readonly counts: ObjectCounts;
  /** number of open operations */
  readonly open: number;
  /** name of the stored snapshot at the end; undefined if the state could not be stored or is not known */
  readonly final?: SnapshotName;
  /** true if the state before the run is stored as a whole; false if it follows from the previous run */
  readonly keyframe: boolean;
  /** addresses of changed objects; undefined if there are too many for the list */
  readonly addresses?: readonly string[];
  /** the filter of the addresses if there are too many for the list, see `address-filter` */
  readonly addressFilter?: string;
}

/** The record of a run, without its events. */
export interface RunRecord extends RunStart, RunSummary {
  /**
   * number of events at the beginning that the run adopted before its first change: results of the refresh, imports and
   * moves; absent if there were none
   */
  readonly adopted?: number;
  readonly openOperations: readonly OpenOperation[];
  readonly errors: readonly RecordedError[];
  /** policies that failed and were overridden */
  readonly overridden?: readonly OverriddenRule[];
}
