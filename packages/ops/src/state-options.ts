/** State options of a command: `-lock`, `-lock-timeout`, `-state`, `-state-out` and `-backup`. */
export interface StateOptions {
  readonly lock: boolean;
  readonly lockTimeoutMs: number;
  readonly path?: string;
  readonly outPath?: string;
  /** a state may be changed that a server runs with another version */
  readonly ignoreRemoteVersion?: boolean;
  /** "-": no backup */
  readonly backupPath?: string;
}

/** The state of the selected workspace, locked without waiting. */
export const DEFAULT_STATE_OPTIONS: StateOptions = { lock: true, lockTimeoutMs: 0 };
