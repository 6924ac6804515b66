import { sql } from 'kysely';
import { label, metric } from './metrics.ts';
import type { Services } from './services.ts';

/** An agent that was silent for this long is not counted. */
const SILENT_MS = 60_000;

/** Returns all metrics in the text format of Prometheus. Metrics of runs cover the complete installation. */
export async function metricsText(
  services: Pick<Services, 'db' | 'clock' | 'metrics' | 'processUsage'>,
): Promise<string> {
  const { db, clock, metrics } = services;
  const now = clock.now();
  const byStatus = async (table: 'runs' | 'jobs'): Promise<[string, number][]> => {
    const rows = await db
      .selectFrom(table)
      .select(['status', (select) => select.fn.countAll().as('count')])
      .groupBy('status')
      .orderBy('status')
      .execute();
    return rows.map(({ status, count }) => [`status="${label(status)}"`, Number(count)]);
  };
  const oldest = await db
    .selectFrom('jobs')
    .select((select) => select.fn.min('created_at').as('time'))
    .where('status', '=', 'queued')
    .executeTakeFirst();
  const waiting = oldest?.time ? Math.max(0, now.getTime() - oldest.time.getTime()) / 1000 : 0;
  const agents = await db
    .selectFrom('agents')
    .select(['status', (select) => select.fn.countAll().as('count')])
    .where('last_ping_at', '>', new Date(now.getTime() - SILENT_MS))
    .groupBy('status')
    .execute();
  const counted = async (table: 'workspaces' | 'organizations'): Promise<number> => {
    const { count } = await db
      .selectFrom(table)
      .select((select) => select.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const { rows: sizes } = await sql<{ size: string }>`
    SELECT pg_database_size(current_database()) AS size`.execute(db);
  const usage = services.processUsage?.();
  return `${[
    ...metric('terrane_runs', 'gauge', 'Runs by status.', await byStatus('runs')),
    ...metric('terrane_jobs', 'gauge', 'Jobs of agents by status.', await byStatus('jobs')),
    ...metric('terrane_oldest_queued_job_seconds', 'gauge', 'Age of the oldest queued job.', [
      ['', waiting],
    ]),
    ...metric(
      'terrane_agents',
      'gauge',
      'Agents that are connected, by status.',
      agents.map(({ status, count }) => [`status="${label(status)}"`, Number(count)]),
    ),
    ...metric('terrane_workspaces', 'gauge', 'Workspaces.', [['', await counted('workspaces')]]),
    ...metric('terrane_organizations', 'gauge', 'Organizations.', [
      ['', await counted('organizations')],
    ]),
    ...metric('terrane_database_size_bytes', 'gauge', 'Size of the database.', [
      ['', Number(sizes[0]?.size ?? 0)],
    ]),
    ...metrics.lines(),
    ...(usage === undefined
      ? []
      : [
          ...metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', [
            ['', usage.residentBytes],
          ]),
          ...metric('process_cpu_seconds_total', 'counter', 'Processor time.', [
            ['', usage.cpuSeconds],
          ]),
          ...metric('process_start_time_seconds', 'gauge', 'Start of the process.', [
            ['', usage.startedAt.getTime() / 1000],
          ]),
        ]),
  ].join('\n')}\n`;
}
