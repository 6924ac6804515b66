import type { Clock } from '@terrane/host';
import { expect, it } from 'vitest';
import { openEmbedded } from './database.ts';
import { databaseClock } from './database-clock.ts';

const MINUTE_MS = 60_000;

it('has the time of the database, also after it was measured again or cannot be reached', async () => {
  const db = await openEmbedded();
  let [behindMs, monotonicMs] = [60 * MINUTE_MS, 0];
  const machine: Clock = {
    now: () => new Date(Date.now() - behindMs),
    monotonicMs: () => monotonicMs,
    sleep: () => Promise.resolve(),
  };
  const clock = await databaseClock(db, machine);
  const errorMs = (): number => Math.abs(clock.now().getTime() - Date.now());
  expect(errorMs()).toBeLessThan(MINUTE_MS);
  behindMs = 30 * MINUTE_MS;
  expect(errorMs()).toBeGreaterThan(29 * MINUTE_MS);
  monotonicMs += 2 * MINUTE_MS;
  await expect.poll(errorMs).toBeLessThan(MINUTE_MS);
  await db.destroy();
  monotonicMs += 2 * MINUTE_MS;
  expect(errorMs()).toBeLessThan(MINUTE_MS);
});
