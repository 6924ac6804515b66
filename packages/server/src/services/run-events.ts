import { fields } from '../http/request.ts';
import { holderOf, type Job } from './jobs.ts';
import type { Services } from './services.ts';

/** The most events that are stored at once. */
const MOST_EVENTS = 1_000;

/** Stores the events of a job. Throws an ApiError with status 409 if the job was taken from its agent. */
export async function storeEvents(
  { db: database, clock }: Pick<Services, 'db' | 'clock'>,
  job: Job,
  events: readonly unknown[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.slice(0, MOST_EVENTS).map((each) => {
    const event = fields(each);
    return {
      run_id: job.run_id,
      kind: String(event['type'] ?? 'log'),
      event: JSON.stringify(event),
      created_at: clock.now(),
    };
  });
  await database.transaction().execute(async (db) => {
    await db.insertInto('events').values(rows).execute();
    await holderOf(job)(db);
  });
}
