import type { PgConnection } from './pg-connection.ts';

/** Error codes for a row, schema, relation or row type that another client has just created. */
const CREATED_BY_ANOTHER: ReadonlySet<unknown> = new Set(['23505', '42P06', '42P07', '42710']);

/** Executes a statement with `IF NOT EXISTS`, which other clients may execute at the same time. */
export async function createIfMissing(connection: PgConnection, statement: string): Promise<void> {
  try {
    await connection.query(statement);
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!CREATED_BY_ANOTHER.has(code)) throw error;
    // The other client has finished, so IF NOT EXISTS sees the object. An object without that clause is reported.
    await connection.query(statement);
  }
}
