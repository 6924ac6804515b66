/** The holder of a lock and its operation, as Terraform records it. */
export interface LockInfo {
  readonly id: string;
  /** the operation: `OperationTypeApply`, `state mv`, … */
  readonly operation: string;
  readonly info: string;
  /** user@host */
  readonly who: string;
  /** version of the program */
  readonly version: string;
  /** RFC 3339 with up to nine digits of a second */
  readonly created: string;
  readonly path: string;
  /** the lease of a lock that expires unless renewed; without it, a lock lasts until its release */
  readonly lease?: Lease;
}

/** The expiry of a lock, and the epoch of its lease: a counter of the holders of this lock. */
export interface Lease {
  /** increases with each holder, so that late writes of an earlier holder can be detected and rejected */
  readonly epoch: number;
  /** RFC 3339 */
  readonly expires: string;
  /** duration of the lease from one renewal to the next, in milliseconds; default {@link LEASE_MS} */
  readonly ms?: number;
}

/** The duration of a lease without renewal in milliseconds. */
export const LEASE_MS = 120_000;

/** Outcome of an attempt to lock: acquired, or held by another holder. */
export type LockOutcome =
  | {
      readonly kind: 'locked';
      readonly id: string;
      /** epoch of the lease, if any: one more than that of an expired lease */
      readonly epoch?: number;
      /** The duration of the granted lease in milliseconds, if the storage determines it. */
      readonly leaseMs?: number;
    }
  | {
      readonly kind: 'held';
      /** the error of the storage */
      readonly error: string;
      readonly info?: LockInfo;
    };

/**
 * Bytes under one name: the storage of a backend for one workspace. It does not interpret the bytes. Errors have
 * messages for users.
 */
export interface Storage {
  /** Returns the stored content, which the caller may retain; `undefined` if there is none. */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Replaces the content atomically. `beforeCommit` is awaited when everything is ready and nothing is visible yet; if
   * it rejects, the old content remains. `force` disables the lineage and serial checks of services that have them.
   */
  write(
    data: Iterable<Uint8Array>,
    beforeCommit?: () => Promise<void>,
    options?: { readonly force?: boolean },
  ): Promise<void>;
  /** Makes one attempt to lock. Absent if the storage has no locks. */
  lock?(info: LockInfo): Promise<LockOutcome>;
  /** Ends the lock with this id, also one of another process (for `force-unlock`). */
  unlock?(id: string): Promise<void>;
  /**
   * Extends the lease of the lock of this storage to the given expiry. Rejects with {@link LockLost} if the lock has
   * another holder or does not exist any more, and with another error if that could not be determined.
   */
  renew?(info: LockInfo): Promise<void>;
  /**
   * Verifies that the lock acquired through this storage is still held, without changes. Rejects with {@link LockLost}
   * if another holder has the lock or it does not exist any more, and with another error if the storage could not be
   * queried. Absent if a lock cannot be lost or the service cannot report it.
   */
  confirmLock?(): Promise<void>;
  /** Returns the holder of the lock without acquiring it; `undefined` if it is free. */
  lockHolder?(): Promise<LockInfo | undefined>;
  /**
   * Returns the holder that the storage records, like `lockHolder`, but without any attempt to lock, which could make
   * another process fail. Present if `lockHolder` makes such an attempt. The record of a killed process may remain.
   */
  recordedHolder?(): Promise<LockInfo | undefined>;
  /** Returns the content that a write would replace, if that may differ from the result of `read`. */
  readTarget?(): Promise<Uint8Array | undefined>;
  /** Reads and writes use different locations, so that a full write is still pending. */
  readonly readsElsewhere?: boolean;
  /** True if locking reads the content, so that unreadable content fails the lock (as in Terraform's local backend). */
  readonly readsWhenLocking?: boolean;
  /** True for a local file, whose errors do not mention states; other storages have their own messages. */
  readonly isFile?: boolean;
}

/** The lock is no longer held: its lease has expired or it was broken. */
export class LockLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LockLost';
  }
}
