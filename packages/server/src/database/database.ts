import type { PGlite } from '@electric-sql/pglite';
import { type Dialect, Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { importOptional } from '@terrane/host';
import { ASSESSMENT_TABLES } from './assessment-tables.ts';
import { INITIAL_TABLES } from './initial-tables.ts';
import { NOTIFICATION_TABLES } from './notification-tables.ts';
import { REGISTRY_TABLES } from './registry-tables.ts';
import { POLICY_TABLES } from './policy-tables.ts';
import { RUN_TASK_TABLES } from './task-tables.ts';
import { VCS_TABLES } from './vcs-tables.ts';
import type { Tables } from './schema.ts';

/** A connection pool or transaction with the tables of the server. */
export type Database = Kysely<Tables>;

/** The migrations in their order. A name never changes once it is released. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': statements(INITIAL_TABLES),
  '0002-may-apply': {
    async up(db: Kysely<unknown>) {
      // A server of an older release does not know the column: its runs wait for an approval.
      await sql`ALTER TABLE configuration_versions ADD COLUMN may_apply boolean NOT NULL DEFAULT false`.execute(
        db,
      );
    },
  },
  '0011-notifications': statements(NOTIFICATION_TABLES),
  '0020-agent-pool-scopes': statements([
    `CREATE TABLE agent_pool_scopes (
      agent_pool_id text NOT NULL REFERENCES agent_pools ON DELETE CASCADE, kind text NOT NULL,
      subject_id text NOT NULL, PRIMARY KEY (agent_pool_id, kind, subject_id))`,
  ]),
  '0021-unconfirmed-email': statements(['ALTER TABLE users ADD COLUMN unconfirmed_email text']),
  '0022-registry': statements(REGISTRY_TABLES),
  '0023-user-identities': statements([
    `CREATE TABLE user_identities (
      issuer text NOT NULL, subject text NOT NULL,
      user_id text NOT NULL REFERENCES users ON DELETE CASCADE, created_at timestamptz NOT NULL,
      PRIMARY KEY (issuer, subject))`,
  ]),
  '0012-run-tasks': statements(RUN_TASK_TABLES),
  '0013-policies': statements(POLICY_TABLES),
  '0014-assessments': statements(ASSESSMENT_TABLES),
  '0015-version-control': statements(VCS_TABLES),
  '0024-blob-storage': statements(['ALTER TABLE blobs ADD COLUMN place text']),
  '0016-indexes': statements([
    'CREATE INDEX comments_run ON comments (run_id)',
    'CREATE INDEX runs_created ON runs (created_at)',
    'CREATE INDEX runs_configuration_version ON runs (configuration_version_id)',
    'CREATE INDEX jobs_stage ON jobs (stage_id)',
  ]),
  // Runs that wait or are executed are few, and lists and queues look for them among all.
  '0025-unfinished-runs': statements([
    `CREATE INDEX runs_unfinished ON runs (status, created_at) WHERE status NOT IN
      ('applied', 'canceled', 'discarded', 'errored', 'planned_and_finished', 'policy_soft_failed')`,
  ]),
  // Of objects that are many in one organization.
  '0027-pool-indexes': statements([
    'CREATE INDEX agents_pool ON agents (agent_pool_id, last_ping_at)',
    `CREATE INDEX workspaces_pool ON workspaces (agent_pool_id) WHERE agent_pool_id IS NOT NULL`,
    `CREATE INDEX workspaces_current_run ON workspaces (current_run_id)
      WHERE current_run_id IS NOT NULL`,
    'CREATE INDEX policy_set_versions_set ON policy_set_versions (policy_set_id, created_at)',
  ]),
  // Null for events of agents of older releases, which do not number them.
  '0026-event-numbers': statements([
    `ALTER TABLE events ADD COLUMN job_id text, ADD COLUMN attempt integer,
      ADD COLUMN number integer`,
    `CREATE UNIQUE INDEX events_number ON events (job_id, attempt, number)
      WHERE number IS NOT NULL`,
  ]),
};

function statements(list: readonly string[]): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of list) await sql.raw(statement).execute(db);
    },
  };
}

/** Opens a PostgreSQL database by its connection string, with a pool of connections. */
export async function openPostgres(url: string, connections = 10): Promise<Database> {
  const { Pool } = await importOptional(
    'The run server',
    ['pg'],
    async () => await import('./libraries/server-pg.ts'),
  );
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'terrane-server',
    connectionTimeoutMillis: 10_000,
  });
  // Idle connections that the server closes; the next query opens another one.
  pool.on('error', () => undefined);
  // The same for a connection in use: its next query fails. Without a listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return openDialect(new PostgresDialect({ pool }));
}

/**
 * Opens a PostgreSQL in this process. `directory` keeps the data; without it, the data is in memory, and begins as that
 * of `snapshot`, an archive of a data directory.
 */
export async function openEmbedded({
  directory,
  snapshot,
}: { readonly directory?: string; readonly snapshot?: Blob } = {}): Promise<Database> {
  const { PGlite } = await importOptional(
    'The development database',
    ['@electric-sql/pglite'],
    async () => await import('@electric-sql/pglite'),
  );
  return withEmbedded(
    await PGlite.create({
      ...(directory !== undefined && { dataDir: directory }),
      ...(snapshot !== undefined && { loadDataDir: snapshot }),
    }),
  );
}

/** Returns the tables of an embedded PostgreSQL, which closes with them. */
export function withEmbedded(pglite: PGlite): Database {
  return openDialect(new PGliteDialect({ pglite }));
}

function openDialect(dialect: Dialect): Database {
  return new Kysely<Tables>({ dialect });
}

/** Migrations by name. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings the tables up to date. Concurrent servers wait for each other. A database that a newer server has migrated
 * stays as it is: migrations only add, so that servers of two releases work on it at the same time. Throws the error of
 * a failed migration.
 */
export async function migrate(db: Database, migrations: Migrations = MIGRATIONS): Promise<void> {
  // The migrator holds the only connection of an embedded database, so that this is read before.
  const known = await withExecuted(db, migrations);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(known) },
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error('The database migration failed.');
  }
}

/** Returns the migrations, with a placeholder for each executed one that only a newer release knows. */
async function withExecuted(
  db: Database,
  migrations: Migrations,
): Promise<Record<string, Migration>> {
  const { rows: tables } = await sql<{ name: string | null }>`
    SELECT to_regclass('kysely_migration')::text AS name`.execute(db);
  if ((tables[0]?.name ?? null) === null) return { ...migrations };
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  const newer = rows.filter(({ name }) => migrations[name] === undefined);
  return {
    ...migrations,
    ...Object.fromEntries(newer.map(({ name }) => [name, { up: () => Promise.resolve() }])),
  };
}
