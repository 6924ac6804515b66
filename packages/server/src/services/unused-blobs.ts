import { sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { deleteBlob } from './blobs.ts';
import type { Services } from './services.ts';
import { repeated, type Schedule } from './tasks.ts';

const TICK = 'unused-blobs';
const TICK_MS = 3_600_000;
const AT_ONCE = 200;
/** The table of the objects that contents belong to, by the prefix of their IDs. Others are left alone. */
const OWNERS: Readonly<Record<string, keyof Tables>> = {
  cv: 'configuration_versions',
  run: 'runs',
  sv: 'state_versions',
  modver: 'registry_module_versions',
  provver: 'registry_provider_versions',
  provpltfrm: 'registry_provider_platforms',
  polsetver: 'policy_set_versions',
};

/**
 * Deletes contents whose object was deleted, for example with its workspace or organization. Younger ones than an hour
 * stay, as their object may not exist yet. Returns how many were deleted.
 */
export async function deleteUnusedBlobs(services: Services): Promise<number> {
  const before = new Date(services.clock.now().getTime() - TICK_MS);
  let deleted = 0;
  for (const [prefix, table] of Object.entries(OWNERS)) {
    for (;;) {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM blobs WHERE id LIKE ${`${prefix}-%`} AND created_at < ${before}
          AND NOT EXISTS (
            SELECT 1 FROM ${sql.table(table)} AS owners WHERE owners.id = split_part(blobs.id, '.', 1))
          LIMIT ${AT_ONCE}`.execute(services.db);
      for (const { id } of rows) await deleteBlob(services, id);
      deleted += rows.length;
      if (rows.length < AT_ONCE) break;
    }
  }
  return deleted;
}

/** Deletes them every hour. */
export const UNUSED_BLOB_SCHEDULE: Schedule = repeated(TICK, TICK_MS, deleteUnusedBlobs);
