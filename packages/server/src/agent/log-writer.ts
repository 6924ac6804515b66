import type { AgentJob } from '../services/jobs.ts';
import type { AgentClient } from './agent-client.ts';

/** The time for which output is collected before it is sent. */
const DELAY_MS = 100;
const MAX_PIECE_BYTES = 256 * 1024;

/** Sends the log of a job in pieces, in order. */
export class LogWriter {
  readonly #client: AgentClient;
  readonly #job: AgentJob;
  readonly #sleep: (ms: number) => Promise<void>;
  #offset: number;
  #pending: Buffer[] = [];
  #sending: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(client: AgentClient, job: AgentJob, sleep: (ms: number) => Promise<void>) {
    this.#client = client;
    this.#job = job;
    this.#sleep = sleep;
    this.#offset = job.logOffset;
  }

  write(text: string): void {
    // The control characters that frame a log must not come from inside of it.
    this.#pending.push(Buffer.from(text.replaceAll(/[\u0002\u0003]/g, '\uFFFD')));
    this.#sending ??= this.#send();
  }

  /** Resolves when everything has been sent. Rejects if sending failed. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      throw error instanceof Error ? error : new Error('The log could not be sent.');
    }
  }

  async #send(): Promise<void> {
    try {
      await this.#sleep(DELAY_MS);
      while (this.#pending.length > 0) {
        const bytes = Buffer.concat(this.#pending);
        this.#pending = [];
        for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) {
          const piece = bytes.subarray(at, at + MAX_PIECE_BYTES);
          await this.#client.putLog(this.#job, this.#offset, piece);
          this.#offset += piece.length;
        }
      }
    } catch (error) {
      this.#failure = { error };
      this.#pending = [];
    } finally {
      this.#sending = undefined;
    }
  }
}
