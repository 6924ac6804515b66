// Clocks that are wrong, or are set during a run, must neither end the lease of a live holder nor lengthen that of a dead
// one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '@terrane/backends';
import { type Host, type LockInfo, LockLost, type Storage } from '@terrane/host';
import { describe, expect, it } from 'vitest';
import { LOCK_BACKENDS } from './lock-backends.ts';
import type { Target } from './lock-task.ts';
import { openTarget } from './open-target.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = 3_000;
const LEASED: ReadonlySet<string> = new Set([
  's3-lockfile',
  's3-dynamodb',
  'oss',
  'oci',
  'kubernetes',
]);

/** A process with a system clock of its own. */
class LockProcess {
  readonly #id: string;
  readonly #storage: Storage;
  readonly #offset: { aheadMs: number };

  private constructor(id: string, storage: Storage, offset: { aheadMs: number }) {
    this.#id = id;
    this.#storage = storage;
    this.#offset = offset;
  }

  static async start(
    target: Target,
    id: string,
    aheadMs: number,
    opened: (backend: Backend) => void,
  ): Promise<LockProcess> {
    const offset = { aheadMs };
    const withClock = (host: Host): Host => ({
      ...host,
      clock: {
        now: () => new Date(Date.now() + offset.aheadMs),
        monotonicMs: () => host.clock.monotonicMs(),
        sleep: (...args) => host.clock.sleep(...args),
      },
    });
    return new LockProcess(id, await openTarget(target, withClock, opened), offset);
  }

  /** The offset of its clock. */
  get aheadMs(): number {
    return this.#offset.aheadMs;
  }

  set aheadMs(aheadMs: number) {
    this.#offset.aheadMs = aheadMs;
  }

  #info(epoch: number): LockInfo {
    const expires = new Date(Date.now() + this.aheadMs + LEASE_MS).toISOString();
    return {
      id: this.#id,
      operation: 'OperationTypeApply',
      info: '',
      who: `${this.#id}@machine`,
      version: '1.11.4',
      created: '2026-01-02T03:04:05.000Z',
      path: '',
      lease: { epoch, expires, ms: LEASE_MS },
    };
  }

  async lock(): Promise<'held' | 'locked' | undefined> {
    return (await this.#storage.lock?.(this.#info(1)))?.kind;
  }

  async renew(): Promise<void> {
    await this.#storage.renew?.(this.#info(1));
  }

  async confirm(): Promise<void> {
    await this.#storage.confirmLock?.();
  }

  /** Renews the lease five times in its duration, until the work is done. */
  async renewDuring<T>(work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const renewing = (async () => {
      while (!done.signal.aborted) {
        await this.renew();
        await pause(LEASE_MS / 5);
      }
    })();
    try {
      return await work();
    } finally {
      done.abort();
      await renewing;
    }
  }
}

describe.concurrent('leases survive clocks that jump, and end with their holder', () => {
  for (const backend of LOCK_BACKENDS.filter(({ name }) => LEASED.has(name))) {
    it.runIf(backend.isHere)(`on ${backend.name}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'terrane-clocks-'));
      const contended = await backend.start(folder);
      const backends: Backend[] = [];
      const start = async (id: string, aheadMs: number): Promise<LockProcess> =>
        await LockProcess.start(contended.target, id, aheadMs, (one) => void backends.push(one));
      try {
        const holder = await start('holder', 0);
        const [ahead, behind] = [await start('ahead', HOUR_MS), await start('behind', -HOUR_MS)];
        const right = await start('right', 0);
        expect(await holder.lock()).toBe('locked');
        // The lease seems to have ended for long.
        expect(await holder.renewDuring(() => ahead.lock())).toBe('held');
        for (const aheadMs of [-HOUR_MS, HOUR_MS]) {
          holder.aheadMs = aheadMs;
          await holder.renew();
          expect(await holder.renewDuring(() => right.lock())).toBe('held');
        }
        await holder.confirm();
        // The holder dies.
        holder.aheadMs = 0;
        await holder.renew();
        expect(await behind.lock()).toBe('held');
        await pause(2 * LEASE_MS);
        expect(await behind.lock()).toBe('held');
        expect(await right.lock()).toBe('locked');
        await expect(holder.renew()).rejects.toThrow(LockLost);
        await expect(holder.confirm()).rejects.toThrow(LockLost);
      } finally {
        for (const one of backends) await one.close?.();
        await contended.stop();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
