import { BOOL, STRING, type Value } from '@terrane/cty';
import { type Environment, userErrorText } from '@terrane/host';
import type { BlockSchema } from '@terrane/provider';
import type { Backend, BackendKind } from '../backend.ts';
import { BackendArguments } from '../backend-arguments.ts';
import { connectionOptions } from './connection-options.ts';
import { parseConnectionString } from './connection-string.ts';
import { createIfMissing } from './create-if-missing.ts';
import { PgConnection } from './pg-connection.ts';
import { pgSideStorage } from './pg-side-storage.ts';
import { PgStorage } from './pg-storage.ts';
import { quoted, tableName, type PgTable } from './pg-table.ts';

const SCHEMA: BlockSchema = {
  attributes: {
    conn_str: {
      type: STRING,
      optional: true,
      description: 'Postgres connection string; a `postgres://` URL',
    },
    schema_name: {
      type: STRING,
      optional: true,
      description: 'Name of the automatically managed Postgres schema to store state',
    },
    skip_schema_creation: {
      type: BOOL,
      optional: true,
      description: "If set to `true`, the Postgres schema isn't created",
    },
    // As in OpenTofu 1.10.
    table_name: {
      type: STRING,
      optional: true,
      description: 'Name of the automatically managed Postgres table to store state',
    },
    skip_table_creation: {
      type: BOOL,
      optional: true,
      description: "If set to `true`, the Postgres table isn't created",
    },
    // As in OpenTofu 1.10.
    index_name: {
      type: STRING,
      optional: true,
      description: 'Name of the automatically managed Postgres index used for stored state',
    },
    skip_index_creation: {
      type: BOOL,
      optional: true,
      description: "If set to `true`, the Postgres index isn't created",
    },
  },
  blocks: {},
};

/** States in a table of PostgreSQL, a row each, locked by advisory locks. */
export const PG: BackendKind = {
  type: 'pg',
  schema: SCHEMA,
  additional: ['table_name', 'index_name'],
  check(config, { host }) {
    try {
      const { connection } = settingsOf(config, host.environment);
      parseConnectionString(connection);
      return [];
    } catch (error) {
      return [{ severity: 'error', summary: userErrorText(error), detail: '' }];
    }
  },
  async open(config, { host }): Promise<Backend> {
    const settings = settingsOf(config, host.environment);
    const { table } = settings;
    const options = await connectionOptions(settings.connection, host);
    const open = (application: string): PgConnection => new PgConnection(options, application);
    const shared = new PgConnection(options, 'terrane', true);
    const storages: PgStorage[] = [];
    await prepare(shared, settings);
    return {
      workspaces: {
        async names() {
          const rows = await shared.query(
            `SELECT name FROM ${tableName(table)} WHERE name != 'default' ORDER BY name`,
          );
          return ['default', ...rows.map((row) => String(row['name'])).sort()];
        },
        async delete(name) {
          if (name === 'default' || name === '') throw new Error("can't delete default state");
          await shared.query(`DELETE FROM ${tableName(table)} WHERE name = $1`, [name]);
        },
      },
      storage(name) {
        const storage = new PgStorage({ table, name, clock: host.clock, shared, open });
        storages.push(storage);
        return Promise.resolve(storage);
      },
      sideStorage: (workspace) =>
        pgSideStorage(shared, table, { workspace, makesTable: settings.makesTable }),
      async close() {
        await Promise.all([...storages.map((storage) => storage.close()), shared.end()]);
      },
    };
  },
};

interface PgSettings {
  readonly connection: string;
  readonly table: PgTable;
  readonly makesSchema: boolean;
  readonly makesTable: boolean;
  readonly makesIndex: boolean;
}

function settingsOf(config: Value, environment: Environment): PgSettings {
  const args = new BackendArguments(config, environment);
  const makes = (subject: string): boolean =>
    !args.truth(`skip_${subject}_creation`, `PG_SKIP_${subject.toUpperCase()}_CREATION`, false);
  return {
    connection: args.filled('conn_str', 'PG_CONN_STR') ?? '',
    table: {
      schema: args.filled('schema_name', 'PG_SCHEMA_NAME') ?? 'terraform_remote_state',
      table: args.filled('table_name', 'PG_TABLE_NAME') ?? 'states',
      index: args.filled('index_name', 'PG_INDEX_NAME') ?? 'states_by_name',
    },
    makesSchema: makes('schema'),
    makesTable: makes('table'),
    makesIndex: makes('index'),
  };
}

/** Creates the schema, table and index if missing. Existing ones require no privilege to create them. */
async function prepare(
  connection: PgConnection,
  { table, makesSchema, makesTable, makesIndex }: PgSettings,
): Promise<void> {
  const { schema, index } = table;
  const name = tableName(table);
  const [there] = await connection.query(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS schema,
            EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'f')) AS table,
            EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                     WHERE n.nspname = $1 AND c.relname = $3 AND c.relkind IN ('i', 'I')) AS index`,
    [schema, table.table, index],
  );
  const make = (statement: string): Promise<void> => createIfMissing(connection, statement);
  if (makesSchema && there?.['schema'] !== true) {
    await make(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
  }
  if (makesTable && there?.['table'] !== true) {
    // One sequence for all tables of the database, since the numbers are those of the locks.
    await make('CREATE SEQUENCE IF NOT EXISTS public.global_states_id_seq AS bigint');
    await make(`CREATE TABLE IF NOT EXISTS ${name} (
      id bigint NOT NULL DEFAULT nextval('public.global_states_id_seq') PRIMARY KEY,
      name text UNIQUE,
      data text
      )`);
  }
  if (makesIndex && there?.['index'] !== true) {
    await make(`CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(index)} ON ${name} (name)`);
  }
}
