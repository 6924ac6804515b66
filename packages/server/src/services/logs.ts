import type { Database } from '../database/database.ts';
import type { Guard } from './blobs.ts';
import type { Services } from './services.ts';

const START_OF_TEXT = Buffer.of(2);
const END_OF_TEXT = Buffer.of(3);
/** The limit of the log of a stage in bytes; further output is dropped. */
export const LARGEST_LOG: number = 64 * 1024 * 1024;
const LARGEST_PIECE = 1024 * 1024;
/** The most chunks that are read for a piece: agents send small chunks while a command prints little. */
const MOST_CHUNKS = 64;

export const logTopic = (stageId: string): string => `log ${stageId}`;

/**
 * Appends a piece of the log of a stage at its offset, and wakes its readers. A piece that was sent before is ignored, so
 * that an agent can repeat a request whose response was lost.
 */
export async function appendLog(
  { db, wakeups }: Pick<Services, 'db' | 'wakeups'>,
  stageId: string,
  offset: number,
  bytes: Uint8Array,
  guard: Guard,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await insertLog(transaction, stageId, offset, bytes);
    await guard(transaction);
  });
  wakeups.announce(logTopic(stageId));
}

/** Inserts a piece of a log in a transaction. The caller announces the topic of the log afterwards. */
export async function insertLog(
  db: Pick<Database, 'insertInto'>,
  stageId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<void> {
  if (bytes.length === 0 || offset + bytes.length > LARGEST_LOG) return;
  await db
    .insertInto('log_chunks')
    .values({ stage_id: stageId, offset, bytes: Buffer.from(bytes) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the number of bytes of a log. */
export async function logLength(
  { db }: { readonly db: Pick<Database, 'selectFrom'> },
  stageId: string,
): Promise<number> {
  const last = await db
    .selectFrom('log_chunks')
    .selectAll()
    .where('stage_id', '=', stageId)
    .orderBy('offset', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? 0 : last.offset + last.bytes.length;
}

/**
 * Returns a piece of a log as clients read it: after a start-of-text character, and followed by an end-of-text
 * character once the log is complete. Offsets count the start-of-text character.
 */
export async function readLog(
  services: Pick<Services, 'db'>,
  stageId: string,
  offset: number,
  limit: number,
): Promise<Buffer> {
  const { db } = services;
  const stage = await db
    .selectFrom('stages')
    .select('log_finished')
    .where('id', '=', stageId)
    .executeTakeFirst();
  if (stage === undefined) return Buffer.alloc(0);
  const wanted = Math.min(Math.max(1, limit), LARGEST_PIECE);
  const from = Math.max(0, offset - 1);
  const pieces: Buffer[] = offset === 0 ? [START_OF_TEXT] : [];
  let size = pieces.length;
  let end = from;
  const chunks = await db
    .selectFrom('log_chunks')
    .select(['offset', 'bytes'])
    .where('stage_id', '=', stageId)
    // The chunk that contains the offset begins at or before it.
    .where('offset', '>=', (query) =>
      query
        .selectFrom('log_chunks as earlier')
        .select((select) =>
          select.fn.coalesce(select.fn.max('earlier.offset'), select.lit(0)).as('start'),
        )
        .where('earlier.stage_id', '=', stageId)
        .where('earlier.offset', '<=', from),
    )
    // No more than what is returned: readers ask for small pieces of logs that may be large.
    .where('offset', '<', from + wanted)
    .orderBy('offset')
    .limit(MOST_CHUNKS)
    .execute();
  for (const { offset: start, bytes } of chunks) {
    if (start > end) break;
    const piece = Buffer.from(bytes).subarray(end - start, end - start + wanted - size);
    pieces.push(piece);
    size += piece.length;
    end += piece.length;
    if (size >= wanted) break;
  }
  const isAtEnd = stage.log_finished && end >= (await logLength(services, stageId));
  // The end-of-text character has an offset of its own, behind the log.
  if (isAtEnd && size < wanted && offset <= end + 1) pieces.push(END_OF_TEXT);
  return Buffer.concat(pieces);
}
