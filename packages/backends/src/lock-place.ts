import type { LockInfo } from '@terrane/host';

/** A stored lock, with the version needed to replace exactly it. */
export interface StoredLock {
  readonly info: LockInfo;
  /** the version that is stored: an ETag or the stored text */
  readonly version: string;
}

/** A location of a lock: an object, or an item of a table. Errors are for users. */
export interface LockPlace {
  /** returns the lock; `undefined` if unlocked */
  read(): Promise<StoredLock | undefined>;
  /**
   * Stores a lock if none exists (`undefined`), or in place of one version. Returns the new version, or the error text
   * of a failed condition.
   */
  put(
    info: LockInfo,
    instead: string | undefined,
  ): Promise<{ readonly version: string } | { readonly refused: string }>;
  /**
   * Removes the lock with that version, or any lock without a version. Returns false if the version has changed; that
   * lock is kept.
   */
  remove(version?: string): Promise<boolean>;
  /** Formats the reason why a lock could not be released, with Terraform's message. */
  unlockProblem(problem: 'gone' | 'other', id: string, other: string): string;
}
