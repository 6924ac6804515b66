/** State options of a command: `-lock`, `-lock-timeout`, `-state`, `-state-out` and `-backup`. */
export interface StateOptions {
  readonly lock: boolean;
  readonly lockTimeoutMs: number;
  /**
   * Works on a snapshot of the state instead of locking it, for operations that store nothing. A lock held by a run is
   * reported, and a snapshot that cannot be read is read again under the lock.
   */
  readonly snapshot?: boolean;
  /** creates neither workspaces nor directories: a state that does not exist is empty */
  readonly readOnly?: boolean;
  readonly path?: string;
  readonly outPath?: string;
  /** a state may be changed that a server runs with another version */
  readonly ignoreRemoteVersion?: boolean;
  /** "-": no backup */
  readonly backupPath?: string;
}

/** The state of the selected workspace, locked without waiting. */
export const DEFAULT_STATE_OPTIONS: StateOptions = { lock: true, lockTimeoutMs: 0 };
