import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync } from 'node:zlib';
import type { JournalSeal, StateCodec } from '@terrane/engine';
import { type DurabilityOptions, errorText, type SideStorage } from '@terrane/host';

const MAGIC = Buffer.from('TERRANE HISTORY 1\n');
const LENGTH_BYTES = 4;
/** The kind of records of a history, distinct from those of a journal. */
const SEALED_KIND = 200;
/** The largest content that is read, so that a damaged or hostile blob cannot exhaust the memory. */
const MAX_BYTES = 1 << 30;
/** The amount of content that is compressed at once. */
const MEMBER_BYTES = 1 << 22;

/** The error for stored data that is not readable; its message is for users. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** Compressed data in a side storage, encrypted like the state. */
export class Blobs {
  readonly #side: SideStorage;
  readonly #codec: StateCodec | undefined;
  #seal: Promise<JournalSeal | undefined> | undefined;

  constructor(side: SideStorage, codec: StateCodec | undefined) {
    this.#side = side;
    this.#codec = codec;
  }

  /**
   * Reads data. Returns undefined if it does not exist; rejects with a {@link HistoryError} if it cannot be decoded.
   */
  async read(name: string): Promise<Uint8Array | undefined> {
    const stored = await this.#side.read(name);
    if (stored === undefined) return undefined;
    const { kept, payload } = parse(stored, name);
    try {
      const seal = await this.#codec?.openSeal(kept);
      if (kept !== undefined && seal === undefined)
        throw new Error('it is encrypted, and no encryption is configured');
      const packed = seal === undefined ? payload : seal.open(payload, SEALED_KIND);
      return gunzipSync(packed, { maxOutputLength: MAX_BYTES });
    } catch (error) {
      // any-error: each failure to decode the stored bytes is reported with their name.
      const message = `${name} in the history cannot be read: ${errorText(error)}`;
      throw new HistoryError(message, { cause: error });
    }
  }

  /** Writes data, in one piece or in pieces that are compressed as they are produced. */
  async write(name: string, content: Uint8Array | Iterable<Uint8Array>): Promise<void> {
    this.#seal ??= this.#codec?.newSeal();
    const seal = await this.#seal;
    const packed = await compressed(content instanceof Uint8Array ? [content] : content);
    const kept = seal?.kept ?? new Uint8Array();
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(kept.length);
    const payload = seal === undefined ? packed : seal.seal(packed, SEALED_KIND);
    await this.#side.write(name, Buffer.concat([MAGIC, length, kept, payload]));
  }

  remove(name: string, options?: DurabilityOptions): Promise<void> {
    return this.#side.remove(name, options);
  }
}

/** Speed is more important than size, because a run waits for the write. */
const COMPRESSION = { level: 1 };

const compress = promisify<Uint8Array, typeof COMPRESSION, Uint8Array>(gzip);

/**
 * Compresses pieces. Many small pieces become one member of the gzip format, and few megabytes are uncompressed at the
 * same time, because the record of a large run is several times as large as what the run itself needs. While a member is
 * compressed in another thread, the pieces of the next one are produced.
 */
async function compressed(pieces: Iterable<Uint8Array>): Promise<Uint8Array> {
  const members: Uint8Array[] = [];
  let waiting: Uint8Array[] = [];
  let size = 0;
  let running: Promise<unknown> | undefined;
  for (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < MEMBER_BYTES) continue;
    await running;
    running = compress(joined(waiting), COMPRESSION).then((member) => members.push(member));
    waiting = [];
    size = 0;
  }
  await running;
  if (waiting.length > 0 || members.length === 0)
    members.push(gzipSync(joined(waiting), COMPRESSION));
  return Buffer.concat(members);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

function parse(
  stored: Uint8Array,
  name: string,
): { readonly kept: Uint8Array | undefined; readonly payload: Uint8Array } {
  const start = MAGIC.length + LENGTH_BYTES;
  if (stored.length < start || MAGIC.some((byte, index) => stored[index] !== byte))
    throw new HistoryError(
      `${name} in the history cannot be read: it was not written by this version of the program`,
    );
  const view = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const length = view.readUInt32BE(MAGIC.length);
  if (length > stored.length - start)
    throw new HistoryError(`${name} in the history cannot be read: it is cut off`);
  return {
    kept: length === 0 ? undefined : stored.subarray(start, start + length),
    payload: stored.subarray(start + length),
  };
}
