import { type SideStorage, sideNameSegments } from '@terrane/host';
import { createIfMissing } from './create-if-missing.ts';
import type { PgConnection } from './pg-connection.ts';
import { sideTableName, type PgTable } from './pg-table.ts';

/**
 * Returns the side storage of a workspace: rows of a table in addition to the table of states, which the first write
 * creates. Undefined if there is no such table and it may not be created.
 */
export async function pgSideStorage(
  connection: PgConnection,
  table: PgTable,
  { workspace, makesTable }: { readonly workspace: string; readonly makesTable: boolean },
): Promise<SideStorage | undefined> {
  const where = sideTableName(table);
  const [row] = await connection.query(
    `SELECT to_regclass($1) IS NOT NULL AS exists,
            COALESCE(has_schema_privilege((SELECT oid FROM pg_namespace WHERE nspname = $2), 'CREATE'), false) AS creatable`,
    [where, table.schema],
  );
  let exists = row?.['exists'] === true;
  if (!exists && !(makesTable && row?.['creatable'] === true)) return undefined;
  return {
    async read(name) {
      sideNameSegments(name);
      if (!exists) return undefined;
      const [row] = await connection.query(
        `SELECT encode(data, 'base64') AS data FROM ${where} WHERE workspace = $1 AND name = $2`,
        [workspace, name],
      );
      const data = row?.['data'];
      return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
    },
    async write(name, content) {
      sideNameSegments(name);
      if (!exists) {
        await createIfMissing(
          connection,
          `CREATE TABLE IF NOT EXISTS ${where} (workspace text, name text, data bytea NOT NULL, PRIMARY KEY (workspace, name))`,
        );
        exists = true;
      }
      await connection.query(
        `INSERT INTO ${where} (workspace, name, data) VALUES ($1, $2, decode($3, 'base64')) ON CONFLICT (workspace, name) DO UPDATE SET data = excluded.data`,
        [workspace, name, Buffer.from(content).toString('base64')],
      );
    },
    async remove(name) {
      sideNameSegments(name);
      if (!exists) return;
      await connection.query(`DELETE FROM ${where} WHERE workspace = $1 AND name = $2`, [
        workspace,
        name,
      ]);
    },
  };
}
