import type { Clock } from '@terrane/host';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The time after which the difference to the time of the database is measured again. */
const MEASURED_FOR_MS = 60_000;

/**
 * Returns a clock with the time of the database, which all its servers share: the lease of a job ends at the same moment
 * for each of them, however much the clocks of their machines differ. While the database cannot be reached, the last
 * measured difference is used.
 */
export async function databaseClock(db: Database, clock: Clock): Promise<Clock> {
  let difference = 0;
  let measuredAt = -Infinity;
  const measure = async (): Promise<void> => {
    measuredAt = clock.monotonicMs();
    try {
      const before = clock.now().getTime();
      const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db);
      const after = clock.now().getTime();
      const now = rows[0]?.now.getTime();
      if (now !== undefined) difference = now - (before + after) / 2;
    } catch {
      // any-error: requests report that the database cannot be reached.
    }
  };
  await measure();
  return {
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal, options) => clock.sleep(ms, signal, options),
    now() {
      if (clock.monotonicMs() - measuredAt > MEASURED_FOR_MS) void measure();
      return new Date(clock.now().getTime() + difference);
    },
  };
}
