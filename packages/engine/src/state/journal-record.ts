import { crc32 } from 'node:zlib';
import { errorText } from '@terrane/host';
import type { StateEvent } from './event.ts';
import { eventFromJson, eventToJson } from './event-json.ts';
import type { JournalSeal } from './state-codec.ts';

/** The first bytes of a journal; the number is the format version. */
const MAGIC = new TextEncoder().encode('terrane state journal 1\n');
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const NO_BYTES = Buffer.alloc(0);
// Length and checksum, four bytes each, little end first.
const PREFIX = 8;
const HEADER = 0x48; // H
const EVENT = 0x45; // E
const MARK = 0x53; // S
const SEAL = 0x4b; // K

/** The identification of a snapshot in a journal. */
export interface SnapshotName {
  readonly lineage: string;
  readonly serial: number;
  /** hexadecimal SHA-256 of the stored bytes; `undefined`: nothing was stored */
  readonly digest: string | undefined;
}

/** The first record: the snapshot that the events change, and the process that writes them. */
export interface JournalHeader {
  readonly base: SnapshotName;
  /** RFC 3339 */
  readonly created: string;
  readonly host: string;
  readonly pid: number;
  /** distinguishes the process from later ones with the same number */
  readonly process: string;
}

/** A mark: the snapshot that is about to be stored includes all events up to a byte of the journal. */
export interface SnapshotMark {
  readonly snapshot: SnapshotName;
  readonly upTo: number;
}

/** A journal read back. */
export interface JournalContent {
  readonly header: JournalHeader;
  /** with the position after each event */
  readonly events: readonly { readonly event: StateEvent; readonly end: number }[];
  readonly marks: readonly SnapshotMark[];
  /** true if the last record is incomplete: it was never durable */
  readonly torn: boolean;
  /** bytes up to the end of the last complete record */
  readonly length: number;
}

/** The size of the memory in which the records of several batches are encoded. */
const CHUNK_SIZE = 64 * 1024;

/**
 * Records that are encoded one after the other, in memory that they share, to be written together. A record consists of
 * the length and the checksum of the rest, its kind and its body.
 */
export class RecordBatch {
  readonly #chunkSize: number;
  #chunk: Buffer = NO_BYTES;
  #start = 0;
  #end = 0;

  constructor(chunkSize: number = CHUNK_SIZE) {
    this.#chunkSize = chunkSize;
  }

  /** Appends a record with a text as its body, which is sealed if there is a seal. Returns the length of the record. */
  append(kind: number, text: string, seal: JournalSeal | undefined): number {
    if (seal !== undefined) return this.appendBytes(kind, seal.seal(ENCODER.encode(text), kind));
    // A UTF-16 unit takes at most three bytes. Computing the exact length is worthwhile for a long text only.
    const mostBytes = text.length > CHUNK_SIZE / 8 ? Buffer.byteLength(text) : text.length * 3;
    this.#reserve(PREFIX + 1 + mostBytes);
    return this.#frame(kind, this.#chunk.write(text, this.#end + PREFIX + 1));
  }

  /** Appends a record with these bytes as its body. Returns the length of the record. */
  appendBytes(kind: number, body: Uint8Array): number {
    this.#reserve(PREFIX + 1 + body.length);
    this.#chunk.set(body, this.#end + PREFIX + 1);
    return this.#frame(kind, body.length);
  }

  /** Returns the record appended last, which has this length. */
  last(length: number): Uint8Array {
    return this.#chunk.subarray(this.#end - length, this.#end);
  }

  /** Returns the records appended since the last call. Later records do not overwrite them. */
  take(): Uint8Array {
    const records = this.#chunk.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return records;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#chunk.length) return;
    const records = this.take();
    // A batch that grows is copied each time its size has doubled, and not for each record.
    const needed = 2 * records.length + length;
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(this.#chunkSize, needed));
    this.#chunk.set(records);
    this.#start = 0;
    this.#end = records.length;
  }

  /** Fills in the prefix and the kind of a record that has its body. */
  #frame(kind: number, bodyLength: number): number {
    const chunk = this.#chunk;
    const content = this.#end + PREFIX;
    const end = content + 1 + bodyLength;
    chunk[content] = kind;
    chunk.writeUInt32LE(1 + bodyLength, this.#end);
    chunk.writeUInt32LE(crc32(chunk.subarray(content, end)), this.#end + 4);
    this.#end = end;
    return PREFIX + 1 + bodyLength;
  }
}

/** Encodes the beginning of a journal, with the open operations of earlier ones; sealed if there is a seal. */
export function encodeBeginning(
  header: JournalHeader,
  carried: readonly StateEvent[],
  seal?: JournalSeal,
): Uint8Array {
  const records = new RecordBatch(0);
  if (seal !== undefined) records.appendBytes(SEAL, seal.kept);
  records.append(HEADER, JSON.stringify(header), seal);
  for (const event of carried) encodeEvent(event, records, seal);
  return Buffer.concat([MAGIC, records.take()]);
}

/** Appends one event. Returns the length of its record. */
export function encodeEvent(event: StateEvent, records: RecordBatch, seal?: JournalSeal): number {
  return records.append(EVENT, eventToJson(event), seal);
}

/** Returns the record of one mark. */
export function encodeMark(mark: SnapshotMark, seal?: JournalSeal): Uint8Array {
  const records = new RecordBatch(0);
  appendMark(mark, records, seal);
  return records.take();
}

/** Appends one mark. Returns the length of its record. */
export function appendMark(mark: SnapshotMark, records: RecordBatch, seal?: JournalSeal): number {
  return records.append(MARK, JSON.stringify(mark), seal);
}

/** Returns the stored seal of a journal; undefined if its records are not sealed or it has no seal yet. */
export function keptSeal(bytes: Uint8Array): Uint8Array | undefined {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = MAGIC.length;
  const end = recordEnd(bytes, view, at);
  if (end === undefined || bytes[at + PREFIX] !== SEAL) return undefined;
  return bytes.subarray(at + PREFIX + 1, end);
}

/**
 * Decodes a journal with its seal. `undefined` if its header is incomplete, so that nothing can have been recorded.
 * Errors have messages for users.
 */
export function decodeJournal(
  bytes: Uint8Array,
  seal?: JournalSeal,
): JournalContent | { readonly error: string } | undefined {
  for (let i = 0; i < MAGIC.length; i++) {
    if (i >= bytes.length) return undefined;
    if (bytes[i] !== MAGIC[i]) {
      if (bytes.every((byte) => byte === 0)) return undefined; // space reserved, nothing written
      return { error: 'it is no journal, or one of a newer version' };
    }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = MAGIC.length;
  let header: JournalHeader | undefined;
  const events: { readonly event: StateEvent; readonly end: number }[] = [];
  const marks: SnapshotMark[] = [];
  while (at < bytes.length) {
    const end = recordEnd(bytes, view, at);
    if (end === undefined) {
      if (validRecordFollows(bytes, view, at)) {
        return { error: `its record at byte ${at} is damaged` };
      }
      return header === undefined ? undefined : { header, events, marks, torn: true, length: at };
    }
    const kind = bytes[at + PREFIX] ?? 0;
    if (kind === SEAL && seal === undefined) return { error: 'it is encrypted' };
    try {
      const storedBytes = bytes.subarray(at + PREFIX + 1, end);
      const body = seal === undefined || kind === SEAL ? storedBytes : seal.open(storedBytes, kind);
      switch (kind) {
        case SEAL:
          break;
        case HEADER:
          header = readHeader(JSON.parse(DECODER.decode(body)));
          break;
        case EVENT:
          events.push({ event: eventFromJson(body), end });
          break;
        case MARK:
          marks.push(readMark(JSON.parse(DECODER.decode(body))));
          break;
        default:
          return { error: `its record at byte ${at} is of an unknown kind` };
      }
    } catch (error) {
      // any-error: an event of another version can have any shape.
      const reason = errorText(error);
      return { error: `its record at byte ${at} can't be understood: ${reason}` };
    }
    at = end;
  }
  return header === undefined ? undefined : { header, events, marks, torn: false, length: at };
}

/** Returns the position after the record at `at`; `undefined` if there is no complete and valid record. */
function recordEnd(bytes: Uint8Array, view: DataView, at: number): number | undefined {
  if (at + PREFIX > bytes.length) return undefined;
  const length = view.getUint32(at, true);
  const end = at + PREFIX + length;
  if (length === 0 || end > bytes.length) return undefined;
  return crc32(bytes.subarray(at + PREFIX, end)) === view.getUint32(at + 4, true) ? end : undefined;
}

/** Returns true if a valid record follows: the journal is damaged in the middle instead of truncated. */
function validRecordFollows(bytes: Uint8Array, view: DataView, at: number): boolean {
  if (at + PREFIX > bytes.length) return false;
  const next = at + PREFIX + view.getUint32(at, true);
  return next > at + PREFIX && recordEnd(bytes, view, next) !== undefined;
}

function readHeader(parsed: unknown): JournalHeader {
  const header = objectOf(parsed);
  return {
    base: readName(header['base']),
    created: textOf(header['created']),
    host: textOf(header['host']),
    pid: numberOf(header['pid']),
    process: textOf(header['process']),
  };
}

function readMark(parsed: unknown): SnapshotMark {
  const mark = objectOf(parsed);
  return { snapshot: readName(mark['snapshot']), upTo: numberOf(mark['upTo']) };
}

function readName(parsed: unknown): SnapshotName {
  const name = objectOf(parsed);
  const digest = name['digest'];
  return {
    lineage: textOf(name['lineage']),
    serial: numberOf(name['serial']),
    digest: typeof digest === 'string' ? digest : undefined,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('an object is required');
  return Object.fromEntries(Object.entries(value));
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is required');
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('a number is required');
  return value;
}
