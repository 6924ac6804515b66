import { fields } from '../http/request.ts';
import { holderOf, type Job } from './jobs.ts';
import type { Services } from './services.ts';

/** The most events that are stored at once. */
const MOST_EVENTS = 1_000;

/**
 * Stores the events of a job. `first` is the number of the first one among those of the attempt: an event that was stored
 * before is not stored again, so that a request can be repeated after its response was lost. Without it, all are stored.
 * Throws an ApiError with status 409 if the job was taken from its agent.
 */
export async function storeEvents(
  { db: database, clock }: Pick<Services, 'db' | 'clock'>,
  job: Job,
  events: readonly unknown[],
  first?: number,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.slice(0, MOST_EVENTS).map((each, index) => {
    const event = fields(each);
    return {
      job_id: job.id,
      attempt: job.attempt,
      number: first === undefined ? null : first + index,
      run_id: job.run_id,
      kind: String(event['type'] ?? 'log'),
      event: JSON.stringify(event),
      created_at: clock.now(),
    };
  });
  await database.transaction().execute(async (db) => {
    await db
      .insertInto('events')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await holderOf(job)(db);
  });
}
