import type { OutputStream } from '@terrane/host';

/** The maximum number of bytes kept without a reader. */
const LIMIT = 1 << 20;

/** A stream of the provider, or the notes on the progress of calls. */
export type StdioChannel = OutputStream | 'progress';

/** Buffers the output of a provider for a single reader. */
export class StdioBuffer {
  #waiting: { readonly stream: OutputStream; readonly bytes: Uint8Array }[] = [];
  #size = 0;
  #reader: ((stream: StdioChannel, bytes: Uint8Array) => void) | undefined;

  /** Appends output. Where too much waits, the oldest is dropped. */
  push(stream: OutputStream, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#reader !== undefined) {
      this.#reader(stream, bytes);
      return;
    }
    this.#waiting.push({ stream, bytes: Uint8Array.from(bytes) });
    this.#size += bytes.length;
    while (this.#size > LIMIT && this.#waiting.length > 1) {
      this.#size -= this.#waiting.shift()?.bytes.length ?? 0;
    }
  }

  /** Sends the cause of a delay, if there is a reader. */
  note(call: string, note: string): void {
    this.#reader?.('progress', Buffer.from(JSON.stringify({ call, note })));
  }

  /** Sends pending and future output to a reader. The returned function ends that. */
  read(reader: (stream: StdioChannel, bytes: Uint8Array) => void): () => void {
    this.#reader = reader;
    for (const { stream, bytes } of this.drain()) reader(stream, bytes);
    return () => {
      if (this.#reader === reader) this.#reader = undefined;
    };
  }

  /** Removes and returns the buffered output. */
  drain(): readonly { readonly stream: OutputStream; readonly bytes: Uint8Array }[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    return waiting;
  }
}
