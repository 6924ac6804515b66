/** The schema and table of the states. */
export interface PgTable {
  readonly schema: string;
  readonly table: string;
  readonly index: string;
}

/** A name as SQL has it. */
export function quoted(name: string): string {
  return `"${name.replace(/\0.*$/s, '').replaceAll('"', '""')}"`;
}

/** The table's name with its schema. */
export function tableName({ schema, table }: PgTable): string {
  return `${quoted(schema)}.${quoted(table)}`;
}

/** Returns the name, with its schema, of the table with data beside the states. */
export function sideTableName({ schema, table }: Pick<PgTable, 'schema' | 'table'>): string {
  return `${quoted(schema)}.${quoted(`${table}_history`)}`;
}

/** The lock that Terraform acquires to create a state. */
const CREATION = '-1';

/**
 * Returns the advisory lock IDs for creating states: Terraform's, and OpenTofu's, which has one per table
 * (`composeCreationLockID` of its `pg` backend: the FNV-1 hash of schema and table).
 */
export function creationLocks({ schema, table }: PgTable): readonly [string, string] {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${schema}\0${table}`)) {
    hash = Math.imul(hash, 0x01000193) ^ byte;
  }
  return [CREATION, String(-(hash >>> 0))];
}
