import type { Database } from '../database/database.ts';
import { ApiError } from '../http/json-api.ts';
import { randomText, type Services } from './services.ts';

/** The largest content. */
export const LARGEST_BLOB: number = 64 * 1024 * 1024;

type Part = Pick<Services, 'db' | 'sealing' | 'clock' | 'random' | 'blobStorage'>;

/** Called in the transaction of a write. Throws an ApiError to reject the write. */
export type Guard = (db: Database) => Promise<void>;

/**
 * Stores a content, encrypted, under a name; replaces an earlier one. Large contents are stored in the blob storage, if
 * the installation has one: under a new name each time, so that a failure leaves the earlier content in place.
 */
export async function putBlob(
  services: Part,
  id: string,
  content: Uint8Array,
  guard?: Guard,
): Promise<void> {
  const { db, sealing, clock, blobStorage } = services;
  if (content.length > LARGEST_BLOB) {
    throw new ApiError(413, 'payload too large', `Contents are limited to ${LARGEST_BLOB} bytes.`);
  }
  const sealed = sealing.seal(content, id);
  const isLarge = blobStorage !== undefined && content.length >= blobStorage.from;
  const place = isLarge ? newPlace(services, id) : null;
  if (isLarge) await blobStorage.write(place ?? '', sealed);
  const values = { bytes: isLarge ? Buffer.alloc(0) : sealed, size: content.length, place };
  /** Writes the row. Returns the object of the earlier content. */
  const write = async (writer: Database): Promise<string | null> => {
    await guard?.(writer);
    const earlier = await placeOf({ db: writer }, id);
    await writer
      .insertInto('blobs')
      .values({ id, ...values, created_at: clock.now() })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    return earlier;
  };
  try {
    const earlier = guard === undefined ? await write(db) : await db.transaction().execute(write);
    if (earlier !== null) await removeObject(services, earlier);
  } catch (error) {
    if (error instanceof ApiError && place !== null) await removeObject(services, place);
    throw error;
  }
}

const newPlace = ({ random }: Pick<Part, 'random'>, id: string): string =>
  `${id.replaceAll(/[^\w.-]/g, '_')}.${randomText(random, 8)}`;

/** Returns the name of a content in the blob storage; null if it is in the database, or does not exist. */
async function placeOf({ db }: Pick<Part, 'db'>, id: string): Promise<string | null> {
  const row = await db.selectFrom('blobs').select('place').where('id', '=', id).executeTakeFirst();
  return row?.place ?? null;
}

/** Removes an object that is not needed any more. A failure leaves it there, and is reported. */
async function removeObject(
  { blobStorage, report }: Pick<Services, 'blobStorage' | 'report'>,
  place: string,
): Promise<void> {
  try {
    await blobStorage?.remove(place);
  } catch {
    report?.(`blob storage: the object ${place} could not be removed`);
  }
}

/** Returns a content; undefined if there is none. */
export async function getBlob(
  services: Pick<Part, 'db' | 'sealing' | 'blobStorage'>,
  id: string,
): Promise<Buffer | undefined> {
  const { db, sealing } = services;
  const row = await db
    .selectFrom('blobs')
    .select(['bytes', 'place'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return sealing.open(row.place === null ? row.bytes : await readObject(services, row.place), id);
}

async function readObject(
  { blobStorage }: Pick<Part, 'blobStorage'>,
  place: string,
): Promise<Uint8Array> {
  if (blobStorage === undefined) {
    throw new Error('A content is in the blob storage, which this server has no settings of.');
  }
  const bytes = await blobStorage.read(place);
  if (bytes === undefined) throw new Error(`The object ${place} is missing in the blob storage.`);
  return bytes;
}

export async function deleteBlob(
  services: Pick<Services, 'db' | 'blobStorage' | 'report'>,
  id: string,
): Promise<void> {
  const { db } = services;
  const place = await placeOf(services, id);
  await db.deleteFrom('blobs').where('id', '=', id).execute();
  if (place !== null) await removeObject(services, place);
}

/**
 * Moves the contents of an installation: large ones into the blob storage, or all of them into the database. Servers may
 * run meanwhile: each content is complete in one of both places at any time. Returns how many were moved.
 */
export async function moveBlobs(services: Services, to: 'storage' | 'database'): Promise<number> {
  const { db, blobStorage } = services;
  if (blobStorage === undefined) throw new Error('The server has no blob storage.');
  const rows = await db
    .selectFrom('blobs')
    .select(['id', 'size', 'place'])
    .where('place', to === 'storage' ? 'is' : 'is not', null)
    .orderBy('id')
    .execute();
  let moved = 0;
  for (const { id, size, place } of rows) {
    if (to === 'storage') {
      if (size < blobStorage.from) continue;
      const row = await db
        .selectFrom('blobs')
        .select('bytes')
        .where('id', '=', id)
        .where('place', 'is', null)
        .executeTakeFirst();
      if (row === undefined) continue;
      const target = newPlace(services, id);
      await blobStorage.write(target, row.bytes);
      // A content that was replaced meanwhile stays as it is.
      const { numUpdatedRows: updated } = await db
        .updateTable('blobs')
        .set({ place: target, bytes: Buffer.alloc(0) })
        .where('id', '=', id)
        .where('place', 'is', null)
        .where('bytes', '=', row.bytes)
        .executeTakeFirst();
      if (updated === 0n) await removeObject(services, target);
      else moved++;
    } else if (place !== null) {
      const bytes = Buffer.from(await readObject(services, place));
      const { numUpdatedRows: updated } = await db
        .updateTable('blobs')
        .set({ place: null, bytes })
        .where('id', '=', id)
        .where('place', '=', place)
        .executeTakeFirst();
      if (updated === 0n) continue;
      await removeObject(services, place);
      moved++;
    }
  }
  return moved;
}
