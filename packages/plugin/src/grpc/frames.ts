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
  #rest: Buffer = Buffer.alloc(0);

  /** @param onFrame receives each frame; its payload is a slice of the pushed bytes */
  constructor(onFrame: (type: number, flags: number, stream: number, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** @throws Error for a frame that exceeds the limit, and the errors of `onFrame` */
  push(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= FRAME_HEAD) {
      const length = bytes.readUIntBE(at, 3);
      if (length > DEFAULT_FRAME_SIZE) {
        throw new Error(`it sent a frame of ${length} bytes, or something that is no HTTP/2`);
      }
      const end = at + FRAME_HEAD + length;
      if (end > bytes.length) break;
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      this.#onFrame(
        bytes[at + 3] ?? 0,
        bytes[at + 4] ?? 0,
        stream,
        bytes.subarray(at + FRAME_HEAD, end),
      );
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}
