import { PGlite } from '@electric-sql/pglite';
import { type Database, migrate, openEmbedded, withEmbedded } from '../database/database.ts';

let snapshot: Promise<Blob> | undefined;

/** Opens a database in memory with all tables. Creating one takes seconds, so that all tests copy the first one. */
export async function openMigrated(): Promise<Database> {
  snapshot ??= createSnapshot();
  return await openEmbedded({ snapshot: await snapshot });
}

async function createSnapshot(): Promise<Blob> {
  const pglite = await PGlite.create();
  const db = withEmbedded(pglite);
  try {
    await migrate(db);
    return await pglite.dumpDataDir('none');
  } finally {
    await db.destroy();
  }
}
