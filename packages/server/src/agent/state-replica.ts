import type { FileStat, Host } from '@terrane/host';
import { fields } from '../http/request.ts';

/** The pause between two looks at the state. */
const PAUSE_MS = 1_000;
/** A replica occupies at most this part of the time: pauses are longer after large states. */
const SHARE = 1 / 10;

/** The state file of a program that runs, and how it is stored. */
export interface ReplicaOptions {
  readonly host: Pick<Host, 'files' | 'clock'>;
  readonly path: string;
  /** stores a state at the server */
  readonly put: (bytes: Uint8Array) => Promise<void>;
}

/**
 * Replicates the state file of a program to the server while the program runs. States are stored in the order in which
 * the program wrote them, each with a larger serial. The program does not replace the file but overwrites it, so it may
 * be read in part: such a content is not JSON, and is read again.
 */
export class StateReplica {
  readonly #options: ReplicaOptions;
  /** the content that the server has */
  #stored = '';
  #serial = -1;
  #stat: FileStat | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** Notes the state that the server has, before the program runs. */
  async open(): Promise<void> {
    const content = await this.#read();
    if (content === undefined) return;
    this.#stored = content.text;
    this.#serial = content.serial;
  }

  /** Stores changes until the signal aborts. Rejects if a state could not be stored. */
  async watch(signal: AbortSignal): Promise<void> {
    const { files, clock } = this.#options.host;
    let pause = PAUSE_MS;
    for (;;) {
      await clock.sleep(pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      const stat = await files.stat(this.#options.path).catch(() => undefined);
      const isSame =
        stat?.mtimeMs === this.#stat?.mtimeMs &&
        stat?.size === this.#stat?.size &&
        stat?.inode === this.#stat?.inode;
      if (isSame) continue;
      const start = clock.monotonicMs();
      // The program may hold a lock on the file, which prevents reading on Windows.
      const content = await this.#read().catch(() => undefined);
      if (content === undefined) continue;
      await this.#store(content);
      this.#stat = stat;
      pause = Math.max(PAUSE_MS, (clock.monotonicMs() - start) / SHARE);
    }
  }

  /** Stores the last state, after the program has ended. Rejects if the program has written it in part only. */
  async flush(): Promise<void> {
    const content = await this.#read();
    if (content !== undefined) await this.#store(content);
    else if ((await this.unsaved()) !== undefined) {
      throw new Error('The program ended while it wrote the state, and left a part of it only.');
    }
  }

  /** Returns the last state if the server does not have it. */
  async unsaved(): Promise<string | undefined> {
    const { files } = this.#options.host;
    if ((await files.stat(this.#options.path)) === undefined) return undefined;
    const text = await files.readText(this.#options.path);
    return text === this.#stored || text === '' ? undefined : text;
  }

  async #store({ text, serial }: StateContent): Promise<void> {
    if (text === this.#stored) return;
    const next = Math.max(serial, this.#serial + 1);
    // A program that undoes a change may write another state with the same serial, which the server would reject.
    const sent = next === serial ? text : text.replace(/"serial": *\d+/, `"serial": ${next}`);
    await this.#options.put(Buffer.from(sent));
    this.#stored = text;
    this.#serial = next;
  }

  /** Returns the content of the file; undefined if there is none, or a part only. */
  async #read(): Promise<StateContent | undefined> {
    const { files } = this.#options.host;
    if ((await files.stat(this.#options.path)) === undefined) return undefined;
    const text = await files.readText(this.#options.path);
    try {
      const { serial } = fields(JSON.parse(text));
      return { text, serial: Number.isSafeInteger(serial) ? Number(serial) : 0 };
    } catch {
      return undefined;
    }
  }
}

interface StateContent {
  readonly text: string;
  readonly serial: number;
}
