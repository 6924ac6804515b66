/** Frame types (RFC 9113, section 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames; an acknowledgement has the bit of the end of a stream. */
export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 };

/** Bytes before the content of a frame. */
export const FRAME_HEAD = 9;
/** The maximum size of a frame unless the peer allows more. */
export const DEFAULT_FRAME_SIZE = 16_384;

/** Writes the head of a frame. */
export function writeFrameHead(
  into: Buffer,
  at: number,
  head: {
    readonly length: number;
    readonly type: number;
    readonly flags: number;
    readonly stream: number;
  },
): void {
  const { length, stream } = head;
  into[at] = length >>> 16;
  into[at + 1] = length >>> 8;
  into[at + 2] = length;
  into[at + 3] = head.type;
  into[at + 4] = head.flags;
  into.writeUInt32BE(stream, at + 5);
}

/** Encodes a complete frame. */
export function frameOf(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD + payload.length);
  writeFrameHead(frame, 0, { length: payload.length, type, flags, stream });
  frame.set(payload, FRAME_HEAD);
  return frame;
}

/** A payload of one 32-bit number. */
export function number32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Splits a stream of byte chunks of any size into frames. */
export class FrameReader {
  readonly #onFrame: (type: number, flags: number, stream: number, payload: Buffer) => void;
  /** the beginning of a frame that continues in the next chunk */
  #partial: Buffer | undefined;
  #partialLength = 0;

  /** @param onFrame receives each frame; its payload is only valid until the call returns */
  constructor(onFrame: (type: number, flags: number, stream: number, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** @throws Error for a frame that exceeds the limit, and the errors of `onFrame` */
  push(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) {
      if (this.#partialLength === 0 && piece.length - at >= FRAME_HEAD) {
        const end = at + FRAME_HEAD + payloadLength(piece, at);
        if (end <= piece.length) {
          this.#deliver(piece, at, end);
          at = end;
          continue;
        }
      }
      at = this.#continue(piece, at);
    }
  }

  /** Adds bytes to the frame that is split between chunks. Returns the offset after them. */
  #continue(piece: Buffer, offset: number): number {
    const partial = (this.#partial ??= Buffer.allocUnsafeSlow(FRAME_HEAD + DEFAULT_FRAME_SIZE));
    const headLength = Math.max(0, FRAME_HEAD - this.#partialLength);
    const at = offset + piece.copy(partial, this.#partialLength, offset, offset + headLength);
    this.#partialLength += at - offset;
    if (this.#partialLength < FRAME_HEAD) return at;
    const length = FRAME_HEAD + payloadLength(partial, 0);
    const missing = length - this.#partialLength;
    const copied = piece.copy(partial, this.#partialLength, at, at + missing);
    this.#partialLength += copied;
    if (copied === missing) {
      this.#partialLength = 0;
      this.#deliver(partial, 0, length);
    }
    return at + copied;
  }

  #deliver(bytes: Buffer, at: number, end: number): void {
    const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
    const payload = bytes.subarray(at + FRAME_HEAD, end);
    this.#onFrame(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0, stream, payload);
  }
}

/** Reads the length of the payload from the head of a frame. @throws Error if it exceeds the limit */
function payloadLength(bytes: Buffer, at: number): number {
  const length = bytes.readUIntBE(at, 3);
  if (length > DEFAULT_FRAME_SIZE)
    throw new Error(`it sent a frame of ${length} bytes, or something that is no HTTP/2`);
  return length;
}
