import type { Diagnostic } from '@terrane/hcl';
import {
  type Host,
  LEASE_MS,
  type LockInfo,
  type LockOutcome,
  parseDuration,
  type Storage,
} from '@terrane/host';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { LockLease } from './lock-lease.ts';
import { lockFailure, lockInfoText, lockLost, unlockFailure } from './lock-message.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 16_000;

/** The lock of a state: taken, kept by a lease where the storage has such, and given back. */
export class StateLock {
  readonly #storage: Storage;
  readonly #host: Pick<Host, 'clock' | 'random' | 'environment'>;
  #id: string | undefined;
  #lease: LockLease | undefined;

  constructor(storage: Storage, host: Pick<Host, 'clock' | 'random' | 'environment'>) {
    this.#storage = storage;
    this.#host = host;
  }

  /** Whether it is had. */
  get isHeld(): boolean {
    return this.#id !== undefined;
  }

  /** Aborted when it is lost; `undefined`: it is not had, or can't be lost. */
  get lost(): AbortSignal | undefined {
    return this.#lease?.lost;
  }

  /** Right before a state is written: rejects where somebody else has the lock. */
  async confirm(): Promise<void> {
    await this.#lease?.confirm();
  }

  /**
   * Tries until it is had, `timeoutMs` have passed or the signal is aborted: after about a second, and then after
   * longer and longer pauses, of up to 16 seconds.
   */
  async lock(
    request: { readonly operation: string; readonly info?: string },
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<{ readonly id?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const storage = this.#storage;
    const host = this.#host;
    if (storage.lock === undefined) return { id: '', diagnostics: [] };
    const { environment, clock, random } = host;
    const leaseMs = storage.renew === undefined ? undefined : leaseDuration(environment);
    const leased = (epoch: number): Pick<LockInfo, 'lease'> => {
      if (leaseMs === undefined) return {};
      const expires = new Date(clock.now().getTime() + leaseMs).toISOString();
      return {
        lease: { epoch, expires, ...(leaseMs === LEASE_MS ? {} : { ms: leaseMs }) },
      };
    };
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
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      let outcome: LockOutcome;
      try {
        outcome = await storage.lock({ ...lock, ...leased(1) });
      } catch (error) {
        return { diagnostics: [lockFailure(messageOf(error))] };
      }
      if (outcome.kind === 'locked') {
        this.#id = outcome.id;
        const held = { ...lock, ...leased(outcome.epoch ?? 1) };
        const { lease } = held;
        if (lease !== undefined && leaseMs !== undefined) {
          this.#lease = new LockLease({ storage, clock, info: { ...held, lease }, ms: leaseMs });
        }
        return { id: outcome.id, diagnostics: [] };
      }
      const left = deadline - clock.monotonicMs();
      // A lock that tells nothing of itself is out of order, and waiting does not help.
      if (outcome.info === undefined || outcome.info.id === '' || left <= 0) {
        return { diagnostics: [lockFailure(heldMessage(outcome))] };
      }
      try {
        // Who began to wait at the same time should not ask at the same time each time.
        const share = 1 - (random.bytes(1)[0] ?? 0) / 512;
        const wait = pause * share;
        await clock.sleep(Math.min(wait, left), signal);
        if (wait >= left) return { diagnostics: [lockFailure(heldMessage(outcome))] };
      } catch {
        return { diagnostics: [lockFailure(heldMessage(outcome))] };
      }
      if (pause < LONGEST_PAUSE_MS) pause *= 2;
    }
  }

  /** Gives it back; nothing happens where it is not had. */
  async unlock(): Promise<readonly Diagnostic[]> {
    const id = this.#id;
    const lease = this.#lease;
    this.#id = undefined;
    this.#lease = undefined;
    if (id === undefined) return [];
    await lease?.stop();
    if (lease?.lost.aborted === true) {
      // It may still be there if it only could not be renewed.
      await this.#storage.unlock?.(id).catch(() => undefined);
      return [lockLost(messageOf(lease.lost.reason))];
    }
    try {
      await this.#storage.unlock?.(id);
      return [];
    } catch (error) {
      return [unlockFailure(messageOf(error))];
    }
  }
}

function heldMessage(outcome: Extract<LockOutcome, { kind: 'held' }>): string {
  return outcome.info === undefined
    ? outcome.error
    : `${outcome.error}\n${lockInfoText(outcome.info)}`;
}

/** How long leases last: two minutes, or what `TERRANE_LOCK_LEASE` says, from a second on. */
function leaseDuration(environment: Pick<Host['environment'], 'get'>): number {
  const ms = parseDuration(environment.get('TERRANE_LOCK_LEASE') ?? '');
  return ms === undefined || ms < 1_000 ? LEASE_MS : Math.floor(ms);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
