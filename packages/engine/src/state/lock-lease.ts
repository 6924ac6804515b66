import { type Clock, type Lease, type LockInfo, LockLost, type Storage } from '@terrane/host';
import { lockInfoText } from './lock-message.ts';

/** What a lease is kept with. */
export interface LockLeaseOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  /** the lock as it was had, with its lease */
  readonly info: LockInfo & { readonly lease: Lease };
  /** how long a renewal holds */
  readonly ms: number;
}

/** Attempts to renew a lease within the time that it lasts. */
const RENEWALS = 3;
/** Attempts of a renewal that fails, within the same. */
const ATTEMPTS = 12;

/**
 * Renews the lease of a lock until it is given back, and notices when it is lost: when somebody else has the lock, or
 * when it could not be renewed in time.
 */
export class LockLease {
  readonly #options: LockLeaseOptions;
  readonly #stop = new AbortController();
  readonly #lost = new AbortController();
  readonly #renewing: Promise<void>;
  #expires: number;
  #renewed: number;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: LockLeaseOptions) {
    this.#options = options;
    this.#expires = Date.parse(options.info.lease.expires);
    this.#renewed = options.clock.now().getTime();
    this.#renewing = this.#keep();
  }

  /** Aborted, with the reason, when the lock is held no more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Ends the renewals; when this resolves none is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
  }

  /**
   * Right before a state is written: rejects with {@link LockLost} where somebody else has the lock. A lease that was not
   * renewed when it should have been, as when the process was suspended, is renewed now. Where nobody has the lock any
   * more, or that cannot be found out, the storage's condition decides.
   */
  async confirm(): Promise<void> {
    const { clock, storage, info, ms } = this.#options;
    if (!this.#lost.signal.aborted && clock.now().getTime() - this.#renewed < (2 * ms) / RENEWALS)
      return;
    if (!this.#lost.signal.aborted) {
      try {
        await this.#renew();
        return;
      } catch (error) {
        if (error instanceof LockLost) this.#lose(error.message);
      }
    }
    let holder: LockInfo | undefined;
    try {
      holder = await storage.lockHolder?.();
    } catch {
      return;
    }
    if (holder !== undefined && holder.id !== info.id) {
      throw new LockLost(
        `somebody else holds the lock of the state by now\n${lockInfoText(holder)}`,
      );
    }
  }

  async #keep(): Promise<void> {
    const { clock, ms } = this.#options;
    let pause = ms / RENEWALS;
    for (;;) {
      try {
        await clock.sleep(pause, this.#stop.signal, { background: true });
      } catch {
        return;
      }
      try {
        await this.#renew();
        pause = ms / RENEWALS;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof LockLost) {
          this.#lose(reason);
          return;
        }
        if (clock.now().getTime() >= this.#expires) {
          this.#lose(`its lease could not be renewed in time: ${reason}`);
          return;
        }
        pause = ms / ATTEMPTS;
      }
      if (this.#stop.signal.aborted) return;
    }
  }

  /** One renewal at a time, since each takes the place of the one before. */
  async #renew(): Promise<void> {
    const own = this.#turn.then(() => this.#renewNow());
    this.#turn = own.catch(() => undefined);
    await own;
  }

  async #renewNow(): Promise<void> {
    const { storage, clock, info, ms } = this.#options;
    const now = clock.now().getTime();
    const expires = now + ms;
    const lease = { ...info.lease, expires: new Date(expires).toISOString() };
    await storage.renew?.({ ...info, lease });
    this.#expires = expires;
    this.#renewed = now;
  }

  #lose(reason: string): void {
    if (!this.#lost.signal.aborted) this.#lost.abort(new LockLost(reason));
  }
}
