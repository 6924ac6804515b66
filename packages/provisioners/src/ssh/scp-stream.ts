import type { Clock } from '@terrane/host';
import type { ClientChannel } from 'ssh2';
import { within } from '../within.ts';
import type { ScpStream } from './scp.ts';
import { ScpEnded } from './scp.ts';

/** The maximum number of unread bytes from a receiving `scp`: an acknowledgement is one byte, an error one line. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** The number of bytes of a file per write. Each chunk must be accepted within {@link SILENCE_MS}. */
const CHUNK_BYTES = 64 * 1024;
/** The time limit for a receiving `scp` without progress or messages. */
export const SILENCE_MS: number = 5 * 60_000;

const NO_DATA_MESSAGE = `the machine accepted and sent no data for ${SILENCE_MS / 60_000} minutes`;

/** Returns the stream of a receiving `scp` at the other end of a channel. Its output and its idle time are limited. */
export function scpStream(channel: ClientChannel, clock: Clock): ScpStream {
  return new ChannelStream(channel, clock);
}

class ChannelStream implements ScpStream {
  readonly #channel: ClientChannel;
  readonly #clock: Clock;
  #unread: Buffer = Buffer.alloc(0);
  #problem: Error | undefined;
  #isClosed = false;
  #wake = (): void => {};

  constructor(channel: ClientChannel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    const onClose = (): void => {
      this.#isClosed = true;
      this.#wake();
    };
    channel.on('data', (chunk: Buffer) => this.#receive(chunk));
    channel.once('end', onClose);
    channel.once('close', onClose);
    channel.on('error', onClose);
    // Its standard error contains debugging output.
    channel.stderr.resume();
  }

  async write(data: Uint8Array | string): Promise<void> {
    const bytes = Buffer.from(data);
    for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_BYTES) {
      if (this.#problem !== undefined) throw this.#problem;
      if (this.#isClosed) throw new ScpEnded();
      await this.#withTimeLimit(this.#writeChunk(bytes.subarray(at, at + CHUNK_BYTES)));
    }
  }

  async readByte(): Promise<number | undefined> {
    for (;;) {
      if (this.#problem !== undefined) throw this.#problem;
      const [first] = this.#unread;
      if (first !== undefined) {
        this.#unread = this.#unread.subarray(1);
        return first;
      }
      if (this.#isClosed) return undefined;
      await this.#waitForData();
    }
  }

  async readLine(): Promise<string | undefined> {
    for (;;) {
      if (this.#problem !== undefined) throw this.#problem;
      const bytes = this.#unread;
      const end = bytes.indexOf('\n');
      if (end >= 0 || (this.#isClosed && bytes.length > 0)) {
        this.#unread = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1);
        const line = bytes.subarray(0, end < 0 ? undefined : end).toString('utf8');
        return line.replace(/\r$/, '');
      }
      if (this.#isClosed) return undefined;
      await this.#waitForData();
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#problem !== undefined) return;
    this.#unread = Buffer.concat([this.#unread, chunk]);
    if (this.#unread.length > MAX_UNREAD_BYTES) {
      this.#problem = new Error(
        `scp on the machine sent more than ${MAX_UNREAD_BYTES} unexpected bytes`,
      );
      this.#channel.close();
    }
    this.#wake();
  }

  /** Resolves when the chunk is accepted, or the channel closes. */
  #writeChunk(chunk: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#channel.once('close', resolve);
      this.#channel.write(chunk, () => {
        this.#channel.off('close', resolve);
        resolve();
      });
    });
  }

  #waitForData(): Promise<void> {
    return this.#withTimeLimit(
      new Promise((resolve) => {
        this.#wake = resolve;
      }),
    );
  }

  async #withTimeLimit(work: Promise<void>): Promise<void> {
    await within(this.#clock, SILENCE_MS, NO_DATA_MESSAGE, undefined, () => work);
    if (this.#problem !== undefined) throw this.#problem;
  }
}
