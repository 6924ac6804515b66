import { type LockInfo, LockLost, type Storage } from '@terrane/host';
import { ManualClock } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { LockLease } from './lock-lease.ts';

const MS = 120_000;

function lease(clock: ManualClock, renew: (info: LockInfo) => Promise<void>, holder?: LockInfo) {
  const expires = new Date(clock.now().getTime() + MS).toISOString();
  const info = {
    id: 'mine',
    operation: '',
    info: '',
    who: 'me',
    version: '',
    created: '',
    path: '',
    lease: { epoch: 7, expires },
  };
  const storage: Storage = {
    read: () => Promise.resolve(undefined),
    write: () => Promise.resolve(),
    renew,
    lockHolder: () => Promise.resolve(holder),
  };
  return { info, lease: new LockLease({ storage, clock, info, ms: MS }) };
}

it('renews at each third, with the number it had, until it is stopped', async () => {
  const clock = new ManualClock();
  const renewals: LockInfo[] = [];
  const { lease: held } = lease(clock, (info) => {
    renewals.push(info);
    return Promise.resolve();
  });
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
  expect(held.lost.aborted).toBe(false);
});

it('tries a renewal that fails again, and gives up when the lease has ended', async () => {
  const clock = new ManualClock();
  let attempts = 0;
  const { lease: held } = lease(clock, () => {
    attempts += 1;
    return Promise.reject(new Error('no connection'));
  });
  await clock.advance(MS - 1);
  expect(attempts).toBeGreaterThan(5);
  expect(held.lost.aborted).toBe(false);
  await clock.advance(11_000);
  expect(held.lost.aborted).toBe(true);
  expect(String(held.lost.reason)).toContain('could not be renewed in time: no connection');
  await held.stop();
});

it('goes on after failures that pass', async () => {
  const clock = new ManualClock();
  let attempts = 0;
  const { lease: held } = lease(clock, () => {
    attempts += 1;
    return attempts % 3 === 0 ? Promise.resolve() : Promise.reject(new Error('no connection'));
  });
  await clock.advance(20 * MS);
  expect(held.lost.aborted).toBe(false);
  await held.stop();
});

it('is lost at once where somebody else has the lock, and nothing is written then', async () => {
  const clock = new ManualClock();
  const other = { ...lease(clock, () => Promise.resolve()).info, id: 'theirs', who: 'them' };
  const { lease: held } = lease(clock, () => Promise.reject(new LockLost('it is theirs')), other);
  await held.confirm();
  await clock.advance(40_000);
  expect(held.lost.aborted).toBe(true);
  await expect(held.confirm()).rejects.toThrow(/somebody else holds the lock[^]*theirs/);
  await held.stop();
});

it('leaves it to the condition of the write where nobody has the lock', async () => {
  const clock = new ManualClock();
  const { lease: held } = lease(clock, () => Promise.reject(new LockLost('it is gone')));
  await clock.advance(40_000);
  expect(held.lost.aborted).toBe(true);
  await held.confirm();
  await held.stop();
});

it('is confirmed before a write where a renewal is overdue', async () => {
  const clock = new ManualClock();
  let renewals = 0;
  const { lease: held } = lease(clock, () => {
    renewals += 1;
    return Promise.resolve();
  });
  await held.stop();
  await held.confirm();
  expect(renewals).toBe(0);
  await clock.advance(2 * MS);
  await held.confirm();
  expect(renewals).toBe(1);
});
