import { type Clock, type LockInfo, LockLost, type Storage, errorText } from '@terrane/host';
import { lockInfoText } from './lock-message.ts';

/** Parameters of a {@link HeldLock}. */
export interface HeldLockOptions {
  readonly storage: Pick<Storage, 'renew' | 'confirmLock' | 'lockHolder'>;
  readonly clock: Clock;
  /** The lock as it was acquired, with its lease where the storage has leases. */
  readonly info: LockInfo;
  /**
   * Milliseconds for which an acquisition or renewal is valid; also the maximum time for which a lock without a lease
   * is considered held while the storage cannot be reached.
   */
  readonly ms: number;
  /** Monotonic time at which the request that acquired the lock was sent. */
  readonly since: number;
}

/** The part of a lock that a run consults before each change. */
export interface LockGuard {
  /** Aborted when the lock is lost. The reason is a {@link LockLost}. */
  readonly lost: AbortSignal;
  /** Returns true if the lock is still valid by the clocks of this machine. Does not query the storage. */
  isValid(): boolean;
  /**
   * Verifies with the storage that the lock is still held. Rejects with {@link LockLost} if it is not. If the storage
   * cannot be reached, the lock is considered held until its lease expires.
   */
  confirm(): Promise<void>;
}

/** Regular renewals per lease duration. */
const RENEWALS = 3;
/** Attempts per lease duration while renewals fail. */
const ATTEMPTS = 12;
/** The delay of a timer after which the process is considered to have been suspended. */
const HELD_UP_MS = 250;
/** The additional time to wait for a response after a suspension. */
const CATCH_UP_MS = 2_000;
/** The longest time that a change waits for the storage to confirm the lock. */
const CONFIRM_MS = 10_000;

/**
 * A lock held by this process. Renews the lease, or verifies a lock without one, in the background, and detects the
 * loss of the lock: another holder, a removed lock, or a lease that could not be renewed in time.
 *
 * The expiry of a lease is measured with the monotonic clock from the time at which the successful request was sent, so
 * neither a hanging request nor a change of the system time can hide it. The system time is checked too, because the
 * monotonic clock stops while the machine is suspended: the storage has to confirm the lock then. A lock without a
 * lease does not expire, so the storage has to confirm it after such a time in any case.
 */
export class HeldLock implements LockGuard {
  readonly #options: HeldLockOptions;
  readonly #stop = new AbortController();
  readonly #lost = new AbortController();
  readonly #keeping: Promise<void>;
  readonly #changes: Confirmations;
  /** Monotonic time at which the lock ends unless it is renewed. */
  #validUntil: number;
  /** System time of the last success. */
  #succeededAt: number;
  /** Monotonic time until which the storage is not queried again after a failure. */
  #silentUntil = 0;
  #problem: string | undefined;

  constructor(options: HeldLockOptions) {
    this.#options = options;
    this.#validUntil = options.since + options.ms;
    this.#succeededAt = options.clock.now().getTime();
    this.#changes = new Confirmations(() => this.#confirmNow());
    this.#keeping = this.#isVerifiable ? this.#keep() : Promise.resolve();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get #isVerifiable(): boolean {
    const { renew, confirmLock } = this.#options.storage;
    return renew !== undefined || confirmLock !== undefined;
  }

  isValid(): boolean {
    if (this.#lost.signal.aborted) return false;
    const { storage, clock } = this.#options;
    if (storage.renew === undefined || clock.monotonicMs() < this.#validUntil) return true;
    this.#lose(this.#expiredText());
    return false;
  }

  async confirm(): Promise<void> {
    this.#assertValid();
    const { storage, clock } = this.#options;
    if (!this.#isOverdue()) {
      if (storage.confirmLock === undefined || clock.monotonicMs() < this.#silentUntil) return;
    }
    await this.#changes.next();
    this.#assertValid();
  }

  /**
   * Called before the state is written. Rejects with {@link LockLost} if another holder has the lock. If it is free, or
   * that cannot be determined, the condition of the write decides.
   */
  async confirmWrite(): Promise<void> {
    if (!this.#isVerifiable) return;
    try {
      await this.confirm();
      return;
    } catch {
      // Only the loss of the lock is reported, and it is in `lost` as well.
    }
    const { storage, info } = this.#options;
    let holder: LockInfo | undefined;
    try {
      if (storage.confirmLock !== undefined) {
        // A lock that was not renewed in time may still exist without another holder.
        await this.#within(CONFIRM_MS, storage.confirmLock());
        return;
      }
    } catch (error) {
      if (!(error instanceof LockLost)) return;
    }
    try {
      const holderRequest = storage.lockHolder?.();
      holder =
        holderRequest === undefined ? undefined : await this.#within(CONFIRM_MS, holderRequest);
    } catch {
      return;
    }
    if (holder !== undefined && holder.id !== info.id) {
      throw new LockLost(
        `another client holds the lock of the state by now\n${lockInfoText(holder)}`,
      );
    }
  }

  /** The description of the lock for another acquisition, with a lease from now on where the lock has one. */
  renewedInfo(id: string): LockInfo {
    const { clock, info, ms } = this.#options;
    const { lease } = info;
    if (lease === undefined) return { ...info, id };
    const expires = new Date(clock.now().getTime() + ms).toISOString();
    return { ...info, id, lease: { ...lease, expires } };
  }

  /** Ends renewals. No new request is sent after this resolves. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#keeping;
  }

  async #keep(): Promise<void> {
    const { clock, ms } = this.#options;
    let pause = ms / RENEWALS;
    for (;;) {
      const remainingMs = this.#validUntil - clock.monotonicMs();
      try {
        await clock.sleep(
          remainingMs > 0 ? Math.min(pause, remainingMs) : pause,
          this.#stop.signal,
          {
            background: true,
          },
        );
      } catch {
        return;
      }
      if (!this.isValid()) return;
      const requestedAt = clock.monotonicMs();
      if (requestedAt >= this.#validUntil && this.#problem !== undefined) {
        this.#lose(this.#expiredText());
        return;
      }
      try {
        await this.#within(this.#deadline(ms / RENEWALS), this.#renew());
        this.#succeeded(requestedAt);
        pause = ms / RENEWALS;
      } catch (error) {
        if (this.#stop.signal.aborted || !this.#failed(error)) return;
        pause = ms / ATTEMPTS;
      }
    }
  }

  /** Returns the time-out of a request: at most until the end of the lease, unless the lease has expired. */
  #deadline(maxMs: number): number {
    const remainingMs = this.#validUntil - this.#options.clock.monotonicMs();
    return remainingMs > 0 ? Math.min(maxMs, remainingMs) : maxMs;
  }

  /** Extends the lease. Of a lock without one it is verified that it is still held. */
  async #renew(): Promise<void> {
    const { storage, clock, info, ms } = this.#options;
    if (storage.renew === undefined) return await storage.confirmLock?.();
    const { lease } = info;
    const expires = new Date(clock.now().getTime() + ms).toISOString();
    const renewed = lease === undefined ? info : { ...info, lease: { ...lease, expires } };
    await storage.renew(renewed);
  }

  async #confirmNow(): Promise<void> {
    const { storage, clock, ms } = this.#options;
    const isOverdue = this.#isOverdue();
    const requestedAt = clock.monotonicMs();
    try {
      const confirmed = isOverdue ? undefined : storage.confirmLock?.();
      await this.#within(this.#deadline(CONFIRM_MS), confirmed ?? this.#renew());
      // A verification extends no lease.
      if (storage.renew === undefined || confirmed === undefined) this.#succeeded(requestedAt);
    } catch (error) {
      if (!this.#failed(error)) return;
      if (isOverdue) this.#lose(this.#expiredText());
      else this.#silentUntil = clock.monotonicMs() + ms / ATTEMPTS;
    }
  }

  /** Returns true if, by either clock, the lease time has passed since the last success. */
  #isOverdue(): boolean {
    const { clock, ms } = this.#options;
    if (!this.#isVerifiable) return false;
    return (
      clock.monotonicMs() >= this.#validUntil || clock.now().getTime() - this.#succeededAt >= ms
    );
  }

  #succeeded(requestedAt: number): void {
    const { clock, ms } = this.#options;
    this.#validUntil = Math.max(this.#validUntil, requestedAt + ms);
    this.#succeededAt = clock.now().getTime();
    this.#silentUntil = 0;
    this.#problem = undefined;
  }

  /** Records the error of a request. Returns true if the lock is still considered held. */
  #failed(error: unknown): boolean {
    // any-error: requests run beside the run, which must end in order if the lock is lost.
    const reason = errorText(error);
    if (error instanceof LockLost) this.#lose(reason);
    else this.#problem = reason;
    return this.isValid();
  }

  #expiredText(): string {
    const { storage, ms } = this.#options;
    const why = this.#problem ?? 'this process or its machine was suspended';
    return storage.renew === undefined
      ? `the storage could not be asked about it for ${ms / 1000} seconds: ${why}`
      : `its lease could not be renewed in time: ${why}`;
  }

  #assertValid(): void {
    if (this.isValid()) return;
    const reason: unknown = this.#lost.signal.reason;
    throw reason instanceof LockLost ? reason : new LockLost('it was released');
  }

  #lose(reason: string): void {
    if (!this.#lost.signal.aborted) this.#lost.abort(new LockLost(reason));
  }

  /** Waits. A process that was suspended waits longer, because a response may have arrived that it has not read yet. */
  async #pass(ms: number, until: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.monotonicMs();
    await clock.sleep(ms, until, { background: true });
    if (clock.monotonicMs() - startedAt > ms + HELD_UP_MS)
      await clock.sleep(Math.min(ms, CATCH_UP_MS), until, { background: true });
  }

  /** Rejects when the work takes longer than `ms`, or renewals were stopped. Its result is ignored then. */
  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    const completed = new AbortController();
    const until = AbortSignal.any([completed.signal, this.#stop.signal]);
    const late = this.#pass(Math.max(0, ms), until).then(() => {
      throw new Error(`no answer within ${Math.round(ms / 1000)} seconds`);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      completed.abort();
      late.catch(() => undefined);
      work.catch(() => undefined);
    }
  }
}

/**
 * Runs one verification at a time. Each caller gets one that starts after its call, shared with all waiting callers.
 */
class Confirmations {
  readonly #confirm: () => Promise<void>;
  #current: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;

  constructor(confirm: () => Promise<void>) {
    this.#confirm = confirm;
  }

  async next(): Promise<void> {
    if (this.#current === undefined) return await this.#begin();
    this.#waiting ??= this.#current.then(async () => {
      this.#waiting = undefined;
      await this.#begin();
    });
    await this.#waiting;
  }

  async #begin(): Promise<void> {
    const current = this.#confirm().finally(() => {
      if (this.#current === current) this.#current = undefined;
    });
    this.#current = current;
    await current;
  }
}
