/** The metadata of an encrypted state that can be read without its key. */
export interface StateName {
  readonly serial?: number | undefined;
  readonly lineage: string;
}

/** Seals the records of one journal, each separately. */
export interface JournalSeal {
  /** the data that is stored in the journal to open it again */
  readonly kept: Uint8Array;
  /** Seals a record of a kind for storage. */
  seal(record: Uint8Array, kind: number): Uint8Array;
  /** A record as it was. Throws, with a reason fit for users, where it was not sealed so. */
  open(sealed: Uint8Array, kind: number): Uint8Array;
}

/**
 * Encodes and decodes stored states and journal records, for example to encrypt them. Errors have messages for
 * users.
 */
export interface StateCodec {
  /** Encodes a state for storage; the result can be iterated once, and throws on failure during the iteration. */
  encode(state: Iterable<Uint8Array>, name: StateName): Promise<Iterable<Uint8Array>>;
  /** Decodes a stored state; `outdated`: its encoding differs from the current one, so it should be written again. */
  decode(stored: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly outdated: boolean }>;
  /** Returns the seal of a new journal; undefined if its records are not sealed. */
  newSeal(): Promise<JournalSeal | undefined>;
  /**
   * Opens the seal of an existing journal from its stored data; undefined for a journal without one, if that may be
   * read.
   */
  openSeal(kept: Uint8Array | undefined): Promise<JournalSeal | undefined>;
}
