import { type LockInfo, LockLost, type Storage } from '@terrane/host';
import { ManualClock } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { HeldLock } from './held-lock.ts';

const MS = 120_000;

type LockStorage = Pick<Storage, 'renew' | 'confirmLock' | 'lockHolder'>;

/** A clock whose system time can be changed and whose monotonic time can stand still. */
class ShiftingClock extends ManualClock {
  shiftMs = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.shiftMs);
  }
}

function holding(clock: ManualClock, storage: LockStorage, isLeased = true) {
  const expires = new Date(clock.now().getTime() + MS).toISOString();
  const info: LockInfo = {
    id: 'mine',
    operation: '',
    info: '',
    who: 'me',
    version: '',
    created: '',
    path: '',
    ...(isLeased ? { lease: { epoch: 7, expires } } : {}),
  };
  const since = clock.monotonicMs();
  return { info, held: new HeldLock({ storage, clock, info, ms: MS, since }) };
}

const unreachable = (): Promise<never> => Promise.reject(new Error('no connection'));
const hanging = (): Promise<never> => new Promise(() => undefined);

describe('renewal', () => {
  it('extends the lease at each third of it, with the epoch it has, until it is stopped', async () => {
    const clock = new ManualClock();
    const renewals: LockInfo[] = [];
    const renew = (info: LockInfo): Promise<void> => Promise.resolve(void renewals.push(info));
    const { held } = holding(clock, { renew });
    const start = clock.now().getTime();
    await clock.advance(100_000);
    const expected = [40_000, 80_000].map((at) => ({
      epoch: 7,
      expires: new Date(start + at + MS).toISOString(),
    }));
    expect(renewals.map((info) => info.lease)).toEqual(expected);
    await held.stop();
    await clock.advance(MS);
    expect(renewals).toHaveLength(2);
  });

  it('is retried while it fails, and the lock is lost exactly when the lease ends', async () => {
    const clock = new ManualClock();
    let attempts = 0;
    const { held } = holding(clock, { renew: () => (attempts++, unreachable()) });
    await clock.advance(MS - 1);
    expect(attempts).toBeGreaterThan(5);
    expect(held.isValid()).toBe(true);
    await clock.advance(1);
    expect(held.lost.aborted).toBe(true);
    expect(String(held.lost.reason)).toContain('could not be renewed in time: no connection');
  });

  it('survives failures that pass', async () => {
    const clock = new ManualClock();
    let attempts = 0;
    const renew = (): Promise<void> =>
      ++attempts % 3 === 0 ? Promise.resolve() : Promise.reject(new Error('no connection'));
    const { held } = holding(clock, { renew });
    await clock.advance(20 * MS);
    expect(held.isValid()).toBe(true);
    await held.stop();
  });

  it('that never answers does not hide the end of the lease', async () => {
    const clock = new ManualClock();
    let attempts = 0;
    const { held } = holding(clock, { renew: () => (attempts++, hanging()) });
    await clock.advance(MS);
    expect(attempts).toBeGreaterThan(1);
    expect(held.lost.aborted).toBe(true);
    expect(String(held.lost.reason)).toContain('no answer within');
  });

  it('counts from the moment at which the request was sent, not from its answer', async () => {
    const clock = new ManualClock();
    let attempts = 0;
    // The only renewal that succeeds takes 30 seconds.
    const renew = (): Promise<void> => (attempts++ === 0 ? clock.sleep(30_000) : unreachable());
    const { held } = holding(clock, { renew });
    await clock.advance(MS / 3 + MS - 1);
    expect(held.isValid()).toBe(true);
    await clock.advance(1);
    expect(held.isValid()).toBe(false);
  });

  it('that finds another holder loses the lock immediately', async () => {
    const clock = new ManualClock();
    const renew = (): Promise<void> => Promise.reject(new LockLost('it is theirs'));
    const { held } = holding(clock, { renew });
    await clock.advance(40_000);
    expect(held.lost.aborted).toBe(true);
  });
});

describe('a lock without a lease', () => {
  it('is lost if the storage cannot be reached for the duration of a lease', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, { confirmLock: unreachable }, false);
    await clock.advance(MS - 1);
    expect(held.isValid()).toBe(true);
    await clock.advance(1);
    expect(String(held.lost.reason)).toContain('could not be asked about it for 120 seconds');
  });

  it('that never answers is lost, too', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, { confirmLock: hanging }, false);
    await clock.advance(MS + MS / 3);
    expect(held.lost.aborted).toBe(true);
  });

  it('does not end while the process is frozen, but has to be confirmed then', async () => {
    for (const reachable of [true, false]) {
      const clock = new ManualClock();
      let asked = 0;
      const confirmLock = (): Promise<void> => (
        asked++,
        reachable ? Promise.resolve() : unreachable()
      );
      const { held } = holding(clock, { confirmLock }, false);
      await held.stop();
      await clock.advance(10 * MS);
      expect(held.isValid()).toBe(true);
      if (reachable) await held.confirm();
      else await expect(held.confirm()).rejects.toThrow(LockLost);
      expect(asked).toBe(1);
    }
  });

  it('of a storage that cannot verify is never lost', async () => {
    const clock = new ShiftingClock();
    const { held } = holding(clock, {}, false);
    await clock.advance(100 * MS);
    clock.shiftMs = MS;
    await held.confirm();
    expect(held.isValid()).toBe(true);
  });
});

describe('before a change', () => {
  it('the storage confirms the lock, once for all changes that wait for it', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const confirmLock = async (): Promise<void> => {
      asked += 1;
      await clock.sleep(100);
    };
    const { held } = holding(clock, { confirmLock }, false);
    const changes = Promise.all([held.confirm(), held.confirm(), held.confirm()]);
    await clock.advance(200);
    await changes;
    // The first change has one of its own; the others need one that began after they asked.
    expect(asked).toBe(2);
    await held.stop();
  });

  it('a lock that another client has removed stops it', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, {
      renew: () => Promise.resolve(),
      confirmLock: () => Promise.reject(new LockLost('the lock is gone')),
    });
    await expect(held.confirm()).rejects.toThrow('the lock is gone');
    expect(held.lost.aborted).toBe(true);
  });

  it('a lease that ended while the process was frozen stops it, even without another holder', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, {
      renew: () => Promise.resolve(),
      confirmLock: async () => {},
    });
    await held.stop();
    // As after SIGCONT: no timer has fired yet.
    await clock.advance(MS);
    await expect(held.confirm()).rejects.toThrow('suspended');
  });

  it('a storage that does not answer is waited for briefly, and then not again for a while', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const confirmLock = (): Promise<never> => (asked++, hanging());
    const { held } = holding(clock, { renew: () => Promise.resolve(), confirmLock });
    const first = held.confirm();
    await clock.advance(10_000);
    await first;
    await held.confirm();
    expect(asked).toBe(1);
    await held.stop();
  });

  it('a lease is renewed after the machine was suspended, and lost where that fails', async () => {
    for (const reachable of [true, false]) {
      const clock = new ShiftingClock();
      let renewals = 0;
      const renew = (): Promise<void> => (
        renewals++,
        reachable ? Promise.resolve() : unreachable()
      );
      const { held } = holding(clock, { renew, confirmLock: () => Promise.resolve() });
      // The monotonic clock stood still meanwhile.
      clock.shiftMs = 3_600_000;
      if (reachable) await held.confirm();
      else await expect(held.confirm()).rejects.toThrow(LockLost);
      expect(renewals).toBe(1);
      await held.stop();
    }
  });

  it('a system clock that is set back does not extend the lease', async () => {
    const clock = new ShiftingClock();
    const { held } = holding(clock, { renew: unreachable });
    clock.shiftMs = -3_600_000;
    await clock.advance(MS);
    expect(held.isValid()).toBe(false);
  });
});

describe('before the state is written', () => {
  const other = { ...holding(new ManualClock(), {}).info, id: 'theirs', who: 'them' };

  it('another holder forbids it', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, {
      renew: () => Promise.reject(new LockLost('it is theirs')),
      confirmLock: () => Promise.reject(new LockLost('it is theirs')),
      lockHolder: () => Promise.resolve(other),
    });
    await expect(held.confirmWrite()).rejects.toThrow(/another client holds the lock[^]*theirs/);
  });

  it('the condition of the write decides if the lock has no holder', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, {
      confirmLock: () => Promise.reject(new LockLost('it is gone')),
      lockHolder: () => Promise.resolve(undefined),
    });
    await held.confirmWrite();
    expect(held.lost.aborted).toBe(true);
  });

  it('a lock that could not be renewed in time and is still there allows it', async () => {
    const clock = new ManualClock();
    const { held } = holding(clock, {
      renew: unreachable,
      confirmLock: () => Promise.resolve(),
      lockHolder: () => Promise.resolve(other),
    });
    await clock.advance(MS);
    expect(held.lost.aborted).toBe(true);
    await held.confirmWrite();
  });
});
