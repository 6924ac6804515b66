import { ApiError } from '../http/json-api.ts';
import type { Services } from './services.ts';

/** The limit of stored content, in bytes. */
export const LARGEST_BLOB: number = 64 * 1024 * 1024;

type BlobServices = Pick<Services, 'db' | 'sealing' | 'clock'>;

/** Encrypts and stores content under an ID; replaces existing content. */
export async function putBlob(
  { db, sealing, clock }: BlobServices,
  id: string,
  content: Uint8Array,
): Promise<void> {
  if (content.length > LARGEST_BLOB) {
    throw new ApiError(413, 'payload too large', `Contents are limited to ${LARGEST_BLOB} bytes.`);
  }
  const bytes = sealing.seal(content, id);
  const row = { id, bytes, size: content.length, created_at: clock.now() };
  await db
    .insertInto('blobs')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ bytes, size: content.length }))
    .execute();
}

/** Returns the decrypted content of an ID; undefined if there is none. */
export async function getBlob(
  { db, sealing }: Pick<BlobServices, 'db' | 'sealing'>,
  id: string,
): Promise<Buffer | undefined> {
  const row = await db.selectFrom('blobs').select('bytes').where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : sealing.open(row.bytes, id);
}

export async function deleteBlob({ db }: Pick<BlobServices, 'db'>, id: string): Promise<void> {
  await db.deleteFrom('blobs').where('id', '=', id).execute();
}
