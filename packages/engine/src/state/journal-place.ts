import { type Host, errorText } from '@terrane/host';
import {
  decodeJournal,
  type JournalContent,
  type JournalHeader,
  keptSeal,
  type SnapshotName,
} from './journal-record.ts';
import type { JournalSeal, StateCodec } from './state-codec.ts';

/** The journals that runs of this process are writing, by where they are. */
const RECORDING: WeakMap<Host['files'], Set<string>> = new WeakMap();

/** Options of a {@link JournalPlace}. */
export interface JournalPlaceOptions {
  readonly host: Pick<Host, 'files' | 'clock' | 'environment'>;
  readonly journalPath: string;
  readonly codec?: StateCodec | undefined;
}

/** The location of a state's journal, which this or another process may have written. */
export class JournalPlace {
  readonly path: string;
  readonly #host: JournalPlaceOptions['host'];
  readonly #codec: StateCodec | undefined;

  constructor({ host, journalPath, codec }: JournalPlaceOptions) {
    this.path = journalPath;
    this.#host = host;
    this.#codec = codec;
  }

  /** Returns the content; `undefined` if there is no journal. */
  async read(): Promise<Uint8Array | undefined> {
    const { files } = this.#host;
    return (await files.stat(this.path)) === undefined
      ? undefined
      : await files.readFile(this.path);
  }

  /** Decodes a journal, and its seal if its records are sealed. */
  async decode(bytes: Uint8Array): Promise<{
    readonly journal: JournalContent | { readonly error: string } | undefined;
    readonly seal?: JournalSeal | undefined;
  }> {
    const codec = this.#codec;
    // A journal without a complete seal contains no records.
    if (codec === undefined || decodeJournal(bytes) === undefined) {
      return { journal: decodeJournal(bytes) };
    }
    try {
      const seal = await codec.openSeal(keptSeal(bytes));
      return { journal: decodeJournal(bytes, seal), seal };
    } catch (error) {
      // any-error: the message has to name the journal, which later runs need, whatever is wrong with it.
      return { journal: { error: errorText(error) } };
    }
  }

  /** Returns true if the process that writes the journal is running, as far as this machine can determine. */
  isRunning(header: JournalHeader): boolean {
    const { environment, files } = this.#host;
    const self = environment.processIdentity(environment.pid);
    // A journal of an earlier run in this process is treated like that of a terminated process.
    if (header.pid === environment.pid && header.process === self)
      return RECORDING.get(files)?.has(this.path) === true;
    return (
      header.host === environment.hostName &&
      environment.processIdentity(header.pid) === header.process
    );
  }

  /** Throws where another process that lives is writing it. */
  async refuseLive(): Promise<void> {
    const bytes = await this.read();
    const { journal } = bytes === undefined ? {} : await this.decode(bytes);
    if (journal === undefined || 'error' in journal || !this.isRunning(journal.header)) return;
    throw new Error(
      `process ${journal.header.pid} is recording changes of this state in ${this.path}`,
    );
  }

  /** Marks the journal as being written by this process; the returned function ends that. */
  record(): () => void {
    const { files } = this.#host;
    const recording = RECORDING.get(files) ?? new Set();
    RECORDING.set(files, recording.add(this.path));
    return () => void recording.delete(this.path);
  }

  /** The first record of a journal that this process writes. */
  header(base: SnapshotName): JournalHeader {
    const { environment, clock } = this.#host;
    return {
      base,
      created: clock.now().toISOString(),
      host: environment.hostName,
      pid: environment.pid,
      process: environment.processIdentity(environment.pid) ?? '',
    };
  }
}
