/** The holder of a lock and its operation, as Terraform records it. */
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
  /** a lock that ends by itself unless it is renewed; without it a lock stays until it is given back */
  readonly lease?: Lease;
}

/** Until when a lock is held, and the how manieth lease of this state that is. */
export interface Lease {
  /** grows with each holder: what an earlier one writes late can be told by it, and refused */
  readonly epoch: number;
  /** RFC 3339 */
  readonly expires: string;
  /** how long it lasts from one renewal to the next, in milliseconds; {@link LEASE_MS} where it does not say */
  readonly ms?: number;
}

/** The duration of a lease without renewal in milliseconds. */
export const LEASE_MS = 120_000;

/** Outcome of an attempt to lock: done, or held by somebody. */
export type LockOutcome =
  | {
      readonly kind: 'locked';
      readonly id: string;
      /** of the lease, where there is one: one more than that of a lease which had run out */
      readonly epoch?: number;
      /** The duration of the granted lease in milliseconds, where the storage decides it and not the request. */
      readonly leaseMs?: number;
    }
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
   * nothing visible has happened yet; when it rejects, the old content stays. With `force` a service that compares
   * lineages and serials by itself is told not to.
   */
  write(
    data: Iterable<Uint8Array>,
    beforeCommit?: () => Promise<void>,
    options?: { readonly force?: boolean },
  ): Promise<void>;
  /** Tries once. Without it the storage has no locks. */
  lock?(info: LockInfo): Promise<LockOutcome>;
  /** Ends the lock with this id, also one of another process (for `force-unlock`). */
  unlock?(id: string): Promise<void>;
  /**
   * Extends the lease of the lock that this storage holds, to what the given information says. Rejects with
   * {@link LockLost} when somebody else has it by now or it is gone, and otherwise when it could not be found out.
   */
  renew?(info: LockInfo): Promise<void>;
  /**
   * Verifies that the lock acquired through this storage is still held. Changes nothing. Rejects with {@link LockLost}
   * when another holder has the lock or nobody does, and with another error when the storage could not be asked. Absent
   * where a lock cannot be lost or the service cannot tell.
   */
  confirmLock?(): Promise<void>;
  /** Returns the holder of the lock without acquiring it; `undefined` if it is free. */
  lockHolder?(): Promise<LockInfo | undefined>;
  /** Returns the content that a write would replace, if that may differ from the result of `read`. */
  readTarget?(): Promise<Uint8Array | undefined>;
  /** Reads and writes use different locations, so that a full write is still pending. */
  readonly readsElsewhere?: boolean;
  /** Locking reads the content, so that content which can't be read fails the lock (as Terraform's local one). */
  readonly readsWhenLocking?: boolean;
  /** It is a file of this machine, whose errors say nothing of states; others speak for themselves. */
  readonly isFile?: boolean;
}

/** The lock that was held is held no more: its lease has run out or somebody has broken it. */
export class LockLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LockLost';
  }
}
