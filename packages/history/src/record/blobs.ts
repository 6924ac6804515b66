import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync, type ZlibOptions } from 'node:zlib';
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

  /**
   * Writes data, in one piece or in pieces that are compressed as they are produced. The bytes of a piece are not read
   * after the next one is requested, so that a producer can use its buffer again.
   */
  async write(name: string, content: Uint8Array | Iterable<Uint8Array>): Promise<void> {
    this.#seal ??= this.#codec?.newSeal();
    const seal = await this.#seal;
    const packed = await (content instanceof Uint8Array
      ? packMember(content)
      : compressed(content));
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

const compress = promisify<Uint8Array, ZlibOptions, Uint8Array>(gzip);

/** The compressed result is allocated in pieces of this size. */
const OUTPUT_BYTES = 1 << 18;

/** Compresses the content of a member: in another thread if there is much of it. */
async function packMember(content: Uint8Array): Promise<Uint8Array> {
  return content.length < MEMBER_BYTES
    ? gzipSync(content, COMPRESSION)
    : compress(content, { ...COMPRESSION, chunkSize: OUTPUT_BYTES });
}

/**
 * Compresses pieces. Many small pieces become one member of the gzip format, and few megabytes are uncompressed at the
 * same time, because the record of a large run is several times as large as what the run itself needs. While a member is
 * compressed in another thread, the pieces of the next one are produced. All members use the same two buffers: memory
 * outside of the heap that is allocated for each would make V8 collect the whole heap again and again.
 */
async function compressed(pieces: Iterable<Uint8Array>): Promise<Uint8Array> {
  const members: Uint8Array[] = [];
  let filling = new Pieces();
  let other = new Pieces();
  let running: Promise<unknown> | undefined;
  for (const piece of pieces) {
    filling.append(piece);
    if (filling.size < MEMBER_BYTES) continue;
    await running;
    running = packMember(filling.bytes).then((packed) => members.push(packed));
    [filling, other] = [other, filling];
    filling.clear();
  }
  await running;
  if (filling.size > 0 || members.length === 0) members.push(await packMember(filling.bytes));
  return Buffer.concat(members);
}

/** The pieces of a member, in a buffer that grows to what the largest member needs. */
class Pieces {
  #buffer = Buffer.alloc(0);
  size = 0;

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.size);
  }

  append(piece: Uint8Array): void {
    const needed = this.size + piece.length;
    if (needed > this.#buffer.length) {
      const most = MEMBER_BYTES + piece.length;
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(4 * this.size, most)));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.size);
    this.size = needed;
  }

  clear(): void {
    this.size = 0;
  }
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
