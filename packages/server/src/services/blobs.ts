import type { Database } from '../database/database.ts';
import { ApiError } from '../http/json-api.ts';
import { randomText, type Services } from './services.ts';

/** The largest content in the database, and of those that are processed as a whole. */
export const LARGEST_BLOB: number = 64 * 1024 * 1024;
/** The largest content in a blob storage that an installation may permit: agents hold some in memory. */
export const LARGEST_STREAM: number = 1024 * 1024 * 1024;
/** The size of the parts of a content that is stored while it is received: what it occupies in memory. */
const PART_BYTES = 16 * 1024 * 1024;

type Part = Pick<Services, 'db' | 'sealing' | 'clock' | 'random' | 'blobStorage'>;

/** Returns the largest content that is stored while it is received. */
export const largestStream = ({ blobStorage }: Pick<Services, 'blobStorage'>): number =>
  Math.max(LARGEST_BLOB, blobStorage?.largest ?? 0);

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
  const { sealing, blobStorage } = services;
  if (content.length > LARGEST_BLOB) throw tooLarge(LARGEST_BLOB);
  const sealed = sealing.seal(content, id);
  const isLarge = blobStorage !== undefined && content.length >= blobStorage.from;
  const place = isLarge ? newPlace(services, id) : null;
  if (isLarge) await blobStorage.write(place ?? '', sealed);
  await writeRow(services, id, guard, {
    bytes: isLarge ? Buffer.alloc(0) : sealed,
    size: content.length,
    place,
  });
}

/**
 * Stores a content while it is received, as `putBlob` does. With a blob storage it is written in parts, each encrypted,
 * so that it may be larger than memory permits. The row refers to it when it is complete: if `content` ends with an
 * error, or `guard` rejects the write, an earlier content stays. Throws an ApiError if it is too large.
 */
export async function putBlobStream(
  services: Part,
  id: string,
  content: AsyncIterable<Uint8Array>,
  guard?: Guard,
): Promise<void> {
  const { blobStorage, sealing } = services;
  const largest = largestStream(services);
  const partBytes = Math.max(
    blobStorage?.partBytes ?? PART_BYTES,
    Math.min(blobStorage?.from ?? 0, LARGEST_BLOB),
  );
  const place = newPlace(services, id);
  let [size, parts] = [0, 0];
  let pieces: Uint8Array[] = [];
  let pending = 0;
  const writePart = async (isLast: boolean): Promise<void> => {
    const name = partName(place, parts);
    const sealed = sealing.seal(Buffer.concat(pieces), partSubject(id, name, isLast));
    [pieces, pending] = [[], 0];
    parts++;
    await blobStorage?.write(name, sealed);
  };
  try {
    for await (const piece of dividedInto(partBytes, content)) {
      // Written when the next piece arrives, so that the last part is known as the last.
      if (blobStorage !== undefined && pending >= partBytes) await writePart(false);
      size += piece.length;
      if (size > largest) throw tooLarge(largest);
      pieces.push(piece);
      pending += piece.length;
    }
    if (parts > 0) await writePart(true);
  } catch (error) {
    await removeObjects(services, placeOfParts(place, parts));
    throw error;
  }
  if (parts === 0) {
    await putBlob(services, id, Buffer.concat(pieces), guard);
    return;
  }
  await writeRow(services, id, guard, {
    bytes: Buffer.alloc(0),
    size,
    place: placeOfParts(place, parts),
  });
}

const tooLarge = (largest: number): ApiError =>
  new ApiError(413, 'payload too large', `Contents are limited to ${largest} bytes.`);

/** Divides large pieces of a content. */
async function* dividedInto(
  size: number,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size);
  }
}

/** Names the place of a content in parts: the beginning of the names of its objects, and their number. */
const placeOfParts = (name: string, parts: number): string => `${name}~${parts}`;

/** Returns the names of the objects of a place. */
function objectsOf(place: string): readonly string[] {
  const [, name, parts] = /^(.+)~(\d+)$/.exec(place) ?? [];
  if (name === undefined) return [place];
  return Array.from({ length: Number(parts) }, (_, index) => partName(name, index));
}

const partName = (place: string, index: number): string => `${place}.${index}`;

/** Names a part of a content, so that it is accepted in its place only, and an end that is missing is noticed. */
const partSubject = (id: string, object: string, isLast: boolean): string =>
  `${id} ${object}${isLast ? ' last' : ''}`;

interface Stored {
  readonly bytes: Buffer;
  readonly size: number;
  readonly place: string | null;
}

/** Writes the row of a content whose objects exist, and removes those of the earlier content. */
async function writeRow(
  services: Part,
  id: string,
  guard: Guard | undefined,
  values: Stored,
): Promise<void> {
  const { db, clock } = services;
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
    if (earlier !== null) await removeObjects(services, earlier);
  } catch (error) {
    const { place } = values;
    if (error instanceof ApiError && place !== null) await removeObjects(services, place);
    throw error;
  }
}

const newPlace = ({ random }: Pick<Part, 'random'>, id: string): string =>
  `${id.replaceAll(/[^\w.-]/g, '_')}.${randomText(random, 8)}`;

/** Returns the place of a content in the blob storage; null if it is in the database, or does not exist. */
async function placeOf({ db }: Pick<Part, 'db'>, id: string): Promise<string | null> {
  const row = await db.selectFrom('blobs').select('place').where('id', '=', id).executeTakeFirst();
  return row?.place ?? null;
}

/** Removes the objects of a content that is not needed any more. A failure leaves them there, and is reported. */
async function removeObjects(
  { blobStorage, report }: Pick<Services, 'blobStorage' | 'report'>,
  place: string,
): Promise<void> {
  for (const name of objectsOf(place)) {
    try {
      await blobStorage?.remove(name);
    } catch {
      report?.(`blob storage: the object ${name} could not be removed`);
    }
  }
}

/** A content that is read in pieces. */
export interface BlobStream {
  readonly size: number;
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * Opens a content, of which one part at a time is in memory; undefined if there is none. Rejects if the first part
 * cannot be read.
 */
export async function getBlobStream(
  services: Pick<Part, 'db' | 'sealing' | 'blobStorage'>,
  id: string,
): Promise<BlobStream | undefined> {
  const { db, sealing } = services;
  const row = await db
    .selectFrom('blobs')
    .select(['bytes', 'size', 'place'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { bytes, size, place } = row;
  if (place === null) return streamOf(sealing.open(bytes, id));
  const objects = objectsOf(place);
  const read = async (index: number): Promise<Buffer> => {
    const name = objects[index] ?? '';
    const isPart = name !== place;
    const subject = isPart ? partSubject(id, name, index === objects.length - 1) : id;
    return sealing.open(await readObject(services, name), subject);
  };
  return { size, pieces: piecesOf(await read(0), objects.length, read) };
}

/** Returns a content in memory as a stream. */
export const streamOf = (content: Buffer): BlobStream => ({
  size: content.length,
  pieces: onePiece(content),
});

async function* onePiece(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function* piecesOf(
  first: Buffer,
  count: number,
  read: (index: number) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  yield first;
  for (let index = 1; index < count; index++) yield await read(index);
}

/** Returns a content; undefined if there is none. */
export async function getBlob(
  services: Pick<Part, 'db' | 'sealing' | 'blobStorage'>,
  id: string,
): Promise<Buffer | undefined> {
  const stream = await getBlobStream(services, id);
  return stream === undefined ? undefined : await wholeContent(stream.pieces, stream.size);
}

/** Returns a content that is processed as a whole, unless it is larger than `largest`; undefined if there is none. */
export async function getSmallBlob(
  services: Pick<Part, 'db' | 'sealing' | 'blobStorage'>,
  id: string,
  largest: number = LARGEST_BLOB,
): Promise<Buffer | 'too large' | undefined> {
  const row = await services.db
    .selectFrom('blobs')
    .select('size')
    .where('id', '=', id)
    .executeTakeFirst();
  if (row !== undefined && row.size > largest) return 'too large';
  return await getBlob(services, id);
}

/** Collects a content. Throws an ApiError if it is larger than `largest`. */
export async function wholeContent(
  pieces: AsyncIterable<Uint8Array>,
  largest: number = LARGEST_BLOB,
): Promise<Buffer> {
  const list: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > largest) throw tooLarge(largest);
    list.push(piece);
  }
  const [only] = list;
  return list.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(list);
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
  if (place !== null) await removeObjects(services, place);
}

/** The result of `moveBlobs`. */
export interface MovedBlobs {
  readonly moved: number;
  /** contents that are too large for the database */
  readonly remaining: number;
}

/**
 * Moves the contents of an installation: large ones into the blob storage, or all of them into the database. Servers may
 * run meanwhile: each content is complete in one of both places at any time.
 */
export async function moveBlobs(
  services: Services,
  to: 'storage' | 'database',
): Promise<MovedBlobs> {
  const { db, blobStorage } = services;
  if (blobStorage === undefined) throw new Error('The server has no blob storage.');
  const rows = await db
    .selectFrom('blobs')
    .select(['id', 'size', 'place'])
    .where('place', to === 'storage' ? 'is' : 'is not', null)
    .orderBy('id')
    .execute();
  let [moved, remaining] = [0, 0];
  for (const { id, size, place } of rows) {
    if (to === 'storage') {
      if (size >= blobStorage.from && (await moveToStorage(services, id))) moved++;
    } else if (size > LARGEST_BLOB) {
      remaining++;
    } else if (place !== null && (await moveToDatabase(services, id, place))) {
      moved++;
    }
  }
  return { moved, remaining };
}

async function moveToStorage(services: Services, id: string): Promise<boolean> {
  const { db, blobStorage } = services;
  const row = await db
    .selectFrom('blobs')
    .select('bytes')
    .where('id', '=', id)
    .where('place', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return false;
  const target = newPlace(services, id);
  await blobStorage?.write(target, row.bytes);
  // A content that was replaced meanwhile stays as it is.
  const { numUpdatedRows: updated } = await db
    .updateTable('blobs')
    .set({ place: target, bytes: Buffer.alloc(0) })
    .where('id', '=', id)
    .where('place', 'is', null)
    .where('bytes', '=', row.bytes)
    .executeTakeFirst();
  if (updated === 0n) await removeObjects(services, target);
  return updated > 0n;
}

async function moveToDatabase(services: Services, id: string, place: string): Promise<boolean> {
  const { db, sealing } = services;
  const [object = '', ...others] = objectsOf(place);
  let bytes: Buffer;
  if (object === place && others.length === 0) {
    bytes = Buffer.from(await readObject(services, place));
  } else {
    const content = await getBlob(services, id);
    if (content === undefined) return false;
    bytes = sealing.seal(content, id);
  }
  const { numUpdatedRows: updated } = await db
    .updateTable('blobs')
    .set({ place: null, bytes })
    .where('id', '=', id)
    .where('place', '=', place)
    .executeTakeFirst();
  if (updated > 0n) await removeObjects(services, place);
  return updated > 0n;
}
