import { type Dialect, Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { importOptional } from '@terrane/host';
import { INITIAL_TABLES } from './initial-tables.ts';
import { NOTIFICATION_TABLES } from './notification-tables.ts';
import type { Tables } from './schema.ts';

/** A connection pool or transaction with the tables of the server. */
export type Database = Kysely<Tables>;

/** The migrations in their order. A name never changes once it is released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
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
  return openDialect(new PostgresDialect({ pool }));
}

/** Opens a PostgreSQL in this process. `directory` keeps the data; without it, the data is in memory. */
export async function openEmbedded(directory?: string): Promise<Database> {
  const { PGlite } = await importOptional(
    'The development database',
    ['@electric-sql/pglite'],
    async () => await import('@electric-sql/pglite'),
  );
  const pglite = await PGlite.create(directory === undefined ? {} : { dataDir: directory });
  return openDialect(new PGliteDialect({ pglite }));
}

function openDialect(dialect: Dialect): Database {
  return new Kysely<Tables>({ dialect });
}

/** Brings the tables up to date. Concurrent servers wait for each other. Throws the error of a failed migration. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error('The database migration failed.');
  }
}
