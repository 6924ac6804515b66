import type { Duplex } from 'node:stream';
import {
  DEFAULT_FRAME_SIZE,
  FLAG,
  FRAME,
  FRAME_HEAD,
  FrameReader,
  frameOf,
  number32,
  writeFrameHead,
} from './frames.ts';
import { HeaderReader, requestHeaders } from './headers.ts';
import type { Http2Stream, StreamEvents } from './http2-stream.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTING = { tableSize: 1, enablePush: 2, concurrent: 3, window: 4, frameSize: 5 };
const DEFAULT_WINDOW = 65_535;
const MAX_WINDOW = 0x7fff_ffff;
/** The used part of a window at which it is refilled. */
const REFILL = 0x4000_0000;
const REFUSED = 0x7;
const CANCEL = 0x8;
/** The number of bytes that are collected before they are sent. */
const BATCH = 65_536;

interface OpenStream {
  readonly id: number;
  readonly events: StreamEvents;
  /** the current flow-control window of its body */
  window: number;
  /** received bytes of the response since the last window update */
  received: number;
  waiting: Uint8Array[];
  ended: boolean;
}

/**
 * The client side of an HTTP/2 connection to a program on the same machine (RFC 9113), with the features that gRPC
 * needs: concurrent requests, flow control, no push, no priorities. The output of one turn of the event loop is sent in
 * one write, which saves most of the overhead of many small calls.
 */
export class Http2Session {
  readonly #socket: Duplex;
  readonly #secure: boolean;
  readonly #reader: FrameReader;
  readonly #headers = new HeaderReader();
  readonly #streams = new Map<number, OpenStream>();
  /** header blocks by path */
  readonly #blocks = new Map<string, Buffer>();
  /** requests that the peer does not take yet, as it has enough of them */
  readonly #queue: (() => void)[] = [];
  #nextId = 1;
  /** the first request that has not been sent yet */
  #unsentFrom = 1;
  #window = DEFAULT_WINDOW;
  #streamWindow = DEFAULT_WINDOW;
  #frameSize = DEFAULT_FRAME_SIZE;
  #limit = Number.POSITIVE_INFINITY;
  #received = 0;
  #out: Uint8Array[] = [];
  #outLength = 0;
  #scheduled = false;
  /** the header block that continues in the next frame */
  #partial: { readonly stream: number; readonly end: boolean; block: Buffer } | undefined;
  #refusing = false;
  #error: Error | undefined;
  #closed = false;

  /** @param socket connected, and over TLS where `secure` */
  constructor(socket: Duplex, secure: boolean) {
    this.#socket = socket;
    this.#secure = secure;
    this.#reader = new FrameReader((...frame) => this.#onFrame(...frame));
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
    const settings = Buffer.concat(
      [
        [SETTING.tableSize, 0],
        [SETTING.enablePush, 0],
        [SETTING.window, MAX_WINDOW],
      ].map(([name = 0, value = 0]) =>
        Buffer.concat([Uint8Array.of(name >>> 8, name), number32(value)]),
      ),
    );
    this.#send(Buffer.from(PREFACE));
    this.#send(frameOf(FRAME.settings, 0, 0, settings));
    this.#send(frameOf(FRAME.windowUpdate, 0, 0, number32(MAX_WINDOW - DEFAULT_WINDOW)));
  }

  /** True if no more requests are possible. */
  get isClosed(): boolean {
    return this.#closed || this.#refusing;
  }

  /** The error that ended the connection; undefined while it is open. */
  get error(): Error | undefined {
    return this.#error;
  }

  /**
   * Starts a request; `body` is the first part of its body, or all of it.
   *
   * @param header a header of this request alone, encoded by {@link requestHeader}
   */
  request(
    path: string,
    body: Uint8Array,
    end: boolean,
    events: StreamEvents,
    header?: Buffer,
  ): Http2Stream {
    let stream: OpenStream | undefined;
    let queued: { data: Uint8Array; end: boolean }[] = [{ data: body, end }];
    let cancelled = false;
    const open = (): void => {
      if (cancelled) return;
      if (this.isClosed) {
        events.onLost(undefined, true);
        return;
      }
      stream = this.#openStream(path, events, header);
      for (const part of queued) this.#write(stream, part.data, part.end);
      queued = [];
    };
    if (this.isClosed) queueMicrotask(open);
    else if (this.#streams.size >= this.#limit) this.#queue.push(open);
    else open();
    return {
      write: (data, last) => {
        if (stream === undefined) queued.push({ data, end: last });
        else this.#write(stream, data, last);
      },
      cancel: () => {
        cancelled = true;
        if (stream === undefined || !this.#streams.delete(stream.id)) return;
        this.#send(frameOf(FRAME.reset, 0, stream.id, number32(CANCEL)));
        this.#next();
      },
    };
  }

  /** Closes the connection; pending requests fail. */
  close(): void {
    if (this.#closed) return;
    this.#flush();
    this.#fail(undefined);
    this.#socket.end();
    // The other side need not take notice.
    this.#socket.destroy();
  }

  #openStream(path: string, events: StreamEvents, header: Buffer | undefined): OpenStream {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream: OpenStream = {
      id,
      events,
      window: this.#streamWindow,
      received: 0,
      waiting: [],
      ended: false,
    };
    this.#streams.set(id, stream);
    let block = this.#blocks.get(path);
    if (block === undefined) {
      block = requestHeaders(path, this.#secure);
      this.#blocks.set(path, block);
    }
    const headerBlock = header === undefined ? block : Buffer.concat([block, header]);
    this.#send(frameOf(FRAME.headers, FLAG.endHeaders, id, headerBlock));
    return stream;
  }

  #write(stream: OpenStream, data: Uint8Array, end: boolean): void {
    if (data.length > 0) stream.waiting.push(data);
    if (end) stream.ended = true;
    this.#pump(stream);
  }

  /** Sends as much of a request's body as the window allows. */
  #pump(stream: OpenStream): void {
    if (!this.#streams.has(stream.id)) return;
    const { id, waiting } = stream;
    if (waiting.length === 0 && stream.ended) {
      stream.ended = false;
      this.#send(frameOf(FRAME.data, FLAG.endStream, id, new Uint8Array()));
      return;
    }
    while (waiting[0] !== undefined) {
      const [first] = waiting;
      const length = Math.min(first.length, this.#frameSize, this.#window, stream.window);
      if (length <= 0) return;
      this.#window -= length;
      stream.window -= length;
      if (length === first.length) waiting.shift();
      else waiting[0] = first.subarray(length);
      const last = stream.ended && waiting.length === 0;
      if (last) stream.ended = false;
      const frame = Buffer.allocUnsafe(FRAME_HEAD + length);
      const flags = last ? FLAG.endStream : 0;
      writeFrameHead(frame, 0, { length, type: FRAME.data, flags, stream: id });
      frame.set(length === first.length ? first : first.subarray(0, length), FRAME_HEAD);
      this.#send(frame);
    }
  }

  #send(bytes: Uint8Array): void {
    if (this.#closed) return;
    this.#out.push(bytes);
    this.#outLength += bytes.length;
    if (this.#outLength >= BATCH) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#flush();
      });
    }
  }

  #flush(): void {
    if (this.#out.length === 0 || this.#closed) return;
    const bytes = this.#out.length === 1 ? this.#out[0] : Buffer.concat(this.#out);
    this.#out = [];
    this.#outLength = 0;
    this.#unsentFrom = this.#nextId;
    this.#socket.write(bytes);
  }

  /** Processes received bytes. The buffer can be reused afterwards. */
  receive(bytes: Buffer): void {
    if (this.#closed) return;
    try {
      this.#reader.push(bytes);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
      this.#socket.destroy();
    }
  }

  #onFrame(type: number, flags: number, id: number, payload: Buffer): void {
    if (this.#partial !== undefined && type !== FRAME.continuation) {
      throw new Error('it broke off the headers of an answer');
    }
    switch (type) {
      case FRAME.data:
        this.#onData(id, flags, payload);
        break;
      case FRAME.headers: {
        const priority = (flags & FLAG.priority) === 0 ? 0 : 5;
        const block = unpadded(flags, payload).subarray(priority);
        this.#onHeaders(id, (flags & FLAG.endStream) !== 0, flags, block);
        break;
      }
      case FRAME.continuation: {
        const partial = this.#partial;
        if (partial?.stream !== id) throw new Error('it sent headers that go on with nothing');
        this.#partial = undefined;
        this.#onHeaders(id, partial.end, flags, Buffer.concat([partial.block, payload]));
        break;
      }
      case FRAME.reset:
        this.#onReset(id, payload.length < 4 ? 0 : payload.readUInt32BE());
        break;
      case FRAME.settings:
        if ((flags & FLAG.ack) === 0) this.#onSettings(payload);
        break;
      case FRAME.pushPromise:
        throw new Error('it pushes responses, which was disabled');
      case FRAME.ping:
        if ((flags & FLAG.ack) === 0) this.#send(frameOf(FRAME.ping, FLAG.ack, 0, payload));
        break;
      case FRAME.goAway:
        this.#onGoAway(payload);
        break;
      case FRAME.windowUpdate:
        this.#onWindowUpdate(id, payload.length < 4 ? 0 : payload.readUInt32BE() & MAX_WINDOW);
        break;
      default: // Unknown frames must be ignored.
    }
  }

  #onHeaders(id: number, end: boolean, flags: number, block: Buffer): void {
    if ((flags & FLAG.endHeaders) === 0) {
      this.#partial = { stream: id, end, block: Buffer.from(block) };
      return;
    }
    const headers = this.#headers.read(block);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (end) this.#streams.delete(id);
    stream.events.onHeaders(headers, end);
    if (end) this.#next();
  }

  #onData(id: number, flags: number, payload: Buffer): void {
    this.#received += payload.length;
    if (this.#received > REFILL) {
      this.#send(frameOf(FRAME.windowUpdate, 0, 0, number32(this.#received)));
      this.#received = 0;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    const end = (flags & FLAG.endStream) !== 0;
    stream.received += payload.length;
    if (end) this.#streams.delete(id);
    else if (stream.received > REFILL) {
      this.#send(frameOf(FRAME.windowUpdate, 0, id, number32(stream.received)));
      stream.received = 0;
    }
    stream.events.onData(unpadded(flags, payload), end);
    if (end) this.#next();
  }

  #onSettings(payload: Buffer): void {
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      switch (payload.readUInt16BE(at)) {
        case SETTING.concurrent:
          this.#limit = value;
          break;
        case SETTING.frameSize:
          this.#frameSize = value;
          break;
        case SETTING.window:
          for (const stream of this.#streams.values()) stream.window += value - this.#streamWindow;
          this.#streamWindow = value;
          break;
        default: // The other settings are about unused features.
      }
    }
    this.#send(frameOf(FRAME.settings, FLAG.ack, 0, new Uint8Array()));
    for (const stream of this.#streams.values()) this.#pump(stream);
    this.#next();
  }

  #onWindowUpdate(id: number, more: number): void {
    if (id === 0) {
      this.#window += more;
      for (const stream of this.#streams.values()) {
        if (stream.waiting.length > 0) this.#pump(stream);
      }
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.window += more;
    this.#pump(stream);
  }

  /** The peer accepts no more requests, but responds to those that it has received. */
  #onGoAway(payload: Buffer): void {
    this.#refusing = true;
    const last = payload.length < 4 ? 0 : payload.readUInt32BE() & MAX_WINDOW;
    for (const id of [...this.#streams.keys()]) if (id > last) this.#lose(id, undefined, true);
    this.#next();
  }

  #onReset(id: number, code: number): void {
    this.#lose(id, code, code === REFUSED);
  }

  #lose(id: number, code: number | undefined, unsent: boolean): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.events.onLost(code, unsent);
    this.#next();
  }

  /** Starts queued requests. */
  #next(): void {
    while (this.#queue.length > 0 && (this.isClosed || this.#streams.size < this.#limit)) {
      this.#queue.shift()?.();
    }
  }

  #fail(error: Error | undefined): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#error = error;
    for (const id of [...this.#streams.keys()]) this.#lose(id, undefined, id >= this.#unsentFrom);
    this.#next();
  }
}

function unpadded(flags: number, payload: Buffer): Buffer {
  if ((flags & FLAG.padded) === 0) return payload;
  return payload.subarray(1, payload.length - (payload[0] ?? 0));
}
