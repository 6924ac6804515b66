import type { Duplex } from 'node:stream';
import { type Headers, requestHeader } from './headers.ts';
import { Http2Session } from './http2-session.ts';
import type { Http2Stream, StreamEvents } from './http2-stream.ts';

/** The handled gRPC status codes. */
export const STATUS = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** A call status other than `ok`. */
export class GrpcError extends Error {
  readonly code: number;
  /** true if the call had no effect, because the peer did not receive it */
  readonly unsent: boolean;

  constructor(code: number, message: string, unsent = false) {
    super(message);
    this.code = code;
    this.unsent = unsent;
  }
}

/** A call in which one side or both send any number of messages. */
export interface GrpcStream {
  send(message: Uint8Array): void;
  /** Ends the request stream. */
  end(): void;
  /** Cancels the call. */
  cancel(): void;
  /** Resolves when the call has ended well. @throws GrpcError otherwise */
  readonly ended: Promise<void>;
}

/** Calls to one peer. */
export interface Channel {
  /**
   * Sends a call with one message in each direction.
   *
   * @param header name and value of a header of this call
   * @throws GrpcError
   */
  unary(
    path: string,
    message: Uint8Array,
    header?: readonly [name: string, value: string],
  ): Promise<Buffer>;
  /** Opens a call with any number of messages; `onMessage` receives the responses. */
  open(path: string, onMessage: (message: Buffer) => void): GrpcStream;
  /** Closes the connection; pending calls end as unavailable. */
  close(): void;
}

/** The channel of an unreachable peer: each call fails with the reason. */
export class DeadChannel implements Channel {
  readonly #error: GrpcError;

  constructor(error: GrpcError) {
    this.#error = error;
  }

  unary(): Promise<Buffer> {
    return Promise.reject(this.#error);
  }

  open(): GrpcStream {
    const ended = Promise.reject(this.#error);
    ended.catch(() => {});
    return { send: () => {}, end: () => {}, cancel: () => {}, ended };
  }

  close(): void {}
}

/** The length of the prefix of each message: the compression flag and its length. */
const PREFIX = 5;
/** The size in bytes from which a message is assembled in one buffer while its frames arrive. */
const LARGE = 64 * 1024;
/** The maximum size of that buffer. Its memory is only used as far as it is filled. */
const MAX_RESERVED = 256 * 1024 * 1024;

/** Calls over one connection (gRPC over HTTP/2), with messages of any size and without compression. */
export class GrpcChannel implements Channel {
  readonly #session: Http2Session;

  /** @param socket connected, and over TLS where `secure` */
  constructor(socket: Duplex, secure: boolean) {
    this.#session = new Http2Session(socket, secure);
  }

  unary(
    path: string,
    message: Uint8Array,
    header?: readonly [name: string, value: string],
  ): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const answer = new Answer(
        () => {},
        (error) => {
          if (error !== undefined) reject(error);
          else if (answer.last === undefined) {
            reject(new GrpcError(STATUS.internal, 'the call ended well, but without an answer'));
          } else resolve(answer.last);
        },
        () => this.#session.error,
      );
      const more = header && requestHeader(...header);
      answer.stream = this.#session.request(path, frameOf(message), true, answer, more);
    });
  }

  open(path: string, onMessage: (message: Buffer) => void): GrpcStream {
    let finish: (error: GrpcError | undefined) => void = () => {};
    const ended = new Promise<void>((resolve, reject) => {
      finish = (error) => {
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    // Callers that do not await the end ignore its error.
    ended.catch(() => {});
    const answer = new Answer(onMessage, finish, () => this.#session.error);
    const stream = this.#session.request(path, new Uint8Array(), false, answer);
    answer.stream = stream;
    return {
      send: (message) => stream.write(frameOf(message), false),
      end: () => stream.write(new Uint8Array(), true),
      cancel: () => answer.cancel(),
      ended,
    };
  }

  /** Processes bytes that the socket does not report by `data` events. The buffer can be reused afterwards. */
  receive(bytes: Buffer): void {
    this.#session.receive(bytes);
  }

  close(): void {
    this.#session.close();
  }
}

function frameOf(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(PREFIX + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, PREFIX);
  return bytes;
}

/** Assembles messages from frames and reports the status of the call. */
class Answer implements StreamEvents {
  stream: Http2Stream | undefined;
  /** the last received message */
  last: Buffer | undefined;
  readonly #onMessage: (message: Buffer) => void;
  readonly #onEnd: (error: GrpcError | undefined) => void;
  readonly #cause: () => Error | undefined;
  #status: string | undefined;
  #pieces: Buffer[] = [];
  #length = 0;
  /** a large message of which `#reservedLength` bytes have arrived */
  #reserved: Buffer | undefined;
  #reservedLength = 0;
  #done = false;

  constructor(
    onMessage: (message: Buffer) => void,
    onEnd: (error: GrpcError | undefined) => void,
    cause: () => Error | undefined,
  ) {
    this.#onMessage = onMessage;
    this.#onEnd = onEnd;
    this.#cause = cause;
  }

  onHeaders(headers: Headers, end: boolean): void {
    this.#status ??= headers.get(':status');
    if (end) this.#end(this.#outcome(headers));
  }

  onData(data: Buffer, end: boolean): void {
    const rest = this.#fillReserved(data);
    if (rest.length > 0) {
      this.#pieces.push(Buffer.from(rest));
      this.#length += rest.length;
      this.#takeMessages();
    }
    if (end) this.#end(new GrpcError(STATUS.unknown, 'the call ended without a status'));
  }

  onLost(code: number | undefined, unsent: boolean): void {
    if (code !== undefined) {
      const reset = `the call was reset with code ${code}`;
      this.#end(new GrpcError(statusOfReset(code), reset, unsent));
      return;
    }
    const cause = this.#cause();
    const reason = cause === undefined ? 'the connection is closed' : cause.message;
    this.#end(new GrpcError(STATUS.unavailable, reason, unsent));
  }

  cancel(): void {
    this.stream?.cancel();
    this.#end(new GrpcError(STATUS.cancelled, 'the call was cancelled'));
  }

  /** Adds data to the large message, if one is incomplete. Returns the data after its end. */
  #fillReserved(data: Buffer): Buffer {
    const message = this.#reserved;
    if (message === undefined) return data;
    const copied = data.copy(message, this.#reservedLength);
    this.#reservedLength += copied;
    if (this.#reservedLength < message.length) return data.subarray(copied);
    this.#reserved = undefined;
    return this.#takeMessage(message) ? data.subarray(copied) : Buffer.alloc(0);
  }

  #takeMessages(): void {
    while (this.#length >= PREFIX) {
      // Most messages arrive complete, in one chunk.
      let [bytes] = this.#pieces;
      if (bytes === undefined) return;
      if (bytes.length < PREFIX) {
        bytes = Buffer.concat(this.#pieces);
        this.#pieces = [bytes];
      }
      const size = PREFIX + bytes.readUInt32BE(1);
      if (this.#length < size) {
        if (size >= LARGE && size <= MAX_RESERVED) this.#reserve(size);
        return;
      }
      if (bytes.length < size) bytes = Buffer.concat(this.#pieces);
      else if (this.#pieces.length > 1) bytes = Buffer.concat(this.#pieces);
      const rest = bytes.subarray(size);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#length = rest.length;
      if (!this.#takeMessage(bytes.subarray(0, size))) return;
    }
  }

  /** Copies the beginning of a large message, so that the memory of its chunks is not held until it is complete. */
  #reserve(size: number): void {
    const message = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(message, at);
    this.#reserved = message;
    this.#reservedLength = at;
    this.#pieces = [];
    this.#length = 0;
  }

  /** Reports a complete message. Returns false if it is invalid, which ends the call. */
  #takeMessage(bytes: Buffer): boolean {
    if (bytes[0] !== 0) {
      this.stream?.cancel();
      const reason = 'a response is compressed, which was not requested';
      this.#end(new GrpcError(STATUS.internal, reason));
      return false;
    }
    this.last = bytes.subarray(PREFIX);
    this.#onMessage(this.last);
    return true;
  }

  #outcome(trailers: Headers): GrpcError | undefined {
    const status = trailers.get('grpc-status');
    if (status === '0') return undefined;
    const message = unescaped(trailers.get('grpc-message') ?? '');
    if (status !== undefined) return new GrpcError(Number(status), message);
    const http = this.#status ?? '';
    return new GrpcError(statusOfHttp(http), `the answer has the HTTP status ${http} and no other`);
  }

  #end(error: GrpcError | undefined): void {
    if (this.#done) return;
    this.#done = true;
    this.#onEnd(error);
  }
}

/** Bytes other than printable ASCII are written as `%` and two digits. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** Returns the gRPC status for an error code of HTTP/2. */
function statusOfReset(code: number): number {
  switch (code) {
    case 0x7: // REFUSED_STREAM
      return STATUS.unavailable;
    case 0x8: // cancelled
      return STATUS.cancelled;
    case 0xb: // "enhance your calm"
      return STATUS.resourceExhausted;
    case 0xc: // inadequate security
      return STATUS.permissionDenied;
    default:
      return STATUS.internal;
  }
}

/** Returns the gRPC status for an HTTP status without one. */
function statusOfHttp(status: string): number {
  switch (status) {
    case '400':
      return STATUS.internal;
    case '401':
      return STATUS.unauthenticated;
    case '403':
      return STATUS.permissionDenied;
    case '404':
      return STATUS.unimplemented;
    case '429':
    case '502':
    case '503':
    case '504':
      return STATUS.unavailable;
    default:
      return STATUS.unknown;
  }
}
