/** The metadata of an encrypted state that can be read without its key. */
export interface StateName {
  readonly serial?: number | undefined;
  readonly lineage: string;
}

/** Seals the records of one journal, each for itself. */
export interface JournalSeal {
  /** what has to be kept in the journal to open it again */
  readonly kept: Uint8Array;
  /** A record of a kind as it is kept. */
  seal(record: Uint8Array, kind: number): Uint8Array;
  /** A record as it was. Throws, with a reason fit for users, where it was not sealed so. */
  open(sealed: Uint8Array, kind: number): Uint8Array;
}

/**
 * Encodes and decodes stored states and journal records, for example to encrypt them. Errors have messages for
 * users.
 */
export interface StateCodec {
  /** A state as it is to be stored; the result can be gone through once, and throws in between where that fails. */
  encode(state: Iterable<Uint8Array>, name: StateName): Promise<Iterable<Uint8Array>>;
  /** A stored state; `outdated`: it is not stored as states are now, and should be written anew. */
  decode(stored: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly outdated: boolean }>;
  /** For a new journal; undefined where its records are kept as they are. */
  newSeal(): Promise<JournalSeal | undefined>;
  /** For a journal that was left, by what it keeps of its seal; undefined for one without, if that may be read. */
  openSeal(kept: Uint8Array | undefined): Promise<JournalSeal | undefined>;
}
