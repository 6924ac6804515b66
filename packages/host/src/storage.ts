/** Who holds a lock and why, as Terraform records it. */
export interface LockInfo {
  readonly id: string;
  /** what is being done: `OperationTypeApply`, `state mv`, … */
  readonly operation: string;
  readonly info: string;
  /** user@host */
  readonly who: string;
  /** version of the program */
  readonly version: string;
  /** RFC 3339 with up to nine digits of a second */
  readonly created: string;
  readonly path: string;
}

/** Outcome of an attempt to lock: done, or held by somebody. */
export type LockOutcome =
  | { readonly kind: 'locked'; readonly id: string }
  | {
      readonly kind: 'held';
      /** what the storage says */
      readonly error: string;
      readonly info?: LockInfo;
    };

/**
 * Bytes under one name, somewhere: what a backend gives for one workspace. Knows nothing of what the
 * bytes mean. Failures are errors whose message is fit for users.
 */
export interface Storage {
  /** `undefined` when nothing has been stored. The result is the caller's and does not change. */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Replaces the content, all of it or nothing. `beforeCommit` is awaited when everything is ready and
   * nothing visible has happened yet; when it rejects, the old content stays.
   */
  write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void>;
  /** Tries once. Without it the storage has no locks. */
  lock?(info: LockInfo): Promise<LockOutcome>;
  /** Ends the lock with this id. */
  unlock?(id: string): Promise<void>;
  /** What a write would replace, when that may be something else than `read` gives. */
  readTarget?(): Promise<Uint8Array | undefined>;
  /** Locking reads the content, so that content which can't be read fails the lock (as Terraform's local one). */
  readonly readsWhenLocking?: boolean;
}
