import type { Clock } from '@terrane/host';
import type { AgentJob } from '../services/jobs.ts';
import { LARGEST_LOG } from '../services/logs.ts';
import type { AgentClient } from './agent-client.ts';
import { PacedSender } from './paced-sender.ts';

/** The time for which output is collected: what a command prints at once is one piece. */
const PACE_MS = { firstMs: 5, pauseMs: 100 };
const MAX_PIECE_BYTES = 256 * 1024;
const TRUNCATION = `\n\nThe log of a run is limited to ${LARGEST_LOG / 1024 / 1024} MB. Further output is not part of it.\n`;

/** Sends the log of a job in pieces, in order. Output beyond the limit of a log is replaced by a note. */
export class LogWriter {
  readonly #client: Pick<AgentClient, 'putLog'>;
  readonly #job: AgentJob;
  readonly #sender: PacedSender<Buffer>;
  /** the offset of the next piece that is sent, and of the next output that is written */
  #sentTo: number;
  #writtenTo: number;
  #isTruncated = false;

  constructor(client: Pick<AgentClient, 'putLog'>, job: AgentJob, clock: Pick<Clock, 'sleep'>) {
    this.#client = client;
    this.#job = job;
    this.#sentTo = job.logOffset;
    this.#writtenTo = job.logOffset;
    this.#sender = new PacedSender({ clock, ...PACE_MS, send: (texts) => this.#send(texts) });
  }

  write(text: string): void {
    if (this.#isTruncated || text === '') return;
    // The control characters that frame a log must not come from inside of it.
    const bytes = Buffer.from(text.replaceAll(/[\u0002\u0003]/g, '\uFFFD'));
    this.#isTruncated = this.#writtenTo + bytes.length > LARGEST_LOG - TRUNCATION.length;
    const written = this.#isTruncated ? Buffer.from(TRUNCATION) : bytes;
    this.#writtenTo += written.length;
    this.#sender.write(written);
  }

  /** Resolves when everything has been sent. Rejects if sending failed. */
  async flush(): Promise<void> {
    await this.#sender.flush();
  }

  async #send(texts: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(texts);
    for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) {
      const piece = bytes.subarray(at, at + MAX_PIECE_BYTES);
      await this.#client.putLog(this.#job, this.#sentTo, piece);
      this.#sentTo += piece.length;
    }
  }
}
