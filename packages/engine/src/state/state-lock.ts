import type { Diagnostic } from '@terrane/hcl';
import {
  type Host,
  LEASE_MS,
  LockLost,
  type LockInfo,
  type LockOutcome,
  parseDuration,
  type Storage,
  errorText,
  userErrorText,
  expectUserError,
} from '@terrane/host';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { HeldLock, type LockGuard } from './held-lock.ts';
import { lockFailure, lockInfoText, lockLost, unlockFailure } from './lock-message.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 16_000;
/**
 * The maximum number of consecutive attempts with an unidentified holder of the lock. A lock that is being acquired or
 * released looks like that temporarily; one that remains so is broken, and waiting does not help.
 */
const UNNAMED_HOLDERS = 10;
const UNNAMED_PAUSE_MS = 100;

type HeldOutcome = Extract<LockOutcome, { kind: 'held' }>;

/** The lock of a state: acquires, maintains and releases it. */
export class StateLock {
  readonly #storage: Storage;
  readonly #host: Pick<Host, 'clock' | 'random' | 'environment'>;
  #id: string | undefined;
  #held: HeldLock | undefined;

  constructor(storage: Storage, host: Pick<Host, 'clock' | 'random' | 'environment'>) {
    this.#storage = storage;
    this.#host = host;
  }

  /** True if the lock was acquired and not released; a lost lock counts as held. */
  get isHeld(): boolean {
    return this.#id !== undefined;
  }

  /** The acquired lock, which reports its loss; undefined if none was acquired. */
  get guard(): LockGuard | undefined {
    return this.#held;
  }

  /** Called before a state is written: rejects if another holder has the lock. */
  async confirmWrite(): Promise<void> {
    await this.#held?.confirmWrite();
  }

  /**
   * Acquires a lost lock again, so that the results of a run can be stored. Returns true if it is held again and
   * `isUnchanged` confirmed, under the new lock, that nothing has been stored meanwhile. The guard stays lost: the run
   * ends. Never rejects.
   */
  async reacquire(isUnchanged: () => Promise<boolean>): Promise<boolean> {
    const held = this.#held;
    const storage = this.#storage;
    if (this.#id === undefined || held?.lost.aborted !== true || storage.lock === undefined)
      return false;
    await held.stop();
    try {
      const outcome = await storage.lock(held.renewedInfo(this.#host.random.uuid()));
      if (outcome.kind !== 'locked') return false;
      this.#id = outcome.id;
      return await isUnchanged();
    } catch {
      // Why the state was not stored is reported in any case.
      return false;
    }
  }

  /**
   * Tries to acquire the lock until it succeeds, `timeoutMs` have passed or the signal is aborted. The pauses grow from
   * about one second to 16 seconds. The last attempt is made at the time-out. `onHeld` is called before the first
   * pause.
   */
  async lock(
    request: { readonly operation: string; readonly info?: string },
    timeoutMs: number,
    signal?: AbortSignal,
    onHeld?: () => void,
  ): Promise<{ readonly id?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const storage = this.#storage;
    const { environment, clock, random } = this.#host;
    if (storage.lock === undefined) return { id: '', diagnostics: [] };
    const lock: LockInfo = {
      id: random.uuid(),
      operation: request.operation,
      info: request.info ?? '',
      who: `${environment.userName}@${environment.hostName}`,
      version: TERRAFORM_VERSION,
      created: clock.now().toISOString(),
      path: '',
    };
    const deadline = clock.monotonicMs() + timeoutMs;
    const leaseMs = leaseDuration(environment);
    let pause = FIRST_PAUSE_MS;
    let unnamed = 0;
    for (let attempt = 1; ; attempt++) {
      const since = clock.monotonicMs();
      const requested = storage.renew === undefined ? lock : { ...lock, ...this.#lease(leaseMs) };
      let outcome: LockOutcome;
      try {
        outcome = await storage.lock(requested);
      } catch (error) {
        return { diagnostics: [lockFailure(userErrorText(error))] };
      }
      if (outcome.kind === 'locked') {
        this.#keep(outcome, requested, since, leaseMs);
        return { id: outcome.id, diagnostics: [] };
      }
      const remainingMs = deadline - clock.monotonicMs();
      const isUnnamed = outcome.info === undefined || outcome.info.id === '';
      unnamed = isUnnamed ? unnamed + 1 : 0;
      if (remainingMs <= 0 || unnamed > UNNAMED_HOLDERS) {
        return { diagnostics: [lockFailure(heldMessage(outcome))] };
      }
      if (attempt === 1) onHeld?.();
      try {
        // Processes that started to wait simultaneously should not retry simultaneously.
        const share = 1 - (random.bytes(1)[0] ?? 0) / 512;
        const wait = (isUnnamed ? UNNAMED_PAUSE_MS : pause) * share;
        await clock.sleep(Math.min(wait, remainingMs), signal);
      } catch (error) {
        expectUserError(error);
        return { diagnostics: [lockFailure(heldMessage(outcome))] };
      }
      if (!isUnnamed && pause < MAX_PAUSE_MS) pause *= 2;
    }
  }

  #lease(ms: number, epoch = 1): Required<Pick<LockInfo, 'lease'>> {
    const expires = new Date(this.#host.clock.now().getTime() + ms).toISOString();
    return { lease: { epoch, expires, ...(ms === LEASE_MS ? {} : { ms }) } };
  }

  #keep(
    outcome: Extract<LockOutcome, { kind: 'locked' }>,
    requested: LockInfo,
    since: number,
    leaseMs: number,
  ): void {
    const { id, epoch = 1 } = outcome;
    this.#id = id;
    const { lease } = requested;
    const info = lease === undefined ? requested : { ...requested, lease: { ...lease, epoch } };
    this.#held = new HeldLock({
      storage: this.#storage,
      clock: this.#host.clock,
      info: { ...info, id },
      ms: outcome.leaseMs ?? leaseMs,
      since,
    });
  }

  /** Releases the lock. Does nothing if it is not held. */
  async unlock(): Promise<readonly Diagnostic[]> {
    const id = this.#id;
    const held = this.#held;
    this.#id = undefined;
    this.#held = undefined;
    if (id === undefined) return [];
    // Report any loss since the last renewal, such as while the process was suspended.
    held?.isValid();
    await held?.stop();
    if (held?.lost.aborted === true) {
      await this.#removeOwn(id);
      return [lockLost(errorText(held.lost.reason))];
    }
    try {
      await this.#storage.unlock?.(id);
      return [];
    } catch (error) {
      // any-error: the results of the run must be shown even if its lock cannot be released.
      const reason = await this.#reasonOfLoss();
      return [reason === undefined ? unlockFailure(errorText(error)) : lockLost(reason)];
    }
  }

  /** Returns the reason why the lock was lost; undefined if it is held or the storage cannot determine it. */
  async #reasonOfLoss(): Promise<string | undefined> {
    try {
      await this.#storage.confirmLock?.();
    } catch (error) {
      if (error instanceof LockLost) return error.message;
    }
    return undefined;
  }

  /** Removes a lock that could not be renewed in time, unless it has another holder by now. */
  async #removeOwn(id: string): Promise<void> {
    try {
      // The lock of a file is the handle of it, which is closed in any case.
      if (this.#storage.isFile !== true) {
        if (this.#storage.confirmLock === undefined) return;
        await this.#storage.confirmLock();
      }
      await this.#storage.unlock?.(id);
    } catch {
      // The lock does not exist, has another holder, or cannot be queried: its loss is reported in any case.
    }
  }
}

function heldMessage(outcome: HeldOutcome): string {
  return outcome.info === undefined
    ? outcome.error
    : `${outcome.error}\n${lockInfoText(outcome.info)}`;
}

/** The duration of leases: two minutes, or the value of `TERRANE_LOCK_LEASE`, at least one second. */
function leaseDuration(environment: Pick<Host['environment'], 'get'>): number {
  const ms = parseDuration(environment.get('TERRANE_LOCK_LEASE') ?? '');
  return ms === undefined || ms < 1_000 ? LEASE_MS : Math.floor(ms);
}
